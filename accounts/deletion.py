"""Deletion of accounts, by their owners or by staff. A task of the games removes them."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from accounts.queueing import queue

REMOVE = "games.remove_account"
# Staff can stop a deletion that they did not mean within this time.
STAFF_PAUSE = timedelta(days=1)


def delete(user: User, after: timedelta = timedelta(0)) -> None:
    """Deactivate an account, and let a worker remove it after this time."""
    user.is_active = False
    user.removal_due_at = timezone.now() + after
    user.save(update_fields=["is_active", "removal_due_at"])
    if not after:
        transaction.on_commit(lambda: queue(REMOVE, user.pk), robust=True)


def due_ids() -> list[int]:
    """Return the ids of the accounts to remove now, at most 1000."""
    due = User.objects.filter(is_active=False, removal_due_at__lte=timezone.now())
    return list(due.order_by("removal_due_at").values_list("pk", flat=True)[:1000])
