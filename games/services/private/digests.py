"""When a person gets the daily email."""

from django.db import transaction
from django.utils import timezone

from accounts.clock import next_at
from accounts.models import User
from games.models import Channel, Notification


def choose_digest_hour(user: User, hour: int) -> None:
    """Store when `user` gets the daily email; the one that waits follows."""
    with transaction.atomic():
        user.digest_hour = hour
        user.save(update_fields=["digest_hour"])
        move_digest(user)


def move_digest(user: User) -> None:
    """Move the daily email that waits to the hour of `user`, in the caller's transaction.

    One whose delivery has begun stays.
    """
    now = timezone.now()
    waiting = Notification.objects.pending().filter(user=user, channel=Channel.DIGEST, attempts=0)
    waiting.filter(due_at__gt=now).update(due_at=next_at(user.digest_hour, user.time_zone, now))
