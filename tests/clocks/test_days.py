"""Nights, days off and paces on single days whose clocks or dates are special."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from games.clocks import (
    NO_PAUSES,
    PACES,
    BadHours,
    Calendar,
    Clock,
    Hours,
    Kind,
    Sleep,
    Turn,
    UnknownZone,
    Vacation,
    counted,
    deadline,
    local_day,
    midnight,
    zone_named,
)

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
BERLIN = ZoneInfo("Europe/Berlin")
NIGHT = Sleep(time(23), time(7))


def local(zone: ZoneInfo, *parts: int) -> datetime:
    return datetime(*parts, tzinfo=zone)


@pytest.mark.parametrize(
    ("zone", "day", "hours_of_night"),
    [
        ("Europe/Berlin", date(2024, 6, 1), 8),
        ("Europe/Berlin", date(2024, 3, 30), 7),
        ("Europe/Berlin", date(2024, 10, 26), 9),
        ("Australia/Lord_Howe", date(2024, 4, 6), 8.5),
        ("Australia/Lord_Howe", date(2024, 10, 5), 7.5),
        ("Antarctica/Troll", date(2024, 3, 30), 6),
        ("Pacific/Apia", date(2011, 12, 29), 8),
        ("UTC", date(2024, 2, 28), 8),
    ],
)
def test_a_night_lasts_until_local_clocks_show_its_end(zone: str, day: date, hours_of_night: float) -> None:
    calendar = Calendar(Hours(ZoneInfo(zone), NIGHT))
    evening = datetime.combine(day, time(22), ZoneInfo(zone))

    asleep = calendar.pause_at(evening + HOUR)

    assert calendar.pause_at(evening) is None
    assert asleep is not None
    assert asleep.kinds == (Kind.SLEEP,)
    assert asleep.end - asleep.start == hours_of_night * HOUR
    assert asleep.end.astimezone(ZoneInfo(zone)).time() == time(7)
    assert deadline(calendar, evening, 2 * HOUR) == asleep.end + HOUR


@pytest.mark.parametrize(
    ("zone", "day", "hours_of_day"),
    [
        ("Europe/Berlin", date(2024, 3, 31), 23),
        ("Europe/Berlin", date(2024, 10, 27), 25),
        ("Australia/Lord_Howe", date(2024, 4, 7), 24.5),
        ("America/Sao_Paulo", date(2018, 11, 4), 23),
        ("America/Havana", date(2024, 11, 3), 25),
        ("UTC", date(2024, 2, 29), 24),
    ],
)
def test_a_day_off_is_the_whole_local_day(zone: str, day: date, hours_of_day: float) -> None:
    calendar = Calendar(Hours(ZoneInfo(zone), day_off=day.weekday()))
    start = midnight(day, ZoneInfo(zone))

    [pause] = calendar.pauses(start - DAY, start + 2 * DAY)

    assert pause == (start, start + hours_of_day * HOUR, (Kind.DAY_OFF,))


def test_a_day_that_the_zone_skips_is_no_day_off_and_no_vacation_day() -> None:
    apia = ZoneInfo("Pacific/Apia")
    start, end = local(apia, 2011, 12, 29, 12), local(apia, 2011, 12, 31, 12)
    calendar = Calendar(Hours(apia, day_off=date(2011, 12, 30).weekday()))

    assert counted(calendar, start, end) == DAY
    assert Vacation(start, end, apia).days == (date(2011, 12, 29), date(2011, 12, 31))


def test_a_night_goes_on_after_a_date_that_the_zone_skips() -> None:
    apia = ZoneInfo("Pacific/Apia")

    asleep = Calendar(Hours(apia, NIGHT)).pause_at(local(apia, 2011, 12, 31, 1))

    assert asleep is not None
    assert asleep.end == local(apia, 2011, 12, 31, 7)


def test_pauses_that_touch_are_one() -> None:
    saturday, monday, tuesday = (midnight(date(2024, 6, day), BERLIN) for day in (8, 10, 11))
    calendar = Calendar(Hours(BERLIN, day_off=0), vacations=(Vacation(saturday, monday, BERLIN),))

    assert calendar.pause_at(saturday) == (saturday, tuesday, (Kind.VACATION, Kind.DAY_OFF))


def test_nights_within_a_day_off_within_a_vacation_count_once() -> None:
    friday, tuesday = local(BERLIN, 2024, 6, 7, 20), midnight(date(2024, 6, 11), BERLIN)
    calendar = Calendar(Hours(BERLIN, NIGHT, day_off=6), vacations=(Vacation(friday, tuesday, BERLIN),))

    [pause] = calendar.pauses(friday - 10 * HOUR, friday + 4 * DAY - 8 * HOUR)

    # The vacation ends at midnight, in a night.
    assert pause.end == local(BERLIN, 2024, 6, 11, 7)
    assert pause.kinds == (Kind.VACATION, Kind.SLEEP, Kind.DAY_OFF)
    assert deadline(calendar, friday - HOUR, 2 * HOUR) == local(BERLIN, 2024, 6, 11, 8)


def test_an_allowance_that_is_used_up_at_bedtime_lasts_until_the_morning() -> None:
    calendar = Calendar(Hours(BERLIN, NIGHT))
    evening, morning = local(BERLIN, 2024, 6, 1, 22), local(BERLIN, 2024, 6, 2, 7)

    assert deadline(calendar, evening, HOUR) == morning
    assert deadline(calendar, evening, HOUR - timedelta.resolution) == evening + HOUR - timedelta.resolution


def test_a_person_who_moves_sleeps_in_their_new_zone_from_then_on() -> None:
    tokyo = ZoneInfo("Asia/Tokyo")
    evening = local(BERLIN, 2024, 6, 1, 22)

    moved = Calendar(Hours(BERLIN, NIGHT)).with_hours(Hours(tokyo, NIGHT), evening + 2 * HOUR)

    # Asleep in Berlin from 23:00 to 24:00, which is 7:00 in Tokyo, and in Tokyo 16 hours later.
    assert [(pause.start, pause.end) for pause in moved.pauses(evening, evening + DAY)] == [
        (evening + HOUR, evening + 2 * HOUR),
        (evening + 18 * HOUR, evening + DAY),
    ]


def test_a_second_change_within_a_week_waits_and_is_replaced_by_a_third() -> None:
    now = datetime(2024, 6, 1, tzinfo=UTC)
    first, second, third = (Hours(BERLIN, day_off=day) for day in range(3))

    calendar = Calendar(Hours(BERLIN)).with_hours(first, now)
    calendar = calendar.with_hours(second, now + DAY).with_hours(third, now + 2 * DAY)

    assert calendar.changes == ((now, first), (now + 7 * DAY, third))


@pytest.mark.parametrize(
    ("pace", "minutes", "banks"),
    [
        ("live", [1, 0, 12, 1], [9.5, 10, 0.5, 0.5]),
        ("live3", [1, 0.5, 4, 0.05], [2 + 5 / 60, 1 + 40 / 60, 5 / 60, 7 / 60]),
        ("day", [6 * 60, 0, 0], [30 * 60, 42 * 60, 48 * 60]),
        ("slow", [8 * 1440], [2 * 1440]),
    ],
)
def test_a_turn_costs_its_time_and_brings_the_increment(
    pace: str, minutes: list[float], banks: list[float]
) -> None:
    now = datetime(2024, 6, 1, tzinfo=UTC)
    clock = Clock(PACES[pace], NO_PAUSES)
    turns = [Turn(now, now + timedelta(minutes=each)) for each in minutes]

    after = [clock.bank_after(turns[:count]) / timedelta(minutes=1) for count in range(1, len(turns) + 1)]

    assert after == pytest.approx(banks)


@pytest.mark.parametrize("pace", ["live", "live5", "live3"])
def test_in_live_games_all_time_counts(pace: str) -> None:
    night = local(BERLIN, 2024, 6, 2, 1)
    calendar = Calendar(Hours(BERLIN, NIGHT), automatic_vacation=True)
    live, day = (Clock(PACES[name], calendar) for name in (pace, "day"))

    assert live.deadline(10 * HOUR, night) == night + 10 * HOUR
    assert live.deadline_after_vacation(10 * HOUR, night) == night + 10 * HOUR
    assert day.deadline(10 * HOUR, night) == local(BERLIN, 2024, 6, 2, 17)
    assert day.deadline_after_vacation(10 * HOUR, night) > night + 20 * DAY


def test_midnight_is_the_first_of_two() -> None:
    havana = ZoneInfo("America/Havana")
    second = midnight(date(2024, 11, 3), havana) + HOUR

    assert second.astimezone(havana).time() == time(0)
    assert local_day(second, havana) == date(2024, 11, 3)


def test_a_day_whose_midnight_is_skipped_starts_when_it_would_have_been() -> None:
    toronto = ZoneInfo("America/Toronto")
    half_past_midnight = local(toronto, 1919, 3, 31, 0, 30)  # the first time after 23:30

    assert local_day(half_past_midnight.astimezone(UTC), toronto) == date(1919, 3, 30)
    assert midnight(date(1919, 3, 31), toronto) == local(toronto, 1919, 3, 31, 1)


@pytest.mark.parametrize(
    ("start", "end"), [(time(7), time(7)), (time(20), time(6, 1)), (time(1, tzinfo=UTC), time(2, tzinfo=UTC))]
)
def test_impossible_nights_are_refused(start: time, end: time) -> None:
    with pytest.raises(BadHours):
        Sleep(start, end)


@pytest.mark.parametrize("day_off", [-1, 7])
def test_impossible_days_off_are_refused(day_off: int) -> None:
    with pytest.raises(BadHours):
        Hours(BERLIN, day_off=day_off)


@pytest.mark.parametrize("name", ["", "Europe", "Europe/Atlantis", "../../etc/passwd", "x" * 5000, "a\0b"])
def test_unknown_zones_are_refused(name: str) -> None:
    with pytest.raises(UnknownZone):
        zone_named(name)


def test_instants_without_a_zone_are_refused() -> None:
    with pytest.raises(ValueError, match="An instant needs a time zone"):
        counted(NO_PAUSES, datetime(2024, 1, 1), datetime(2024, 1, 2, tzinfo=UTC))
