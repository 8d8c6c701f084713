"""Habits: when a person probably answers, judged by their own past answers.

A person answers at some hours of their day more than at others. So waiting is measured not in hours but in
*activity*: an hour in which they often answer counts for more than one in which they sleep. Waits that began
at different hours can then be compared. The activity of an hour is the hazard rate: how many answers there
were for each hour of waiting at that time of day. By the time-rescaling theorem (Brown, Barbieri, Ventura,
Kass and Frank, "The time-rescaling theorem and its application to neural spike train data analysis", 2002),
waits are then equal in distribution.

Of n comparable waits and the next one, each is equally likely to be the k-th shortest. So the next one is
between the i-th and the j-th shortest of the n with probability (j - i) / (n + 1), whatever the person's
habits: a distribution-free prediction interval (Wilks, "Determination of sample sizes for setting tolerance
limits", 1941). These are the quantiles of type 6 of Hyndman and Fan, "Sample quantiles in statistical
packages" (1996), which `statistics.quantiles` returns.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import accumulate
from statistics import quantiles
from typing import NamedTuple
from zoneinfo import ZoneInfo

from games.clocks.banks import Turn
from games.clocks.zones import as_instant, instant_at

# With 19 answers, the shortest and the longest are the limits of the middle 90%: none has to be guessed.
FEWEST_ANSWERS = 19
# Habits change, so only the latest answers count.
MOST_ANSWERS = 60
# So many hours of waiting at the usual rate are added to each hour of the day, so that none is impossible.
USUAL_HOURS = 0.1
HOURS = 24
ONE_HOUR = timedelta(hours=1)
TENTHS = 10


class Estimate(NamedTuple):
    """When something probably happens: in 8 of 10 cases from `start` to `end`, in half of all by `middle`."""

    start: datetime
    middle: datetime
    end: datetime


@dataclass(frozen=True, slots=True)
class Habits:
    """How a person answers.

    `activity` has the sum of activity from midnight until the end of each hour, 1 in a whole day. `waits` are
    the past waits in days of activity, the shortest first.
    """

    zone: ZoneInfo
    activity: tuple[float, ...]
    waits: tuple[float, ...]

    @classmethod
    def of(cls, answers: Iterable[Turn], zone: ZoneInfo) -> "Habits | None":
        """Return the habits that the latest 60 of these turns show; None if they are fewer than 19."""
        turns = sorted(answers, key=lambda turn: turn.end)[-MOST_ANSWERS:]
        if len(turns) < FEWEST_ANSWERS:
            return None
        asked = [_local(turn.start, zone) for turn in turns]
        answered = [_local(turn.end, zone) for turn in turns]
        activity = _activity(asked, answered)
        waits = (
            _activity_until(end, activity) - _activity_until(start, activity)
            for start, end in zip(asked, answered, strict=True)
        )
        return cls(zone, activity, tuple(sorted(waits)))

    def answers(self, asked: datetime, now: datetime) -> list[datetime]:
        """Return ten instants, each of which stands for a tenth of the chances of the answer.

        It is known that the person has not answered until now, so only longer waits count. The list is empty
        if there are fewer than 19 of those.
        """
        start = _activity_until(_local(asked, self.zone), self.activity)
        waited = _activity_until(_local(now, self.zone), self.activity) - start
        waits = self.waits[bisect_left(self.waits, waited) :]
        if len(waits) < FEWEST_ANSWERS:
            return []
        # The middles of the tenths: 5%, 15% … 95%.
        return [max(now, self._when(start + wait)) for wait in quantiles(waits, n=2 * TENTHS)[::2]]

    def _when(self, activity: float) -> datetime:
        """Return the instant until which there is this much activity from the first day of the calendar."""
        days, today = divmod(activity, 1)
        hour = min(bisect_right(self.activity, today), HOURS - 1)
        before, until = (0.0, *self.activity)[hour : hour + 2]
        past_midnight = (hour + (today - before) / (until - before)) * ONE_HOUR
        local = datetime.fromordinal(int(days)) + past_midnight
        return instant_at(local.date(), local.time(), self.zone)


def estimate(people: Iterable[Habits | None], asked: datetime, now: datetime) -> Estimate | None:
    """Return when all these people probably have answered, one after the other.

    The first was asked at `asked` and has not answered until now; each other is asked when the one before
    answers. None if the history of one of them does not support an estimate.
    """
    now = as_instant(now)
    instants = [as_instant(asked)]
    for habits in people:
        if habits is None:
            return None
        answers = [answer for asked in instants for answer in habits.answers(asked, max(asked, now))]
        if not answers:
            return None
        instants = [_quantile(answers, (2 * tenth + 1) / (2 * TENTHS)) for tenth in range(TENTHS)]
    return Estimate(*(_quantile(instants, share) for share in (0.1, 0.5, 0.9)))


def _local(instant: datetime, zone: ZoneInfo) -> datetime:
    """Return what local clocks show, without the zone."""
    return as_instant(instant).astimezone(zone).replace(tzinfo=None)


def _activity_until(local: datetime, activity: Sequence[float]) -> float:
    """Return the activity from the first day of the calendar until a local time."""
    before = activity[local.hour - 1] if local.hour else 0.0
    share_of_hour = (local.minute * 60 + local.second + local.microsecond / 1e6) / 3600
    return local.toordinal() + before + (activity[local.hour] - before) * share_of_hour


def _activity(asked: Sequence[datetime], answered: Sequence[datetime]) -> tuple[float, ...]:
    """Return the share of a day's activity until the end of each hour, from the local times of past turns."""
    waited, answers = [0.0] * HOURS, [0.0] * HOURS
    for start, end in zip(asked, answered, strict=True):
        answers[end.hour] += 1
        for hour, part in _hours_between(start, end):
            waited[hour] += part
    usual = sum(answers) / (sum(waited) or 1)
    rates = [
        (answered + USUAL_HOURS * usual) / (waited + USUAL_HOURS)
        for answered, waited in zip(_smooth(answers), _smooth(waited), strict=True)
    ]
    return tuple(total / sum(rates) for total in accumulate(rates))


def _hours_between(start: datetime, end: datetime) -> Iterator[tuple[int, float]]:
    """Yield hours of the day between two local times, and how much of each is between them.

    >>> [*_hours_between(datetime(2024, 1, 1, 22, 30), datetime(2024, 1, 2, 0, 15))]
    [(22, 0.5), (23, 1.0), (0, 0.25)]
    """
    while start < end:
        next_hour = start.replace(minute=0, second=0, microsecond=0) + ONE_HOUR
        yield start.hour, (min(next_hour, end) - start) / ONE_HOUR
        start = next_hour


def _smooth(hours: Sequence[float]) -> list[float]:
    """Return what each hour of the day has when half of it is shared with the hours beside it."""
    return [(hours[hour - 1] + 2 * hours[hour] + hours[(hour + 1) % HOURS]) / 4 for hour in range(HOURS)]


def _quantile(instants: Sequence[datetime], share: float) -> datetime:
    """Return the instant before which this share of equally likely instants is (Hyndman and Fan, type 5)."""
    ordered = sorted(instants)
    rank = min(max(share * len(ordered) - 0.5, 0), len(ordered) - 1)
    low = int(rank)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (rank - low) * (ordered[high] - ordered[low])
