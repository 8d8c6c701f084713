"""Reliability: which games count, who has finished them, and how long answers took in counted time."""

import uuid
from datetime import UTC, datetime, time, timedelta
from importlib import import_module
from io import StringIO
from zoneinfo import ZoneInfo

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from accounts.models import User
from games.clocks import GAMES_COUNTED, Hours, Reliability, Sleep
from games.models import Attendance, Game, Outage, reliabilities_of
from games.novaluna.engine import Resign
from games.services import calendars, seat_changes, tables, votes
from games.services.play import play
from games.services.seat_changes import time_out
from tests.frozen import FrozenClock
from tests.play import cancel_game, fresh, game_of, mover, person, play_one, play_out, solo_of

pytestmark = [pytest.mark.django_db, pytest.mark.databases]


def paced_game(*users: User, caretaker: str = "easy", pace: str = "day") -> Game:
    opener, *others = users
    game = tables.open_table(
        opener, tables.TableOptions(len(users), is_public=True, pace=pace, caretaker=caretaker)
    )
    for user in others:
        tables.join(game.key, user)
    return fresh(game)


def resign(game: Game, user: User) -> None:
    play(game.key, user, Resign(0), fresh(game).version + 1, uuid.uuid4())


def finished(game: Game) -> dict[str, bool]:
    return dict(Attendance.objects.filter(game=game).values_list("user__username", "has_finished"))


def check_projections() -> tuple[bool, str]:
    out = StringIO()
    try:
        call_command("rebuild_games", "--check", stdout=out)
    except SystemExit:
        return False, out.getvalue()
    return True, out.getvalue()


def test_everybody_who_plays_to_the_end_has_finished_and_a_running_game_has_no_rows() -> None:
    running = game_of(person("Ines"), person("Tobias"))
    play_one(running)
    assert finished(running) == {}
    assert finished(play_out(running)) == {"Ines": True, "Tobias": True}
    assert check_projections()[0]


def test_games_of_one_person_and_cancelled_games_do_not_count() -> None:
    ines, tobias = person("Ines"), person("Tobias")
    with_bot, solo, cancelled = game_of(ines, bots=("easy",)), solo_of(ines), game_of(ines, tobias)
    resign(with_bot, ines)
    resign(solo, ines)
    cancel_game(cancelled)
    assert all(fresh(game).is_over for game in (with_bot, solo, cancelled))
    assert not Attendance.objects.exists()
    assert check_projections()[0]


def test_the_last_one_to_resign_has_finished_and_an_earlier_one_has_not() -> None:
    game = game_of(person("Ines"), person("Tobias"), person("Noor"))
    ines, tobias = User.objects.get(username="Ines"), User.objects.get(username="Tobias")
    resign(game, ines)
    resign(game, tobias)
    assert finished(game) == {"Ines": False, "Tobias": True, "Noor": True}
    assert check_projections()[0]


def test_a_seat_that_is_out_of_time_is_not_finished(clock: FrozenClock) -> None:
    game = paced_game(person("Ines"), person("Tobias"), caretaker="")
    late = mover(game)
    clock.move_on(days=1)
    time_out(game.pk)
    assert {name for name, done in finished(game).items() if not done} == {late.username}
    assert check_projections()[0]


def lose_live_game(clock: FrozenClock, first_turn: timedelta, *, outage: timedelta = timedelta(0)) -> bool:
    """Play a live game whose first player takes so long for a turn and then loses on time.

    Return whether they have finished it.
    """
    game = paced_game(person("Ines"), person("Tobias"), caretaker="", pace="live3")
    late = mover(game)
    clock.now += first_turn
    while mover(game) == late:
        play_one(game)
    while mover(game) != late:
        play_one(game)
    if outage:
        Outage.objects.create(started_at=clock.now, ended_at=clock.now + outage, given_to=None)
    deadline = fresh(game).deadline
    assert deadline is not None
    clock.move_on(seconds=(deadline - clock.now + outage).total_seconds())
    time_out(game.pk)
    assert fresh(game).is_over
    found = finished(game)
    is_finished = found.pop(late.username)
    assert list(found.values()) == [True]
    Attendance.objects.filter(game=game, user=late).update(has_finished=False)
    migration = import_module("games.migrations.0092_live_games_lost_on_time_are_finished")
    migration.count_as_finished(apps, connection.schema_editor())
    assert finished(game)[late.username] is is_finished, "rows of the release before get the same value"
    assert check_projections()[0]
    return is_finished


@pytest.mark.parametrize(("first_turn", "is_finished"), [(100, True), (40, False)])
def test_who_loses_a_live_game_on_time_has_finished_it_unless_they_were_away(
    clock: FrozenClock, first_turn: int, is_finished: bool
) -> None:
    assert lose_live_game(clock, timedelta(seconds=first_turn)) is is_finished


