"""Checks of the way from a visitor to the site: its name, its certificate and the proxy."""

import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus

from django.conf import settings
from django.utils.datastructures import CaseInsensitiveMapping

from novaluna_site.health.finding import Finding
from novaluna_site.health.installation import is_public

PATIENCE = 10  # seconds for each request
PAGE = "/account/login/"
STREAM = "/updates/stream/?lists"
HIDDEN = ("/readyz", "/metrics")
# Without a referrer, browsers send forms with the origin "null", which is refused.
NO_ORIGIN = "no-referrer"


@dataclass(frozen=True)
class Answer:
    """What a visitor gets."""

    status: int
    headers: Mapping[str, str]

    @property
    def is_ours(self) -> bool:
        """Whether the site has answered, and not something in between."""
        return "X-Nova-Luna" in self.headers


class _KeepRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args: object) -> None:
        """Follow none."""


def ask(path: str) -> Answer:
    """Ask the site's address as a visitor does; return when the first byte has arrived. Raises OSError."""
    request = urllib.request.Request(settings.SITE_URL + path, headers={"Accept": "*/*"})  # noqa: S310 - ours
    try:
        with urllib.request.build_opener(_KeepRedirects).open(request, timeout=PATIENCE) as response:
            response.read1(1)
            return Answer(response.status, CaseInsensitiveMapping(response.headers.items()))
    except urllib.error.HTTPError as error:
        with error:
            return Answer(error.code, CaseInsensitiveMapping(error.headers.items()))


def proxy() -> Iterator[Finding]:
    """Yield what visitors of a public site meet that its own processes do not see."""
    if not is_public():
        return
    try:
        page = ask(PAGE)
    except OSError as error:
        yield Finding(
            f"{settings.SITE_URL} cannot be reached from this machine: {getattr(error, 'reason', error)}.",
            "Check its name in DNS, the proxy, the certificate, and the firewall for ports 80 and 443. Some "
            "routers do not lead back to their own address: then open the site from elsewhere.",
        )
        return
    if page.headers.get("Location", "").startswith(settings.SITE_URL):
        yield Finding(
            "Pages redirect to themselves, so nobody sees one.",
            "The proxy must send X-Forwarded-Proto, which is https, and the Host of the visitor.",
        )
    elif page.status != HTTPStatus.OK:
        yield Finding(
            f"A page has the status {page.status}.",
            "Check that novaluna-web runs, ALLOWED_HOSTS, and that the proxy passes on the visitor's Host.",
        )
    elif not page.is_ours:
        yield Finding(
            "Responses have no header X-Nova-Luna, so pages do not update.",
            "Another site has this address, or the proxy removes the header.",
        )
    else:
        yield from _around_pages(page)


def _around_pages(page: Answer) -> Iterator[Finding]:
    if page.headers.get("Referrer-Policy", NO_ORIGIN) == NO_ORIGIN:
        yield Finding(
            "The proxy changes Referrer-Policy, so browsers send forms without their origin, and all fail.",
            "Let the proxy pass on the headers of the site.",
        )
    for path in HIDDEN:
        answer = ask(path)
        if answer.is_ours and answer.status != HTTPStatus.NOT_FOUND:
            yield Finding(f"Everybody can read {path}.", "Hide it in the proxy, as deploy/Caddyfile does.")
    try:
        stream = ask(STREAM)
    except OSError:
        stream = None
    if stream is None or stream.headers.get("Content-Type") != "text/event-stream":
        yield Finding(
            "Open pages get no live updates, and ask every 15 s.",
            "The proxy must send paths that end with /stream/ to novaluna-streams, and pass on each part "
            "immediately (flush_interval -1, proxy_buffering off).",
        )
