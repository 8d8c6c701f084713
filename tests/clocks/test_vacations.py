"""Vacations: planned, ended early, and started instead of losing on time."""

from dataclasses import replace
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.clocks import (
    VACATION_DAYS,
    BadVacation,
    Calendar,
    Hours,
    NotEnoughVacation,
    Sleep,
    Vacation,
    counted,
    deadline,
    deadline_after_vacation,
    local_day,
    midnight,
)
from tests.clocks.strategies import hours, instants, zones

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
BERLIN = ZoneInfo("Europe/Berlin")
CALENDAR = Calendar(Hours(BERLIN, Sleep(time(23), time(7))))
NOON = datetime(2024, 2, 27, 12, tzinfo=BERLIN)


def with_vacations(calendar: Calendar, *vacations: Vacation) -> Calendar:
    return replace(calendar, vacations=(*calendar.vacations, *vacations))


def test_a_vacation_from_today_on_starts_now_and_uses_up_today() -> None:
    vacation = CALENDAR.plan_vacation(date(2024, 2, 1), date(2024, 3, 1), NOON)

    assert vacation.start == NOON
    assert vacation.end == midnight(date(2024, 3, 2), BERLIN)
    assert len(vacation.days) == 4  # with the leap day
    assert with_vacations(CALENDAR, vacation).vacation_days(2024) == 4


def test_a_vacation_over_new_year_uses_days_of_both_years() -> None:
    now = datetime(2024, 12, 12, 12, tzinfo=BERLIN)

    vacation = CALENDAR.plan_vacation(date(2024, 12, 12), date(2025, 1, 20), now)

    calendar = with_vacations(CALENDAR, vacation)
    assert (calendar.vacation_days(2024), calendar.vacation_days(2025)) == (20, 20)


@pytest.mark.parametrize(
    ("first", "last", "error"),
    [
        (date(2024, 3, 1), date(2024, 3, 21), NotEnoughVacation),  # 21 days
        (date(2024, 12, 11), date(2025, 1, 1), NotEnoughVacation),  # 21 of them in 2024
        (date(2024, 3, 1), date.max, NotEnoughVacation),
        (date(2024, 3, 2), date(2024, 3, 1), BadVacation),
        (date(2024, 2, 1), date(2024, 2, 26), BadVacation),  # yesterday
    ],
)
def test_impossible_vacations_are_refused(first: date, last: date, error: type[Exception]) -> None:
    with pytest.raises(error):
        CALENDAR.plan_vacation(first, last, NOON)


def test_a_day_of_two_vacations_is_used_once() -> None:
    first = CALENDAR.plan_vacation(date(2024, 3, 1), date(2024, 3, 15), NOON)
    calendar = with_vacations(CALENDAR, first)

    second = calendar.plan_vacation(date(2024, 3, 10), date(2024, 3, 20), NOON)

    assert with_vacations(calendar, second).vacation_days(2024) == 20


def test_a_vacation_that_ends_early_uses_the_days_until_then() -> None:
    vacation = CALENDAR.plan_vacation(date(2024, 2, 28), date(2024, 3, 8), NOON)

    assert vacation.ended(NOON).days == ()
    assert vacation.ended(NOON + 2 * DAY).days == (date(2024, 2, 28), date(2024, 2, 29))
    assert vacation.ended(NOON + 90 * DAY) == vacation


def test_a_vacation_day_starts_by_itself_at_the_deadline_and_lasts_until_the_night_is_over() -> None:
    calendar = replace(CALENDAR, automatic_vacation=True)
    at = deadline(calendar, NOON, 3 * HOUR)

    vacation = calendar.vacation_instead_of_losing(at)

    assert vacation is not None
    assert (vacation.start, vacation.end) == (NOON + 3 * HOUR, midnight(date(2024, 2, 28), BERLIN))
    later = with_vacations(calendar, vacation)
    assert deadline(later, NOON, 3 * HOUR) == datetime(2024, 2, 28, 7, tzinfo=BERLIN)
    # 20 days: from 27 February until 17 March.
    assert deadline_after_vacation(calendar, NOON, 3 * HOUR) == datetime(2024, 3, 18, 7, tzinfo=BERLIN)


def test_no_vacation_starts_by_itself_for_those_who_do_not_want_it_or_have_no_days_left() -> None:
    used_up = CALENDAR.plan_vacation(date(2024, 3, 1), date(2024, 3, 20), NOON)
    without_days = with_vacations(replace(CALENDAR, automatic_vacation=True), used_up)

    assert CALENDAR.vacation_instead_of_losing(NOON) is None
    assert without_days.vacation_instead_of_losing(NOON) is None
    assert deadline_after_vacation(CALENDAR, NOON, HOUR) == NOON + HOUR
    assert deadline_after_vacation(without_days, NOON, HOUR) == NOON + HOUR


@settings(max_examples=20, deadline=None)
@given(
    hours=hours(zones),
    now=instants(),
    plans=st.lists(st.tuples(st.integers(0, 300), st.integers(0, 25), st.sampled_from("pae")), max_size=12),
)
def test_vacations_never_use_more_than_the_days_of_a_year_and_never_change_the_past(
    hours: Hours, now: datetime, plans: list[tuple[int, int, str]]
) -> None:
    calendar, start = Calendar(hours, automatic_vacation=True), now
    for wait, length, what in plans:
        now += wait * HOUR
        before = counted(calendar, start, now)
        today = local_day(now, hours.zone)
        if what == "p":
            try:
                new = calendar.plan_vacation(today + length // 2 * DAY, today + length * DAY, now)
            except NotEnoughVacation:
                continue
            calendar = with_vacations(calendar, new)
        elif what == "a" and (automatic := calendar.vacation_instead_of_losing(now)):
            calendar = with_vacations(calendar, automatic)
        elif what == "e":
            calendar = replace(
                calendar, vacations=tuple(vacation.ended(now) for vacation in calendar.vacations)
            )
        assert counted(calendar, start, now) == before
        assert all(calendar.vacation_days(year) <= VACATION_DAYS for year in range(2010, 2027))
    end = deadline_after_vacation(calendar, start, timedelta(days=14))
    assert calendar.pause_at(end) is None
    assert end <= max(now, start) + timedelta(days=14 * 4 + 4 * VACATION_DAYS)
