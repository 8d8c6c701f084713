"""Emails without a mail server: a backend that stores them in a folder, and pages that show them.

These pages show everybody's emails, including password resets. So they exist only if `MAILBOX_DIR` is set and
both the site's URL and the request's host are loopback addresses.
"""

import base64
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
# Errors that the file system and the parser raise for a broken file.
UNREADABLE = (OSError, ValueError, LookupError, AttributeError, TypeError)
LOOPBACK = {"127.0.0.1", "localhost", "::1"}

# For the frame that shows an email: no scripts, no requests, and only a click can navigate the whole page.
HTML_POLICY = (
    "sandbox allow-top-navigation-by-user-activation; default-src 'none'; style-src 'unsafe-inline'; "
    "img-src data:; form-action 'none'; frame-ancestors 'self'"
)


class EmailBackend(BaseEmailBackend):
    """Stores each email in `MAILBOX_DIR` as one file; sorting the files by name sorts them by time."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Store the emails and return their number. Each file appears complete or not at all."""
        folder = settings.MAILBOX_DIR
        assert folder is not None, "this backend stores emails in MAILBOX_DIR"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for mail in email_messages:
            name = f"{time.time_ns():020d}-{secrets.token_hex(4)}"
            part = folder / f"{name}.part"
            part.write_bytes(mail.message().as_bytes())
            part.rename(folder / f"{name}.eml")
        return len(email_messages)


class MailNameConverter:
    """URL converter for the name of a stored email; matches no path to another folder."""

    regex = "[0-9]{20}-[0-9a-f]{8}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(MailNameConverter, "mail")


@dataclass(frozen=True)
class Mail:
    """A stored email. If the file is not an email, `is_readable` is false and the texts are empty."""

    name: str
    sent_at: datetime
    is_readable: bool = True
    subject: str = ""
    sender: str = ""
    to: str = ""
    text: str = ""
    html: str = ""


def read_mail(file: Path) -> Mail:
    """Return the email in `file`, whose name must be one of the backend's."""
    try:
        return parse_mail(file.stem, file.read_bytes())
    except UNREADABLE:
        return Mail(file.stem, _sent_at(file.stem), is_readable=False)


def parse_mail(name: str, content: bytes) -> Mail:
    """Return the email that is stored under this name. Raises one of UNREADABLE if it is none."""
    parsed = email.message_from_bytes(content, policy=email.policy.default)
    return Mail(
        name=name,
        sent_at=_sent_at(name),
        subject=str(parsed["subject"] or ""),
        sender=str(parsed["from"] or ""),
        to=str(parsed["to"] or ""),
        text=_part(parsed, "plain"),
        html=_with_pictures(_part(parsed, "html"), parsed),
    )


def _sent_at(name: str) -> datetime:
    return datetime.fromtimestamp(int(name[:20]) / 1e9, UTC)


def _part(parsed: ParsedMail, kind: str) -> str:
    body = parsed.get_body((kind,))
    return body.get_content() if body else ""


def _with_pictures(html: str, parsed: ParsedMail) -> str:
    """Return the HTML of an email with its pictures in place of their addresses."""
    for part in parsed.walk():
        if part.get_content_maintype() == "image" and part["content-id"]:
            png = base64.b64encode(part.get_content()).decode()
            html = html.replace(f"cid:{part['content-id'].strip(' <>')}", f"data:image/png;base64,{png}")
    return html


def _local_only(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Pass the mailbox folder to the view; raise Http404 if there is none or the site is not on loopback."""

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


def _get_mail_or_404(folder: Path, name: str) -> Mail:
    file = folder / f"{name}.eml"
    if not file.is_file():
        raise Http404
    return read_mail(file)


@_local_only
def mailbox(request: HttpRequest, folder: Path) -> HttpResponse:
    """List the latest emails, newest first."""
    files = (file for file in folder.glob("*.eml") if re.fullmatch(MailNameConverter.regex, file.stem))
    mails = [read_mail(file) for file in sorted(files, reverse=True)[:SHOWN]]
    return render(request, "mailbox/list.html", {"mails": mails, "shown": SHOWN})


@_local_only
def mailbox_mail(request: HttpRequest, folder: Path, name: str) -> HttpResponse:
    """Show an email."""
    return render(request, "mailbox/mail.html", {"mail": _get_mail_or_404(folder, name)})


@_local_only
@xframe_options_sameorigin
def mailbox_html(request: HttpRequest, folder: Path, name: str) -> HttpResponse:
    """Return the HTML part of an email, for the frame that shows it."""
    # Links must open in the whole window, not inside the frame.
    html = _get_mail_or_404(folder, name).html.replace("<head>", '<head><base target="_top">', 1)
    return HttpResponse(html, headers={"Content-Security-Policy": HTML_POLICY})


urlpatterns = [
    path("", mailbox, name="mailbox"),
    path("<mail:name>/", mailbox_mail, name="mailbox_mail"),
    path("<mail:name>/html/", mailbox_html, name="mailbox_html"),
]
