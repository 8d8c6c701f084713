"""Properties of counted time and deadlines, for all calendars, zones and instants."""

from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from hypothesis import given, settings
from hypothesis import strategies as st

from games.clocks import (
    PACES,
    Calendar,
    Clock,
    Hours,
    Pace,
    RunningClocks,
    Sleep,
    Turn,
    Vacation,
    counted,
    deadline,
    local_day,
    midnight,
)
from tests.clocks.strategies import (
    allowances,
    calendars,
    hours,
    instants,
    sleeps,
    steady_zones,
    vacations,
    zones,
)

NO_TIME = timedelta(0)
MINUTE = timedelta(minutes=1)
thirty_examples = settings(max_examples=35, deadline=None)


@thirty_examples
@given(calendar=calendars(), three=st.lists(instants(), min_size=3, max_size=3))
def test_counted_time_is_additive(calendar: Calendar, three: list[datetime]) -> None:
    start, between, end = sorted(three)

    whole = counted(calendar, start, end)

    assert whole == counted(calendar, start, between) + counted(calendar, between, end)
    assert NO_TIME <= whole <= end - start


def is_paused(calendar: Calendar, instant: datetime) -> bool:
    """Return whether an instant is in a pause, by what local clocks show."""
    hours = calendar.hours_at(instant)
    local = instant.astimezone(hours.zone)
    sleep = hours.sleep
    is_night = sleep is not None and (
        sleep.start <= local.time() < sleep.end
        if sleep.start < sleep.end
        else not sleep.end <= local.time() < sleep.start
    )
    is_vacation = any(vacation.start <= instant < vacation.end for vacation in calendar.vacations)
    return is_night or local.weekday() == hours.day_off or is_vacation


@settings(max_examples=15, deadline=None)
@given(calendar=calendars(steady_zones), start=instants(), minutes=st.integers(0, 4000))
def test_counted_time_equals_a_count_of_minutes(calendar: Calendar, start: datetime, minutes: int) -> None:
    whole = [
        replace(vacation, start=vacation.start.replace(second=0, microsecond=0))
        for vacation in calendar.vacations
    ]
    changes = tuple(
        change._replace(start=change.start.replace(second=0, microsecond=0)) for change in calendar.changes
    )
    calendar = replace(calendar, vacations=tuple(whole), changes=changes)
    start = start.replace(second=0, microsecond=0)

    of_minutes = sum(not is_paused(calendar, start + minute * MINUTE) for minute in range(minutes))

    assert counted(calendar, start, start + minutes * MINUTE) == of_minutes * MINUTE


@thirty_examples
@given(calendar=calendars(), start=instants(), allowance=allowances, part=st.floats(0, 1, exclude_max=True))
def test_the_deadline_is_the_first_instant_at_which_the_allowance_is_used_up_while_time_counts(
    calendar: Calendar, start: datetime, allowance: timedelta, part: float
) -> None:
    end = deadline(calendar, start, allowance)

    assert counted(calendar, start, end) == allowance
    assert calendar.pause_at(end) is None
    earlier = {start + part * (end - start), end - timedelta.resolution}
    earlier |= {instant for pause in calendar.pauses(start, end) for instant in (pause.start, pause.end)}
    for instant in earlier:
        if start <= instant < end:
            assert counted(calendar, start, instant) < allowance or calendar.pause_at(instant)


@thirty_examples
@given(
    calendar=calendars(),
    start=instants(),
    allowance=allowances,
    vacation=vacations(zones),
    sleep=sleeps(),
    day_off=st.integers(0, 6),
)
def test_a_deadline_never_moves_earlier_when_a_pause_is_added(
    calendar: Calendar, start: datetime, allowance: timedelta, vacation: Vacation, sleep: Sleep, day_off: int
) -> None:
    at = deadline(calendar, start, allowance)

    def with_more(hours: Hours) -> Hours:
        return replace(
            hours,
            sleep=hours.sleep or sleep,
            day_off=day_off if hours.day_off is None else hours.day_off,
        )

    more_hours = replace(
        calendar,
        hours=with_more(calendar.hours),
        changes=tuple(change._replace(hours=with_more(change.hours)) for change in calendar.changes),
    )
    more_vacation = replace(calendar, vacations=(*calendar.vacations, vacation))
    assert deadline(more_hours, start, allowance) >= at
    assert deadline(more_vacation, start, allowance) >= at
    assert deadline(calendar, start, allowance + MINUTE) >= at + MINUTE


