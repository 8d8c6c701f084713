"""When a change of a calendar applies, so that no press of a button makes a clock run out soon after it."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import NamedTuple

from games.clocks.banks import Clock, Pace
from games.clocks.calendars import Calendar
from games.clocks.pauses import Pause
from games.clocks.zones import as_instant

# Time to read what a change has done, to move, or to change it again.
GRACE = timedelta(hours=6)


class TurnInProgress(NamedTuple):
    """The turn of a person whose clock runs: the pace, the bank at its start, its start, and the outages."""

    pace: Pace
    bank: timedelta
    start: datetime
    outages: tuple[Pause, ...] = ()

    def deadline(self, calendar: Calendar) -> datetime:
        """Return the deadline of the turn with this calendar."""
        return Clock(self.pace, replace(calendar, outages=self.outages)).deadline(self.bank, self.start)


def first_deadline(calendar: Calendar, turns: Iterable[TurnInProgress]) -> datetime | None:
    """Return when the first of these clocks runs out; None without a turn."""
    return min((turn.deadline(calendar) for turn in turns), default=None)


def start_of_change(
    change: Callable[[datetime], Calendar],
    calendar: Calendar,
    turns: Iterable[TurnInProgress],
    now: datetime,
) -> datetime:
    """Return when a change applies that a person makes now: now, or six hours later.

    `change` returns the calendar with the change from an instant on. It waits if otherwise a clock ran out
    earlier than before, within six hours from now: until then the old calendar applies, and so no clock runs
    out that would not have done so anyway.

    >>> from datetime import UTC
    >>> from games.clocks import NO_PAUSES, PACES, Vacation
    >>> noon = datetime(2024, 6, 3, 12, tzinfo=UTC)
    >>> vacation = Vacation(noon, noon + timedelta(days=2), NO_PAUSES.hours.zone)
    >>> calendar = Calendar(NO_PAUSES.hours, vacations=(vacation,))
    >>> turn = TurnInProgress(PACES["day"], timedelta(hours=1), noon)
    >>> end = lambda at: calendar.with_vacation_ended(vacation, at)
    >>> start_of_change(end, calendar, [turn], noon + timedelta(hours=2)).hour
    20
    >>> start_of_change(end, calendar, [], noon + timedelta(hours=2)).hour
    14
    """
    now = as_instant(now)
    changed = change(now)
    for turn in turns:
        deadline = turn.deadline(changed)
        if deadline < now + GRACE and deadline < turn.deadline(calendar):
            return now + GRACE
    return now
