"""Links in emails that work without logging in."""

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.urls import reverse

from accounts.models import User

# These links never expire, because people also unsubscribe through old emails.
_signer = Signer(salt="accounts.mail_links.unsubscribe", sep=".")


def unsubscribe_url(user: User) -> str:
    """Return the absolute URL that stops the turn emails of `user`.

    It serves a page for people and accepts the one-click POST of RFC 8058 from mail programs.
    """
    return settings.SITE_URL + reverse("accounts:unsubscribe", args=[_signer.sign(str(user.pk))])


def user_of_token(token: str) -> User | None:
    """Return the user of an unsubscribe link, or None if the token is not valid or the user is deleted."""
    try:
        return User.objects.filter(pk=int(_signer.unsign(token))).first()
    except (BadSignature, ValueError):
        return None