@thirty_examples
@given(
    calendar=calendars(),
    pace=st.sampled_from([*PACES.values()]),
    start=instants(),
    share=st.floats(0, 2),
    part=st.floats(0, 1, exclude_max=True),
)
def test_spent_and_left_are_the_bank_and_the_deadline_stays(
    calendar: Calendar, pace: Pace, start: datetime, share: float, part: float
) -> None:
    clock = Clock(pace, calendar)
    bank = share * pace.bank
    end = clock.deadline(bank, start)
    now = start + part * (end - start)

    left = clock.left(bank, start, now)

    assert counted(clock.counted_calendar, start, now) + left == bank
    assert clock.deadline(left, now) == end
    assert clock.left(bank, start, end) == NO_TIME
    assert clock.deadline_after_vacation(bank, start) >= end


@thirty_examples
@given(calendar=calendars(), pace=st.sampled_from([*PACES.values()]), ends=st.lists(instants(), max_size=8))
def test_a_bank_has_an_increment_and_never_more_than_twice_its_start(
    calendar: Calendar, pace: Pace, ends: list[datetime]
) -> None:
    turns = [Turn(*turn) for turn in pairwise(sorted(ends))]
    clock = Clock(pace, calendar)

    banks = [clock.bank_after(turns[:count]) for count in range(len(turns) + 1)]

    assert banks[0] == pace.bank
    for turn, (before, after) in zip(turns, pairwise(banks), strict=True):
        assert after == min(clock.left(before, *turn) + pace.increment, 2 * pace.bank)
        assert pace.increment <= after <= 2 * pace.bank


@thirty_examples
@given(calendar=calendars(), two=st.lists(instants(), min_size=2, max_size=2))
def test_pauses_are_in_order_apart_and_within_the_span(calendar: Calendar, two: list[datetime]) -> None:
    start, end = sorted(two)

    pauses = [*calendar.pauses(start, end)]

    assert all(start <= pause.start < pause.end <= end for pause in pauses)
    assert all(before.end < after.start for before, after in pairwise(pauses))
    for pause in pauses:
        at_start = calendar.pause_at(pause.start)
        assert at_start is not None
        assert min(at_start.end, end) == pause.end


@thirty_examples
@given(calendar=calendars(), new_hours=hours(zones), now=instants(), before=instants(), allowance=allowances)
def test_new_hours_apply_from_now_on_only(
    calendar: Calendar, new_hours: Hours, now: datetime, before: datetime, allowance: timedelta
) -> None:
    changed = calendar.with_hours(new_hours, now)

    assert counted(changed, before, now) == counted(calendar, before, now)
    assert [*changed.pauses(min(before, now), now)] == [*calendar.pauses(min(before, now), now)]
    assert changed.hours_at(max(now, changed.changes[-1].start)) == new_hours
    if (at := deadline(calendar, before, allowance)) < now:
        assert deadline(changed, before, allowance) == at


@settings(max_examples=10, deadline=None)
@given(
    start=instants(),
    choices=st.lists(st.tuples(st.integers(1, 40), hours(zones)), min_size=1, max_size=100),
    every_day=st.booleans(),
)
def test_nobody_pauses_for_ever_by_changing_their_hours(
    start: datetime, choices: list[tuple[int, Hours]], every_day: bool
) -> None:
    calendar = Calendar(choices[0][1])
    now = start
    for wait, chosen in choices:
        now += timedelta(hours=24 if every_day else wait)
        calendar = calendar.with_hours(chosen, now)

    assert all(
        after.start - before.start >= timedelta(days=7) for before, after in pairwise(calendar.changes)
    )
    assert deadline(calendar, start, timedelta(days=14)) <= start + timedelta(days=7 * 6)


@thirty_examples
@given(zone=zones, instant=instants())
def test_each_instant_is_in_one_local_day(zone: ZoneInfo, instant: datetime) -> None:
    day = local_day(instant, zone)

    assert midnight(day, zone) <= instant < midnight(day + timedelta(days=1), zone)
    assert local_day(midnight(day, zone), zone) == day


@thirty_examples
@given(
    pace=st.sampled_from([*PACES.values()]),
    several=st.lists(calendars(), min_size=3, max_size=3),
    moments=st.lists(instants(), min_size=1, max_size=8),
    data=st.data(),
)
def test_each_of_several_clocks_runs_as_if_it_were_alone(
    pace: Pace, several: list[Calendar], moments: list[datetime], data: st.DataObject
) -> None:
    seats = range(len(several))
    clocks = {seat: Clock(pace, calendar) for seat, calendar in enumerate(several)}
    together = RunningClocks(clocks, dict.fromkeys(seats, pace.bank))
    alone = {seat: RunningClocks(clocks, {seat: pace.bank}) for seat in seats}

    for now in sorted(moments):
        running = data.draw(st.sets(st.sampled_from(seats)))
        begun = data.draw(st.sets(st.sampled_from(seats)))
        together.run(running, now, begun)
        for seat in seats:
            alone[seat].run(running & {seat}, now, begun)

    assert together.banks == {seat: alone[seat].banks[seat] for seat in seats}
    assert together.deadlines == {seat: at for one in alone.values() for seat, at in one.deadlines.items()}
