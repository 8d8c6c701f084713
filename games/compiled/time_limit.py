"""How long searches go on: limits of processor time, and far outer limits by the clock."""

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

# When the searches of this thread end at the latest, by the clock.
_ends_at: ContextVar[float] = ContextVar("_ends_at", default=math.inf)


def within(seconds: float, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return the result of a function whose searches end within this many seconds by the clock."""
    with _ending_at(time.perf_counter() + seconds):
        return function(*args, **kwargs)


@contextmanager
def part_of_time(share: float) -> Iterator[None]:
    """Leave a share of the time that is left by the clock to the searches in this context."""
    now = time.perf_counter()
    with _ending_at(now + share * (_ends_at.get() - now)):
        yield


@contextmanager
def _ending_at(end: float) -> Iterator[None]:
    token = _ends_at.set(min(end, _ends_at.get()))
    try:
        yield
    finally:
        _ends_at.reset(token)


class TimeLimit:
    """A limit of processor time in this thread, so that a busy machine weakens no bot.

    The limit by the clock is for machines so busy that people would wait too long.
    """

    def __init__(self, seconds: float) -> None:
        """Start the time; `seconds` are of processor time."""
        self._seconds = seconds
        self._processor, self._clock = time.thread_time(), time.perf_counter()
        self._clock_seconds = _ends_at.get() - self._clock

    def share_spent(self) -> float:
        """Return the share of the time that is spent, by the limit that is nearer: 1 or more at its end."""
        processor, clock = time.thread_time() - self._processor, time.perf_counter() - self._clock
        if clock >= self._clock_seconds:
            return 1.0
        return max(processor / self._seconds, clock / self._clock_seconds)
