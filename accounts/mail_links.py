"""Links in mails that work for whoever holds the mail, without logging in."""

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.urls import reverse

from accounts.models import User

# Such a link never expires: people unsubscribe from old mails too.
_signer = Signer(salt="accounts.mail_links.unsubscribe", sep=".")


def unsubscribe_url(user: User) -> str:
    """Return the absolute address that ends the turn mails of `user`: a page, and RFC 8058's target."""
    return settings.SITE_URL + reverse("accounts:unsubscribe", args=[_signer.sign(str(user.pk))])


def unsubscriber(token: str) -> User | None:
    """Return whose mails the token of an unsubscribe link ends; None if it is not ours or they have gone."""
    try:
        return User.objects.filter(pk=int(_signer.unsign(token))).first()
    except (BadSignature, ValueError):
        return None
