"""Email addresses whose owners want no invitations."""

from hashlib import sha256

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.mail_limits import fold_address


class ClosedAddress(models.Model):
    """An email address to which no invitation is sent, because its owner asked for that.

    Only a hash of it is stored, because its owner may have no account here.
    """

    digest = models.CharField(_("SHA-256 of the address"), max_length=64, unique=True)
    closed_at = models.DateTimeField(_("since"), auto_now_add=True)

    class Meta:
        verbose_name = _("address without invitations")
        verbose_name_plural = _("addresses without invitations")

    def __str__(self) -> str:
        return self.digest[:12]


def is_closed(address: str) -> bool:
    """Return whether the owner of an email address wants no invitations."""
    return ClosedAddress.objects.filter(digest=digest_of(address)).exists()


def digest_of(address: str) -> str:
    """Return the hash under which an address is stored, the same for all addresses that reach one person."""
    return sha256(fold_address(address).encode()).hexdigest()
