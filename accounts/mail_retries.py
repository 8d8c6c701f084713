"""Tries to send an email: the time that one may take, and the pauses between them."""

from datetime import datetime, timedelta

from django.db.models import Q

# The limits of a task that sends one email, in seconds. EMAIL_TIMEOUT limits only each step of a send. Pools
# of threads have no limits.
SOFT_LIMIT = 20
HARD_LIMIT = 25
# A worker claims an email by making it due again at the end of this lease. If the worker dies, the sweep then
# queues the email. In a pool without limits, a longer send may happen twice: both emails have the same id.
LEASE = timedelta(seconds=HARD_LIMIT + 5)
LONGEST_PAUSE = timedelta(hours=1)


def is_due(now: datetime) -> Q:
    """Return the condition that an email is due.

    A time beyond the longest pause is from before the clock was set back, so it does not count.
    """
    return Q(due_at__lte=now) | Q(due_at__gt=now + LONGEST_PAUSE)


def pause_after(attempts: int) -> timedelta:
    """Return the pause after a failed try, which doubles with each failed try before it, up to an hour."""
    return min(timedelta(seconds=15) * 2 ** min(attempts, 10), LONGEST_PAUSE)
