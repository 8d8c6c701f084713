"""Codes by which a guest plays on in another browser: they work once, and soon end.

Both browsers then play as the guest, as two browsers of one account do. Only a keyed hash is stored.
"""

import secrets

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts.models import GuestCode, User

# Without characters that are easily mistaken for each other: 32 of them, so a code has 50 bits.
ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
LENGTH = 10


def make(guest: User) -> str:
    """Return a new code of a guest, in two groups for people who type it; an earlier one ends."""
    code = "".join(secrets.choice(ALPHABET) for _character in range(LENGTH))
    values = {"mark": _mark_of(code), "made_at": timezone.now()}
    GuestCode.objects.update_or_create(guest=guest, defaults=values)
    return f"{code[: LENGTH // 2]}-{code[LENGTH // 2 :]}"


def guest_of(code: str) -> User | None:
    """Return the guest whom a code allows to play as; None if it was used, is too old, or never existed."""
    found = _valid().filter(mark=_mark_of(code)).select_related("guest").first()
    return found.guest if found else None


def use(code: str) -> User | None:
    """Return the guest of a code, which does not work any more from now on; else None."""
    guest = guest_of(code)
    used = guest is not None and _valid().filter(mark=_mark_of(code)).delete()[0]
    return guest if used else None


def _valid() -> QuerySet[GuestCode]:
    return GuestCode.objects.filter(
        made_at__gt=timezone.now() - GuestCode.LIVES, guest__is_guest=True, guest__is_active=True
    )


def _mark_of(code: str) -> str:
    plain = "".join(character for character in code.upper() if character.isalnum())
    return salted_hmac("accounts.guest_codes", plain, algorithm="sha256").hexdigest()
