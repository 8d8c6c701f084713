"""Links that confirm email addresses."""

from typing import Self

from allauth.account import app_settings
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from django.core import signing
from django.utils.crypto import salted_hmac


class Confirmation(EmailConfirmationHMAC):
    """allauth's confirmation, with a key that also covers the address and the mark of its user.

    allauth's key names the id alone, which another address gets after a backup was restored.
    """

    @property
    def key(self) -> str:
        """The key in the link."""
        return signing.dumps([self.email_address.pk, _digest(self.email_address)], salt=app_settings.SALT)

    @classmethod
    def from_key(cls, key: str) -> Self | None:
        """Return the confirmation that a key allows; None if it is not valid, too old, or was used."""
        age = app_settings.EMAIL_CONFIRMATION_EXPIRE_DAYS * 24 * 60 * 60
        try:
            pk, digest = signing.loads(key, salt=app_settings.SALT, max_age=age)
        except (signing.BadSignature, TypeError, ValueError):
            return None
        address = EmailAddress.objects.filter(pk=pk, verified=False).select_related("user").first()
        return cls(address) if address and _digest(address) == digest else None


def _digest(address: EmailAddress) -> str:
    value = f"{address.email.lower()} {address.user.mark}"
    return salted_hmac("accounts.confirmations", value, algorithm="sha256").hexdigest()[:16]
