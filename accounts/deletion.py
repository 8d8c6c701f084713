"""Deletion of accounts, by their owners or by staff. A task of the games removes them.

Owners who have proved an address have a week to change their mind, because they can get an email about it.
Guests, and accounts whose address nobody has confirmed, are deleted immediately.
"""

from datetime import timedelta

from django.core.signing import BadSignature, dumps, loads
from django.db import transaction
from django.db.models import QuerySet
from django.dispatch import Signal
from django.utils import timezone

from accounts.addresses import is_unproved
from accounts.models import User
from accounts.queueing import queue

REMOVE = "games.remove_account"
# Owners can keep their account within this time.
OWNERS_PAUSE = timedelta(days=7)
# Staff can stop a deletion that they did not mean within this time.
STAFF_PAUSE = timedelta(days=1)
_SALT = "accounts.deletion"

# Sent, with the argument `user`, in the transaction in which an owner asks for a deletion after the pause.
asked = Signal()


def has_pause(user: User) -> bool:
    """Return whether the owner of an account has a week to change their mind."""
    return not user.is_guest and not is_unproved(user)


def ask(user: User) -> None:
    """Let a worker remove an account in a week, unless its owner keeps it."""
    with transaction.atomic():
        user.removal_due_at = timezone.now() + OWNERS_PAUSE
        user.save(update_fields=["removal_due_at"])
        asked.send(User, user=user)


def keep(user: User) -> bool:
    """Stop the deletion for which the owner has asked; return whether there was one."""
    return bool(_asked_for().filter(pk=user.pk).update(removal_due_at=None))


def token_of(user: User) -> str:
    """Return the token of the link that keeps an account, for this deletion only."""
    return dumps(_signed(user), salt=_SALT)


def account_of(token: str) -> User | None:
    """Return the account that a link keeps; None if that is too late, was done, or the link is of another."""
    try:
        pk, *rest = loads(token, salt=_SALT, max_age=OWNERS_PAUSE)
    except BadSignature:
        return None
    user = _asked_for().filter(pk=pk).first()
    # After a backup was restored, the id may be somebody else's.
    return user if user is not None and _signed(user) == [pk, *rest] else None


def delete(user: User, after: timedelta = timedelta(0)) -> None:
    """Deactivate an account, and let a worker remove it after this time."""
    user.is_active = False
    user.removal_due_at = timezone.now() + after
    user.save(update_fields=["is_active", "removal_due_at"])
    if not after:
        transaction.on_commit(lambda: queue(REMOVE, user.pk), robust=True)


def due_ids() -> list[int]:
    """Return the ids of the accounts to remove now, at most 1000."""
    due = User.objects.filter(removal_due_at__lte=timezone.now())
    return list(due.order_by("removal_due_at").values_list("pk", flat=True)[:1000])


def begin(user_id: int) -> User | None:
    """Return an account whose removal is due, deactivated, so that its owner can't keep it any more."""
    with transaction.atomic():
        due = User.objects.select_for_update(no_key=True).filter(removal_due_at__lte=timezone.now())
        user = due.filter(pk=user_id).first()
        if user is not None and user.is_active:
            user.is_active = False
            user.save(update_fields=["is_active"])
        return user


def _asked_for() -> QuerySet[User]:
    return User.objects.filter(is_active=True, removal_due_at__isnull=False)


def _signed(user: User) -> list[object]:
    return [user.pk, user.mark, user.removal_due_at and user.removal_due_at.isoformat()]
