"""Counted time: how much of a span counts, and when an allowance is used up.

Counted time is the exact time that passes (as DURATION in RFC 5545, section 3.3.6, "exact"), without the
pauses. So an allowance of a day is 24 hours, also on a day of 23 or 25.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta

from games.clocks.calendars import Calendar
from games.clocks.pauses import Pause
from games.clocks.zones import as_instant

NO_TIME = timedelta(0)


def counted(calendar: Calendar, start: datetime, end: datetime) -> timedelta:
    """Return how much time between two instants counts; none if the end is not after the start."""
    start, end = as_instant(start), as_instant(end)
    if end <= start:
        return NO_TIME
    return end - start - sum((pause.end - pause.start for pause in calendar.pauses(start, end)), NO_TIME)


def deadline(calendar: Calendar, start: datetime, allowance: timedelta) -> datetime:
    """Return the deadline: the first instant at which an allowance is used up while time counts.

    So a deadline is never in a pause: if the allowance is used up just when a night starts, the deadline is
    the end of the night. Somebody who acts before the deadline is in time; at the deadline it is too late.
    """
    now, left = as_instant(start), max(allowance, NO_TIME)
    for pause in calendar.pauses(now):
        if left < pause.start - now:
            break
        left -= pause.start - now
        now = pause.end
    return now + left


def latest_start(pauses_backwards: Iterable[Pause], end: datetime, allowance: timedelta) -> datetime:
    """Return the latest instant since which an allowance has been used up at `end`.

    The pauses are in the order of their ends, the last one first. They may overlap.
    """
    now, left = as_instant(end), allowance
    for pause in pauses_backwards:
        if pause.start >= now:
            continue
        counted_after = max(now - pause.end, NO_TIME)
        if counted_after >= left:
            break
        now, left = pause.start, left - counted_after
    return now - left


def deadline_after_vacation(calendar: Calendar, start: datetime, allowance: timedelta) -> datetime:
    """Return when the person loses on time at last, after all vacation days that start by themselves.

    It is the deadline if none do. It is at most two years' vacation days after it.
    """
    at = deadline(calendar, start, allowance)
    while vacation := calendar.vacation_instead_of_losing(at):
        calendar = replace(calendar, vacations=(*calendar.vacations, vacation))
        # Nothing is left of the allowance, and the time until then is over.
        at = deadline(calendar, at, NO_TIME)
    return at
