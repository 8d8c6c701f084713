"""Streaks: on how many days in a row a person has finished the daily deal."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from accounts.models import User, Viewer
from games.models import SoloResult, today

ONE_DAY = timedelta(days=1)
LEAST_SHOWN = 2  # days


@dataclass(frozen=True)
class Streak:
    """A streak that goes on until a day is over without a result, in days; and the longest one so far."""

    days: int
    longest: int
    has_today: bool


def streak_of(person: Viewer) -> Streak | None:
    """Return the streak of a person; None before they have results on two days in a row."""
    if not isinstance(person, User):
        return None
    attempts = SoloResult.objects.counted().filter(user=person, kind=SoloResult.Kind.DAILY)
    days = attempts.order_by("game__daily__day").values_list("game__daily__day", flat=True)
    streak = _streak(days, today())
    return streak if streak.longest >= LEAST_SHOWN else None


def _streak(days: Iterable[date], today: date) -> Streak:
    """Return the streak that these days make, which are in order.

    >>> days = [date(2026, 3, day) for day in (1, 2, 3, 7, 8)]
    >>> _streak(days, date(2026, 3, 9))
    Streak(days=2, longest=3, has_today=False)
    >>> _streak(days, date(2026, 3, 10))
    Streak(days=0, longest=3, has_today=False)
    """
    length = longest = 0
    last = date.min
    for day in days:
        length = length + 1 if day - last == ONE_DAY else 1
        longest, last = max(longest, length), day
    return Streak(length if today - last <= ONE_DAY else 0, longest, last == today)
