"""A clock for tests that stands still until it is moved on."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from unittest import mock


class FrozenClock:
    """The time that Django reads; noon of a Monday at first."""

    def __init__(self) -> None:
        self.now = datetime(2026, 6, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def move_on(self, **time: float) -> datetime:
        """Move on by this time, as the arguments of `timedelta`, and return the new time."""
        self.now += timedelta(**time)
        return self.now


@contextmanager
def frozen_clock() -> Iterator[FrozenClock]:
    """Replace the time that Django reads."""
    with mock.patch("django.utils.timezone.now", FrozenClock()) as clock:
        yield clock
