"""Addresses of removed accounts that were suspended: nobody has an account with one until that ends.

Otherwise a deletion and a new account would end every suspension. Only a keyed hash of the address is kept.
"""

from allauth.account.models import EmailAddress
from django.db.models.signals import pre_delete
from django.dispatch import receiver
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts.mail_limits import fold_address
from accounts.models import BarredAddress, User


@receiver(pre_delete, sender=User)
def bar(instance: User, **_signal: object) -> None:
    """Bar the addresses that a suspended user who is removed has proved."""
    ends_at = instance.suspended_until
    if ends_at is None or not instance.is_suspended:
        return
    confirmed = EmailAddress.objects.filter(user=instance, verified=True)
    for address in {instance.proved_address, *confirmed.values_list("email", flat=True)} - {""}:
        BarredAddress.objects.update_or_create(mark=_mark_of(address), defaults={"ends_at": ends_at})


def is_barred(address: str) -> bool:
    """Return whether the account of this address was suspended for a time that is not over.

    Addresses that reach the same person, such as one with a plus, count as one.
    """
    return BarredAddress.objects.filter(mark=_mark_of(address), ends_at__gt=timezone.now()).exists()


def _mark_of(address: str) -> str:
    return salted_hmac("accounts.barred_addresses", fold_address(address), algorithm="sha256").hexdigest()