def test_who_never_acts_in_a_live_game_has_left_it(clock: FrozenClock) -> None:
    game = paced_game(person("Ines"), person("Tobias"), caretaker="", pace="live3")
    late = mover(game)
    clock.move_on(seconds=195)
    time_out(game.pk)
    assert {name for name, done in finished(game).items() if not done} == {late.username}
    assert check_projections()[0]


def test_an_outage_makes_nobody_absent_from_a_live_game(clock: FrozenClock) -> None:
    assert lose_live_game(clock, timedelta(seconds=100), outage=timedelta(minutes=5))


@pytest.mark.parametrize("is_back", [False, True])
def test_a_person_whose_seat_a_bot_plays_at_the_end_has_finished_only_if_they_came_back(
    clock: FrozenClock, is_back: bool
) -> None:
    game = paced_game(person("Ines"), person("Tobias"))
    late = mover(game)
    other = User.objects.exclude(pk=late.pk).get()
    clock.move_on(days=1)
    time_out(game.pk)
    if is_back:
        seat_changes.take_back(game.key, late)
    resign(game, other)
    assert finished(game) == {late.username: is_back, other.username: True}
    assert check_projections()[0]


@pytest.mark.parametrize("purpose", ["bot", "out", "cancel"])
def test_a_player_whom_the_others_called_has_not_finished(clock: FrozenClock, purpose: str) -> None:
    game = game_of(person("Ines"), person("Tobias"), person("Noor"), is_public=False)
    absent = mover(game)
    others = User.objects.exclude(pk=absent.pk)
    clock.move_on(days=14)
    for user in others:
        votes.start(game.key, user, purpose)
    for user in others:
        if not fresh(game).is_over:
            resign(game, user)
    found = finished(game)
    assert found.pop(absent.username) is False
    assert any(found.values()) is (purpose != "cancel"), "the others lose nothing by a cancelled game"
    assert check_projections()[0]


def test_answers_are_turns_in_counted_time(clock: FrozenClock) -> None:
    ines, tobias = person("Ines"), person("Tobias")
    game = paced_game(ines, tobias, pace="slow")
    first = mover(game)
    second = tobias if first == ines else ines
    # Noon to noon, without the night of ten hours.
    calendars.choose_hours(first, Hours(ZoneInfo("UTC"), Sleep(time(22), time(8))))
    clock.move_on(days=1)
    while mover(game) == first:
        play_one(game)
    # A vacation of three days, and one hour.
    today = clock.now.date()
    calendars.plan_vacation(second, today, today + timedelta(days=2))
    clock.now = clock.now.replace(hour=1) + timedelta(days=3)
    while mover(game) == second:
        play_one(game)
    resign(game, ines)
    answers = dict(Attendance.objects.values_list("user", "answers"))
    # Several turns in a row are one answer, and to resign is none.
    assert answers == {first.pk: [14 * 3600], second.pk: [3600]}
    assert check_projections()[0]


def test_a_wrong_row_and_a_missing_row_are_reported_and_rebuilt() -> None:
    game = game_of(person("Ines"), person("Tobias"))
    resign(game, mover(game))
    Attendance.objects.filter(user__username="Ines").update(has_finished=False)
    Attendance.objects.filter(user__username="Tobias").delete()
    is_right, report = check_projections()
    assert not is_right
    assert report.count("attendance is") == 2
    assert finished(game) == {"Ines": False}, "a check stores nothing"
    call_command("rebuild_games", stdout=StringIO())
    assert finished(game) == {"Ines": True, "Tobias": True}
    assert check_projections()[0]


def test_only_the_latest_games_count() -> None:
    ines, tobias = person("Ines"), person("Tobias")
    noon = datetime(2026, 6, 1, 12, tzinfo=UTC)
    games = Game.objects.bulk_create(Game(seat_count=2, goal_discs=20) for _game in range(GAMES_COUNTED + 3))
    for day, game in enumerate(games):
        Attendance.objects.create(
            game=game,
            user=ines,
            ended_at=noon + timedelta(days=day),
            has_finished=day > 3,
            answers=[day * 60],
        )
    found = reliabilities_of([ines.pk, tobias.pk])
    assert found[ines.pk] == Reliability(GAMES_COUNTED - 1, GAMES_COUNTED, timedelta(seconds=12.5 * 60))
    assert found[tobias.pk] == Reliability()
    assert found[tobias.pk].is_new


@given(st.integers(0, 20), st.integers(0, 20), st.integers(0, 100))
def test_another_finished_game_never_lowers_the_reliability(finished: int, lost: int, minimum: int) -> None:
    before = Reliability(finished, finished + lost)
    after = Reliability(finished + 1, finished + lost + 1)
    assert 0 <= before.percent <= after.percent <= 100
    assert (before.percent == 100) == (not lost)
    assert after.is_new or before.is_new or after.meets(minimum) >= before.meets(minimum)
