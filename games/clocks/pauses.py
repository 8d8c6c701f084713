"""Pauses: sleeping hours, days off, vacations and outages, in which the time of a person does not count."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from heapq import merge
from itertools import islice, takewhile
from operator import attrgetter
from typing import NamedTuple
from zoneinfo import ZoneInfo

from games.clocks.errors import BadHours
from games.clocks.zones import ONE_DAY, as_instant, days_from, instant_at, local_day, midnight

LONGEST_SLEEP = timedelta(hours=10)
FOREVER = datetime.max.replace(tzinfo=UTC)


class Kind(StrEnum):
    """Why time does not count."""

    SLEEP = "sleep"
    DAY_OFF = "day_off"
    VACATION = "vacation"
    OUTAGE = "outage"


class Pause(NamedTuple):
    """A span of time that does not count: from `start` until just before `end`, with its reasons."""

    start: datetime
    end: datetime
    kinds: tuple[Kind, ...]

    def within(self, start: datetime, end: datetime) -> "Pause":
        """Return the part of the pause between two instants. It is empty or negative if there is none."""
        return Pause(max(self.start, start), min(self.end, end), self.kinds)


by_start = attrgetter("start")


@dataclass(frozen=True, slots=True)
class Sleep:
    """Sleeping hours on local clocks, at most ten. They may cross midnight.

    >>> Sleep(time(23), time(7)).length
    datetime.timedelta(seconds=28800)
    >>> Sleep(time(7), time(23))
    Traceback (most recent call last):
    games.clocks.errors.BadHours: Sleeping hours last at most 10 hours.
    """

    start: time
    end: time

    def __post_init__(self) -> None:
        """Raise BadHours if the hours are too long, empty, or in a zone of their own."""
        if self.start.tzinfo or self.end.tzinfo:
            raise BadHours("Sleeping hours are in the zone of the person.")
        if not self.length:
            raise BadHours("Sleeping hours must end later than they start.")
        if self.length > LONGEST_SLEEP:
            raise BadHours("Sleeping hours last at most 10 hours.")

    @property
    def length(self) -> timedelta:
        """How long the night is on local clocks, unless they change in it."""
        start, end = (datetime.combine(date.min, at) for at in (self.start, self.end))
        return (end - start) % ONE_DAY

    def night(self, day: date, zone: ZoneInfo) -> Pause:
        """Return the night that starts on a local day.

        It lasts an hour more or less if clocks change in it. It is empty or negative if they skip it.
        """
        last_day = day if self.start < self.end else day + ONE_DAY
        return Pause(instant_at(day, self.start, zone), instant_at(last_day, self.end, zone), (Kind.SLEEP,))


@dataclass(frozen=True, slots=True)
class Hours:
    """The weekly rhythm of a person: zone, sleeping hours, and a day off (0 is Monday, as in `date.weekday`).

    At least 74 hours of a week count, whatever a person chooses (a little less if clocks change in it).
    """

    zone: ZoneInfo
    sleep: Sleep | None = None
    day_off: int | None = None

    def __post_init__(self) -> None:
        """Raise BadHours if the day off is no day of the week."""
        if self.day_off is not None and self.day_off not in range(7):
            raise BadHours("The day off must be a day of the week.")

    def pauses(self, start: datetime, end: datetime) -> Iterator[Pause]:
        """Yield the parts of nights and days off between two instants, by their start. They may overlap."""
        # The night before today may reach into today, and before today the zone may have skipped one date.
        first_day = local_day(start, self.zone) - 2 * ONE_DAY
        for pause in takewhile(
            lambda pause: pause.start < end,
            merge(self._nights(first_day), self._days_off(first_day), key=by_start),
        ):
            part = pause.within(start, end)
            if part.start < part.end:
                yield part

    def _nights(self, first_day: date) -> Iterator[Pause]:
        if self.sleep:
            for day in days_from(first_day):
                yield self.sleep.night(day, self.zone)

    def _days_off(self, first_day: date) -> Iterator[Pause]:
        if self.day_off is not None:
            first = first_day + (self.day_off - first_day.weekday()) % 7 * ONE_DAY
            for day in days_from(first, step=7):
                yield Pause(midnight(day, self.zone), midnight(day + ONE_DAY, self.zone), (Kind.DAY_OFF,))


@dataclass(frozen=True, slots=True)
class Vacation:
    """A vacation: from one instant to another, paid for by the local days that it touches.

    >>> berlin = ZoneInfo("Europe/Berlin")
    >>> vacation = Vacation(datetime(2024, 2, 28, 20, tzinfo=UTC), midnight(date(2024, 3, 2), berlin), berlin)
    >>> [day.isoformat() for day in vacation.days]
    ['2024-02-28', '2024-02-29', '2024-03-01']
    """

    start: datetime
    end: datetime
    zone: ZoneInfo

    def __post_init__(self) -> None:
        """Convert both instants to UTC."""
        object.__setattr__(self, "start", as_instant(self.start))
        object.__setattr__(self, "end", as_instant(self.end))

    @property
    def days(self) -> tuple[date, ...]:
        """The local days that the vacation touches, without dates that the zone skips."""
        if self.start >= self.end:
            return ()
        first, last = (
            local_day(instant, self.zone) for instant in (self.start, self.end - timedelta.resolution)
        )
        days = islice(days_from(first), (last - first).days + 1)
        return tuple(day for day in days if midnight(day, self.zone) < midnight(day + ONE_DAY, self.zone))

    @property
    def pause(self) -> Pause:
        """The vacation as a pause."""
        return Pause(self.start, self.end, (Kind.VACATION,))

    @property
    def is_ended_early(self) -> bool:
        """Whether the person has ended it: all others end with a day."""
        return self.start < self.end != midnight(local_day(self.end, self.zone), self.zone)

    def ended(self, now: datetime) -> "Vacation":
        """Return the vacation as it is if the person ends it now. It has no days if it had not started.

        The day on which a vacation ends is used up. What is over already stays as it is.
        """
        end = max(self.start, min(self.end, as_instant(now)))
        return Vacation(self.start, end, self.zone)


def joined(pauses: Iterable[Pause]) -> Iterator[Pause]:
    """Yield pauses, ordered by start, with those that overlap or touch joined into one.

    The kinds of a joined pause are in the order in which they start.

    >>> nine, ten, noon = (datetime(2024, 1, 1, hour, tzinfo=UTC) for hour in (9, 10, 12))
    >>> [pause] = joined([Pause(nine, noon, (Kind.DAY_OFF,)), Pause(ten, noon, (Kind.SLEEP,))])
    >>> pause.start.hour, pause.end.hour, [*map(str, pause.kinds)]
    (9, 12, ['day_off', 'sleep'])
    """
    current = None
    for pause in pauses:
        if current and pause.start <= current.end:
            kinds = tuple(dict.fromkeys(current.kinds + pause.kinds))
            current = Pause(current.start, max(current.end, pause.end), kinds)
        else:
            if current:
                yield current
            current = pause
    if current:
        yield current
