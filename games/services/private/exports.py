"""Exports of everything that the site stores about a person: asked for, made by a task, removed in a week."""

from datetime import timedelta

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from accounts.models import User
from accounts.queueing import queue
from games.models import Export

MAKE = "games.bots.make_export"
# In seconds. Thousands of games take a minute.
SOFT_LIMIT = 600
HARD_LIMIT = 620
# A worker that dies leaves the export due again after this time.
LEASE = timedelta(seconds=HARD_LIMIT + 10)


def ask(user: User) -> Export:
    """Let a worker make the file of a person; while it makes one, the request changes nothing.

    An earlier file is deleted, and links to it work no more.
    """
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        earlier = Export.objects.defer("file").filter(user=user).first()
        if earlier is not None and earlier.made_at is None and not earlier.has_failed:
            return earlier
        if earlier is not None:
            earlier.delete()
        now = timezone.now()
        export = Export.objects.create(user=user, asked_at=now, due_at=now)
        transaction.on_commit(lambda: queue(MAKE, export.pk), robust=True)
        return export


def due_ids() -> list[int]:
    """Return the ids of the exports to make now, at most 100, the oldest first."""
    return list(_due().order_by("asked_at").values_list("pk", flat=True)[:100])


def claim(export_id: int) -> Export | None:
    """Return an export that is due, which no other worker makes until its lease ends; else None."""
    claimed = _due().filter(pk=export_id)
    if not claimed.update(due_at=timezone.now() + LEASE, attempts=F("attempts") + 1):
        return None
    return Export.objects.select_related("user").filter(pk=export_id).first()


def store(export: Export, file: bytes) -> bool:
    """Store the file; return whether the person still waits for this one."""
    waiting = Export.objects.filter(pk=export.pk, key=export.key, made_at=None)
    return bool(waiting.update(file=file, size=len(file), made_at=timezone.now()))


def old_exports() -> QuerySet[Export]:
    """Return the exports whose week is over, and those that could not be made for as long."""
    return Export.objects.filter(asked_at__lt=timezone.now() - Export.KEPT - timedelta(days=1)) | (
        Export.objects.filter(made_at__lt=timezone.now() - Export.KEPT)
    )


def _due() -> QuerySet[Export]:
    due = Export.objects.filter(made_at=None, due_at__lte=timezone.now(), user__is_active=True)
    return due.filter(attempts__lt=Export.MOST_ATTEMPTS)
