"""Calendars: all the time of one person that does not count, with the changes that they made."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from heapq import merge
from itertools import pairwise
from typing import NamedTuple
from zoneinfo import ZoneInfo

from games.clocks.errors import BadVacation, NotEnoughVacation
from games.clocks.pauses import FOREVER, Hours, Pause, Vacation, by_start, joined
from games.clocks.zones import ONE_DAY, as_instant, local_day, midnight

VACATION_DAYS = 20  # in a calendar year
BETWEEN_CHANGES = timedelta(days=7)
SINCE_EVER = datetime.min.replace(tzinfo=UTC)


class Change(NamedTuple):
    """The hours of a person from an instant on."""

    start: datetime
    hours: Hours


@dataclass(frozen=True, slots=True)
class Calendar:
    """All the time of one person that does not count.

    `hours` are those at first, and `changes` the later ones by time. `vacations` include past and planned
    ones, in any order. With `automatic_vacation`, a vacation day starts where the person would lose on time.
    `outages` are the times in which the site was down, in any order; they are the same for everybody.

    No calendar pauses for ever, so every allowance is used up at last: vacations are a finite list, and after
    the last change at least 74 hours a week count. The functions that make calendars keep pauses short:
    `with_hours` has seven days between two changes, and `plan_vacation` has 20 days a year.
    """

    hours: Hours
    changes: tuple[Change, ...] = ()
    vacations: tuple[Vacation, ...] = ()
    automatic_vacation: bool = False
    outages: tuple[Pause, ...] = ()

    def hours_at(self, instant: datetime) -> Hours:
        """Return the hours that apply at an instant."""
        return next((hours for start, hours in reversed(self.changes) if start <= instant), self.hours)

    def with_hours(self, hours: Hours, now: datetime, start: datetime | None = None) -> "Calendar":
        """Return the calendar after the person chose other hours now.

        The new hours apply from now on, or from `start`; but no earlier than seven days after the last
        change, so that nobody can sleep all day by moving their night. They replace a change that does not
        apply yet. The past stays as it was.
        """
        now = as_instant(now)
        start = now if start is None else as_instant(start)
        past = tuple(change for change in self.changes if change.start <= now)
        start = max(start, past[-1].start + BETWEEN_CHANGES) if past else start
        return replace(self, changes=(*past, Change(start, hours)))

    def with_vacation_ended(self, vacation: Vacation, at: datetime) -> "Calendar":
        """Return the calendar with one of its vacations ended at an instant, or empty before its start."""
        others = tuple(one for one in self.vacations if one != vacation)
        return replace(self, vacations=(*others, vacation.ended(at)))

    def pauses(self, start: datetime, end: datetime = FOREVER) -> Iterator[Pause]:
        """Yield the pauses between two instants, in order. Those that overlap or touch are joined.

        Without an end, they go on for ever if the person has sleeping hours or a day off.
        """
        vacations = (vacation.pause for vacation in self.vacations)
        single = _within((*vacations, *self.outages), start, end)
        return joined(merge(self._weekly(start, end), single, key=by_start))

    def pause_at(self, instant: datetime) -> Pause | None:
        """Return the pause that lasts from an instant until time counts again; None if it counts now.

        >>> from datetime import time
        >>> from games.clocks.pauses import Sleep
        >>> calendar = Calendar(Hours(ZoneInfo("Europe/Berlin"), Sleep(time(23), time(7))))
        >>> pause = calendar.pause_at(datetime(2024, 6, 1, 1, tzinfo=UTC))
        >>> f"{pause.kinds[0]} until {pause.end.astimezone(calendar.hours.zone):%H:%M}"
        'sleep until 07:00'
        """
        instant = as_instant(instant)
        pause = next(self.pauses(instant), None)
        return pause if pause and pause.start == instant else None

    def vacation_days(self, year: int) -> int:
        """Return how many vacation days of a calendar year are used or planned."""
        return _days_by_year(self.vacations)[year]

    def plan_vacation(self, first: date, last: date, now: datetime) -> Vacation:
        """Return a vacation from one local day to another, both included.

        It starts now if its first day has started. Raises BadVacation if it is over already, and
        NotEnoughVacation if the person has too few days left in a year.
        """
        now = as_instant(now)
        zone = self.hours_at(now).zone
        first = max(first, local_day(now, zone))
        if last < first:
            raise BadVacation("The vacation is over before it starts.")
        # Not even the days of two years are enough for a longer one, and nobody can make the site list them.
        is_short = last - first < 2 * VACATION_DAYS * ONE_DAY
        if is_short:
            vacation = Vacation(max(now, midnight(first, zone)), midnight(last + ONE_DAY, zone), zone)
            if self._can_pay(vacation):
                return vacation
        raise NotEnoughVacation(f"There are {VACATION_DAYS} vacation days a year.")

    def vacation_instead_of_losing(self, deadline: datetime) -> Vacation | None:
        """Return the vacation that starts by itself at a deadline, until the end of the local day.

        None if the person does not want that, has ended a vacation on this day, or has no day left in the
        year.
        """
        if not self.automatic_vacation:
            return None
        deadline = as_instant(deadline)
        zone = self.hours_at(deadline).zone
        today = local_day(deadline, zone)
        if any(one.is_ended_early and midnight(today, zone) < one.end <= deadline for one in self.vacations):
            return None
        vacation = Vacation(deadline, midnight(today + ONE_DAY, zone), zone)
        return vacation if self._can_pay(vacation) else None

    def _can_pay(self, vacation: Vacation) -> bool:
        used = _days_by_year((*self.vacations, vacation))
        return all(used[day.year] <= VACATION_DAYS for day in vacation.days)

    def _weekly(self, start: datetime, end: datetime) -> Iterator[Pause]:
        periods = (Change(SINCE_EVER, self.hours), *self.changes, Change(FOREVER, self.hours))
        for (period_start, hours), (period_end, _) in pairwise(periods):
            first, last = max(start, period_start), min(end, period_end)
            if first < last:
                yield from hours.pauses(first, last)


# The calendar of a person whose time always counts, as in live games.
NO_PAUSES = Calendar(Hours(ZoneInfo("UTC")))


def _within(pauses: Iterable[Pause], start: datetime, end: datetime) -> list[Pause]:
    """Return the parts of pauses between two instants, in order."""
    parts = (pause.within(start, end) for pause in pauses)
    return sorted(part for part in parts if part.start < part.end)


def _days_by_year(vacations: tuple[Vacation, ...]) -> Counter[int]:
    """Return the number of days in each year that vacations use. A day of two vacations counts once."""
    days = {day for vacation in vacations for day in vacation.days}
    return Counter(day.year for day in days)
