"""Estimates of answers, for persons with known habits."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

import pytest

from games.clocks import Estimate, Habits, Turn, estimate

BERLIN = ZoneInfo("Europe/Berlin")
MINUTE = timedelta(minutes=1)
HALF_HOUR = timedelta(minutes=30)
HOUR = timedelta(hours=1)
NOON = datetime(2024, 6, 3, 10, tzinfo=UTC)
Person = Callable[[Random, datetime], datetime]


def local_hour(instant: datetime) -> int:
    return instant.astimezone(BERLIN).hour


def all_day(random: Random, asked: datetime) -> datetime:
    """Answer at any time between 8 and 23 o'clock, after two hours on average."""
    while not 8 <= local_hour(asked) < 23 or random.random() > 1 / 4:
        asked += HALF_HOUR
    return asked + random.random() * HALF_HOUR


def late(random: Random, asked: datetime) -> datetime:
    """Answer at any time between 21 and 2 o'clock, not on every night."""
    while 2 <= local_hour(asked) < 21 or random.random() > 1 / 6:
        asked += HALF_HOUR
    return asked + random.random() * HALF_HOUR


def quick_or_slow(random: Random, asked: datetime) -> datetime:
    """Answer within minutes in half of all cases, or as `all_day`."""
    if 8 <= local_hour(asked) < 23 and random.random() < 0.5:
        return asked + (1 + 14 * random.random()) * MINUTE
    return all_day(random, asked)


def history(person: Person, random: Random, count: int) -> tuple[list[Turn], datetime]:
    """Return past turns of a person, and when they are asked again."""
    now, turns = NOON + random.random() * 30 * 24 * HOUR, []
    for _ in range(count):
        turns.append(Turn(now, person(random, now)))
        now = turns[-1].end + random.expovariate(1 / 10) * HOUR
    return turns, now


@pytest.mark.parametrize("person", [all_day, late, quick_or_slow])
@pytest.mark.parametrize("waited", [timedelta(0), 3 * HOUR])
def test_eight_of_ten_answers_are_within_the_estimate(person: Person, waited: timedelta) -> None:
    random = Random(1)
    within, before_middle = [], []
    for _ in range(100):
        turns, asked = history(person, random, 40)
        answered = person(random, asked)
        guess = estimate([Habits.of(turns, BERLIN)], asked, asked + waited)
        if answered > asked + waited and guess:
            within.append(guess.start <= answered <= guess.end)
            before_middle.append(answered <= guess.middle)

    assert len(within) > 20
    assert is_fair(within, 0.8)
    assert is_fair(before_middle, 0.5)


def is_fair(hits: list[bool], share: float) -> bool:
    """Return whether this share of cases is true, give or take three standard deviations."""
    deviation = (share * (1 - share) / len(hits)) ** 0.5
    return abs(sum(hits) / len(hits) - share) < 3 * deviation


def test_two_persons_in_a_row_answer_later_than_the_first_alone() -> None:
    random = Random(1)
    within = []
    for _ in range(80):
        (first, _), (second, asked) = history(all_day, random, 40), history(late, random, 40)
        people = [Habits.of(first, BERLIN), Habits.of(second, BERLIN)]
        both, alone = estimate(people, asked, asked), estimate(people[:1], asked, asked)
        assert both
        assert alone
        assert alone.middle < both.middle
        within.append(both.start <= late(random, all_day(random, asked)) <= both.end)

    assert is_fair(within, 0.8)


def test_somebody_who_is_asked_at_night_answers_in_the_day() -> None:
    turns, _ = history(all_day, Random(1), 60)
    midnight = datetime(2024, 9, 1, 0, tzinfo=BERLIN)

    guess = estimate([Habits.of(turns, BERLIN)], midnight, midnight)

    assert guess is not None
    assert 6 <= local_hour(guess.start) <= 9
    assert guess.start <= guess.middle <= guess.end <= midnight + 24 * HOUR


def test_an_estimate_needs_nineteen_answers_of_each_person() -> None:
    turns, asked = history(all_day, Random(1), 19)
    enough, too_few = Habits.of(turns, BERLIN), Habits.of(turns[1:], BERLIN)

    assert too_few is None
    assert isinstance(estimate([enough], asked, asked), Estimate)
    assert estimate([enough, too_few], asked, asked) is None


def test_there_is_no_estimate_for_somebody_who_has_hardly_ever_waited_so_long() -> None:
    turns, asked = history(all_day, Random(1), 60)
    habits = Habits.of(turns, BERLIN)

    assert estimate([habits], asked, asked + HOUR)
    assert estimate([habits], asked, asked + 40 * HOUR) is None


def test_only_the_latest_answers_count() -> None:
    new, _ = history(quick_or_slow, Random(1), 60)
    old = [Turn(turn.start - 2000 * HOUR, turn.end - 1900 * HOUR) for turn in new]

    assert Habits.of([*old, *new], BERLIN) == Habits.of(new, BERLIN)
    assert Habits.of(old + new[1:], BERLIN) != Habits.of(new, BERLIN)


def test_no_estimate_is_in_the_past() -> None:
    turns, asked = history(quick_or_slow, Random(1), 60)

    guess = estimate([Habits.of(turns, BERLIN)], asked, asked + 20 * MINUTE)

    assert guess is not None
    assert guess.start >= asked + 20 * MINUTE
