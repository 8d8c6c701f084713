"""Mails without a mail server: a folder that takes them, and pages that show what lies there.

Whoever can open these pages reads everybody's mails, password resets among them. So they exist only while
`MAILBOX_DIR` is set and the site's own address is one of this machine's.
"""

import email
import email.policy
import re
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import EmailMessage as ParsedMail
from functools import wraps
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, register_converter
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_safe

SHOWN = 200
# What the file system and the parser say of a broken file.
UNREADABLE = (OSError, ValueError, LookupError, AttributeError, TypeError)
LOOPBACK = {"127.0.0.1", "localhost", "::1"}

# The mail's own page: no script, no request to anywhere; only a click leads out of the frame.
HTML_POLICY = (
    "sandbox allow-top-navigation-by-user-activation; default-src 'none'; style-src 'unsafe-inline'; "
    "img-src data:; form-action 'none'; frame-ancestors 'self'"
)


class EmailBackend(BaseEmailBackend):
    """Puts each mail into `MAILBOX_DIR` as a file of its own, named so that names sort by time."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Store the mails, each of them whole or not at all; return how many."""
        folder = settings.MAILBOX_DIR
        assert folder is not None, "this backend stores mails in MAILBOX_DIR"
        folder.mkdir(parents=True, exist_ok=True)
        for mail in email_messages:
            name = f"{time.time_ns():020d}-{secrets.token_hex(4)}"
            part = folder / f"{name}.part"
            part.write_bytes(mail.message().as_bytes())
            part.rename(folder / f"{name}.eml")
        return len(email_messages)


class MailName:
    """The name of a stored mail in its address: nothing that leads to another folder."""

    regex = "[0-9]{20}-[0-9a-f]{8}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(MailName, "mail")


@dataclass(frozen=True)
class Mail:
    """A stored mail; `is_readable` is false, and the rest empty, where the file is no mail."""

    name: str
    sent_at: datetime
    is_readable: bool = True
    subject: str = ""
    sender: str = ""
    to: str = ""
    text: str = ""
    html: str = ""


def read_mail(file: Path) -> Mail:
    """Return the mail in `file`, which the backend named."""
    sent_at = datetime.fromtimestamp(int(file.stem[:20]) / 1e9, UTC)
    try:
        parsed = email.message_from_bytes(file.read_bytes(), policy=email.policy.default)
        return Mail(
            name=file.stem,
            sent_at=sent_at,
            subject=str(parsed["subject"] or ""),
            sender=str(parsed["from"] or ""),
            to=str(parsed["to"] or ""),
            text=_part(parsed, "plain"),
            html=_part(parsed, "html"),
        )
    except UNREADABLE:
        return Mail(file.stem, sent_at, is_readable=False)


def _part(parsed: ParsedMail, kind: str) -> str:
    body = parsed.get_body((kind,))
    return body.get_content() if body else ""


def _here(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Let a view answer only where mails lie in a folder of a site that serves this machine alone."""

    @require_safe
    @never_cache
    @wraps(view)
    def checked(request: HttpRequest, **kwargs: str) -> HttpResponse:
        folder = settings.MAILBOX_DIR
        hosts = {urlsplit(settings.SITE_URL).hostname, urlsplit(f"//{request.get_host()}").hostname}
        if folder is None or hosts - LOOPBACK:
            raise Http404
        return view(request, folder, **kwargs)

    return checked


def _found(folder: Path, name: str) -> Mail:
    file = folder / f"{name}.eml"
    if not file.is_file():
        raise Http404
    return read_mail(file)


@_here
def mailbox(request: HttpRequest, folder: Path) -> HttpResponse:
    """List the mails, newest first."""
    named = (file for file in folder.glob("*.eml") if re.fullmatch(MailName.regex, file.stem))
    mails = [read_mail(file) for file in sorted(named, reverse=True)[:SHOWN]]
    return render(request, "mailbox/list.html", {"mails": mails, "shown": SHOWN})


@_here
def mailbox_mail(request: HttpRequest, folder: Path, name: str) -> HttpResponse:
    """Show a mail."""
    return render(request, "mailbox/mail.html", {"mail": _found(folder, name)})


@_here
@xframe_options_sameorigin
def mailbox_html(request: HttpRequest, folder: Path, name: str) -> HttpResponse:
    """Serve a mail's HTML part alone, for the frame that shows it."""
    # Links open in place of the whole page, not within the frame.
    html = _found(folder, name).html.replace("<head>", '<head><base target="_top">', 1)
    return HttpResponse(html, headers={"Content-Security-Policy": HTML_POLICY})


urlpatterns = [
    path("", mailbox, name="mailbox"),
    path("<mail:name>/", mailbox_mail, name="mailbox_mail"),
    path("<mail:name>/html/", mailbox_html, name="mailbox_html"),
]
