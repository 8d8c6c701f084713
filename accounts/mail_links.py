"""Links in emails: some work without logging in, others know whom the email was for."""

from urllib.parse import urlencode

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.http import HttpRequest
from django.urls import reverse

from accounts.models import User

# These links never expire, because people also unsubscribe through old emails.
_signer = Signer(salt="accounts.mail_links.unsubscribe", sep=".")
# Signed, so that nobody can look up the names of users. It logs nobody in.
_reader_signer = Signer(salt="accounts.mail_links.reader", sep=".")
READER = "for"


def unsubscribe_url(user: User) -> str:
    """Return the absolute URL that stops the turn emails of `user`.

    It serves a page for people and accepts the one-click POST of RFC 8058 from mail programs.
    """
    return settings.SITE_URL + reverse("accounts:unsubscribe", args=[_signer.sign(str(user.pk))])


def user_of_token(token: str) -> User | None:
    """Return the user of an unsubscribe link, or None if the token is not valid or the user is deleted."""
    return _user_of(_signer, token)


def url_for_reader(path: str, user: User) -> str:
    """Return the absolute URL of a page in an email to `user`; the page can find out whom it was for."""
    return f"{settings.SITE_URL}{path}?{urlencode({READER: _reader_signer.sign(str(user.pk))})}"


def reader_of(request: HttpRequest) -> User | None:
    """Return the user to whom the email with this link was sent; None without such a link."""
    return _user_of(_reader_signer, request.GET.get(READER, ""))


def _user_of(signer: Signer, token: str) -> User | None:
    try:
        return User.objects.filter(pk=int(signer.unsign(token))).first()
    except (BadSignature, ValueError):
        return None
