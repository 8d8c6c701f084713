"""Clocks of games: banks, deadlines and calendars, and what happens to a seat whose time is up."""

import uuid
from collections import deque
from datetime import UTC, date, datetime, time, timedelta
from io import StringIO
from zoneinfo import ZoneInfo

import pytest
from django.core.management import call_command

from accounts.models import User
from games.clocks import Hours, Sleep
from games.models import Action, Attendance, Game, HoursChange, Kind, Notification, Seat, SeatChange, Vacation
from games.novaluna.engine import Resign
from games.services import bots, calendars, seat_changes, tables
from games.services.after_commit import TIME_OUT
from games.services.bot_queue import LONGEST_WAIT
from games.services.errors import Conflict, NotSeated
from games.services.play import play
from games.tasks import SWEEP_EVERY, sweep, time_out
from tests.frozen import FrozenClock
from tests.play import fresh, legal_action, mover, person, play_one

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
NIGHT = Hours(ZoneInfo("UTC"), Sleep(time(23), time(8)))


def paced_game(
    *users: User, pace: str = "day", caretaker: str = "medium", bots: tuple[str, ...] = ()
) -> Game:
    opener, *others = users or (person("Ines"), person("Tobias"))
    seats = 1 + len(others) + len(bots)
    game = tables.open_table(
        opener, tables.TableOptions(seats, is_public=bool(pace), pace=pace, caretaker=caretaker), bots
    )
    for user in others:
        tables.join(game.key, user)
    return fresh(game)


def seat_of(game: Game, user: User) -> Seat:
    return game.seats.get(user=user)


def assert_projections_are_right() -> None:
    out = StringIO()
    call_command("rebuild_games", "--check", stdout=out)
    assert " 0 differ " in out.getvalue()


def test_a_game_starts_with_full_banks_and_the_deadline_of_the_first_player(clock: FrozenClock) -> None:
    game = paced_game()
    assert {seat.bank for seat in game.seats.all()} == {timedelta(days=1)}
    assert game.deadline == NOON + timedelta(days=1)
    assert_projections_are_right()


def test_a_turn_uses_the_bank_and_adds_the_increment_when_it_ends(clock: FrozenClock) -> None:
    game = paced_game()
    first = mover(game)
    clock.move_on(hours=20)
    while mover(game) == first:  # Several turns in a row are one turn of the clock.
        play_one(game)
    assert seat_of(game, first).bank == timedelta(hours=24 - 20 + 12)
    assert fresh(game).deadline == clock.now + timedelta(days=1)
    assert_projections_are_right()


def test_a_wrong_bank_is_reported(clock: FrozenClock) -> None:
    game = paced_game()
    Seat.objects.filter(game=game, number=0).update(bank=timedelta(days=3))
    with pytest.raises(SystemExit):
        call_command("rebuild_games", "--check", stdout=StringIO())
    call_command("rebuild_games", stdout=StringIO())
    assert_projections_are_right()


def test_a_game_without_a_clock_has_no_deadline(clock: FrozenClock) -> None:
    game = paced_game(pace="")
    clock.move_on(days=400)
    time_out(game.pk)
    assert fresh(game).deadline is None
    assert fresh(game).version == 0


def test_a_caretaker_takes_over_and_the_player_takes_the_seat_back(clock: FrozenClock) -> None:
    game = paced_game(caretaker="easy")
    late = mover(game)
    clock.move_on(days=1, seconds=-1)
    time_out(game.pk)
    assert fresh(game).deadline is not None, "the time is not up yet"

    clock.move_on(seconds=1)
    assert seat_changes.due_ids() == [game.pk]
    time_out(game.pk)
    time_out(game.pk)
    seat = seat_of(game, late)
    assert (seat.caretaker, fresh(game).deadline) == ("easy", None)
    assert not Game.objects.waiting_for(late).exists()
    [change] = SeatChange.objects.all()
    assert (change.seat, change.number, change.bot, change.reason) == (seat.number, 1, "easy", "time")
    assert Notification.objects.filter(user=late, kind=Kind.CARETAKER).exists()
    with pytest.raises(Conflict, match="A bot plays your seat now"):
        play(game.key, late, legal_action(game), 1, uuid.uuid4())
    assert_projections_are_right()

    bots.take_turn(game.pk, 1)
    assert Action.objects.get(game=game).made_by is None
    assert_projections_are_right()

    for _press in range(2):
        seat_changes.take_back(game.key, late)
    assert seat_of(game, late).caretaker == ""
    assert [row.reason for row in SeatChange.objects.all()] == ["time", "back"]
    if fresh(game).to_move == seat.number:
        assert fresh(game).deadline == clock.now + timedelta(hours=12), "the increment is left"
    assert_projections_are_right()


def test_a_bots_action_is_dropped_if_the_player_took_the_seat_back_meanwhile(clock: FrozenClock) -> None:
    game = paced_game()
    late = mover(game)
    clock.move_on(days=1)
    time_out(game.pk)
    chosen = legal_action(game)
    seat_changes.take_back(game.key, late)
    bots._append(game.pk, 1, chosen)
    assert fresh(game).version == 0
    assert play(game.key, late, chosen, 1, uuid.uuid4()).number == 1


def test_without_a_caretaker_the_seat_is_out(clock: FrozenClock) -> None:
    game = paced_game(caretaker="")
    late = mover(game)
    clock.move_on(days=1)
    time_out(game.pk)
    game = fresh(game)
    assert Action.objects.get(game=game).payload["reason"] == "time"
    assert game.is_over
    assert game.winner != seat_of(game, late).number
    assert game.deadline is None
    assert_projections_are_right()
    with pytest.raises(Conflict):
        seat_changes.take_back(game.key, late)


def test_a_player_who_is_away_can_still_resign_but_a_stranger_takes_no_seat(clock: FrozenClock) -> None:
    game = paced_game(person("Ines"), person("Tobias"), person("Noor"))
    late = mover(game)
    clock.move_on(days=1)
    time_out(game.pk)
    with pytest.raises(NotSeated):
        seat_changes.take_back(game.key, person("Mina"))
    play(game.key, late, Resign(0), 1, uuid.uuid4())
    assert seat_of(game, late).has_left
    assert_projections_are_right()


def test_the_sweep_queues_games_whose_time_is_up(clock: FrozenClock, monkeypatch: pytest.MonkeyPatch) -> None:
    queued: list[tuple[object, ...]] = []
    monkeypatch.setattr("games.tasks.queue", lambda *task, **options: queued.append(task) or True)
    game = paced_game()
    sweep()
    assert ("games.time_out", game.pk) not in queued
    clock.move_on(days=1)
    sweep()
    assert ("games.time_out", game.pk) in queued


def test_a_timeout_is_found_within_a_minute_behind_a_backlog_of_quick_turns(
    clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One worker takes tasks in their order, as in `make play`, and always finds turns of 40 people."""
    game = paced_game(caretaker="easy")
    waiting: deque[tuple[str, tuple[int, ...], datetime]] = deque()

    def queue(name: str, *args: int, expires: float, **_options: object) -> bool:
        if name in (TIME_OUT, "turn"):
            waiting.append((name, args, clock.now + timedelta(seconds=expires)))
        return True

    monkeypatch.setattr("games.tasks.queue", queue)
    clock.move_on(days=1)
    for _person in range(40):
        queue("turn", expires=LONGEST_WAIT.total_seconds())
    for second in range(60):
        if second % SWEEP_EVERY == 0:
            sweep()
        name, args, expires_at = waiting.popleft()
        while expires_at < clock.now:
            name, args, expires_at = waiting.popleft()
        if name == TIME_OUT:
            time_out(*args)
        else:  # The turn takes a second, and the next one in the games of this person follows.
            clock.move_on(seconds=1)
            queue("turn", expires=LONGEST_WAIT.total_seconds())
    assert game.seats.filter(caretaker="easy").count() == 1


def test_a_late_move_before_the_sweep_counts(clock: FrozenClock) -> None:
    game = paced_game()
    late = mover(game)
    clock.move_on(days=2)
    play_one(game)
    time_out(game.pk)
    assert fresh(game).version == 1
    if fresh(game).to_move != seat_of(game, late).number:
        assert seat_of(game, late).bank == timedelta(hours=12)


def test_deadlines_follow_the_sleeping_hours(clock: FrozenClock) -> None:
    game = paced_game()
    user = mover(game)
    calendars.choose_hours(user, NIGHT)
    # 11 h today and, after the night, 13 h tomorrow.
    assert fresh(game).deadline == NOON + timedelta(days=1, hours=9)
    assert_projections_are_right()
    calendars.choose_hours(user, NIGHT)
    assert HoursChange.objects.count() == 1
    clock.move_on(days=1)
    calendars.choose_hours(user, Hours(ZoneInfo("UTC")))
    assert HoursChange.objects.latest("starts_at").starts_at == NOON + timedelta(days=7)


@pytest.mark.parametrize(("pace", "minutes"), [("live", 10), ("live5", 5.25), ("live3", 3.25)])
def test_live_games_have_no_pauses(clock: FrozenClock, pace: str, minutes: float) -> None:
    game = paced_game(pace=pace)
    user = mover(game)
    calendars.choose_hours(user, NIGHT)
    calendars.plan_vacation(user, date(2026, 6, 1), date(2026, 6, 3))
    assert fresh(game).deadline == NOON + timedelta(minutes=minutes)


@pytest.mark.parametrize(("pace", "banks"), [("live3", (185, 180)), ("live", (620, 620))])
def test_the_first_15_seconds_of_a_fast_live_game_do_not_count(
    clock: FrozenClock, pace: str, banks: tuple[int, int]
) -> None:
    game = paced_game(pace=pace)
    first = mover(game)
    second = game.seats.exclude(user=first).get().user
    for user in (first, second):
        clock.move_on(seconds=10)
        while mover(game) == user:
            play_one(game)
    assert tuple(seat_of(game, user).bank for user in (first, second)) == tuple(
        timedelta(seconds=bank) for bank in banks
    )
    assert_projections_are_right()


def test_a_vacation_moves_the_deadline_until_it_is_ended(clock: FrozenClock) -> None:
    game = paced_game()
    user = mover(game)
    calendars.plan_vacation(user, date(2026, 6, 2), date(2026, 6, 3))
    assert fresh(game).deadline == datetime(2026, 6, 4, 12, tzinfo=UTC)
    assert fresh(game).live_version == 1, "open pages show the new deadline"
    calendars.plan_vacation(game.seats.exclude(user=user).get().user, date(2026, 6, 2), date(2026, 6, 3))
    assert fresh(game).live_version == 1
    with pytest.raises(Conflict, match="not enough"):
        calendars.plan_vacation(user, date(2026, 7, 1), date(2026, 7, 19))
    with pytest.raises(Conflict, match="last day"):
        calendars.plan_vacation(user, date(2026, 5, 1), date(2026, 5, 2))
    clock.move_on(days=1)
    vacation = Vacation.objects.get(user=user)
    calendars.end_vacation(person("Mina"), vacation.pk)
    calendars.end_vacation(user, vacation.pk)
    assert fresh(game).deadline == clock.now + timedelta(hours=12)
    assert_projections_are_right()


def test_a_vacation_starts_by_itself_instead_of_losing_on_time(clock: FrozenClock) -> None:
    game = paced_game()
    user = mover(game)
    User.objects.filter(pk=user.pk).update(automatic_vacation=True)
    clock.move_on(days=1, seconds=40)
    time_out(game.pk)
    vacation = Vacation.objects.get()
    midnight = datetime(2026, 6, 3, tzinfo=UTC)
    assert (vacation.starts_at, vacation.ends_at) == (NOON + timedelta(days=1), midnight)
    assert fresh(game).deadline == midnight
    assert seat_of(game, user).caretaker == ""
    assert_projections_are_right()


def test_a_vacation_that_starts_late_counts_in_what_its_player_did_meanwhile(clock: FrozenClock) -> None:
    """The site was down at the deadline of one game. Its player then moved in two others before the sweep."""
    ines, tobias = person("Ines"), person("Tobias")
    late = paced_game(ines, tobias)
    user = mover(late)
    other = tobias if user == ines else ines
    running, over = (paced_game(ines, tobias, pace="slow") for _game in range(2))
    for game in (running, over):
        while mover(game) != user:
            play_one(fresh(game))
    User.objects.filter(pk=user.pk).update(automatic_vacation=True)
    clock.move_on(days=1, hours=2)
    for game in (running, over):
        while mover(game) == user:
            play_one(fresh(game))
    play(over.key, other, Resign(0), fresh(over).version + 1, uuid.uuid4())
    clock.move_on(hours=1)
    time_out(late.pk)
    assert Vacation.objects.get().starts_at == NOON + timedelta(days=1)
    assert seat_of(running, user).bank == timedelta(days=7) - timedelta(days=1) + timedelta(days=2)
    assert Attendance.objects.get(game=over, user=user).answers == [24 * 3600]
    assert_projections_are_right()


def test_a_game_ends_although_everybody_is_gone(clock: FrozenClock) -> None:
    game = paced_game(caretaker="easy")
    for _second in range(2):
        if fresh(game).deadline is not None:
            clock.move_on(days=2)
            time_out(game.pk)
        while not fresh(game).is_over and fresh(game).deadline is None:
            bots.take_turn(game.pk, fresh(game).version + 1, without_search=True)
    game = fresh(game)
    assert game.is_over
    assert game.winner is not None
    assert game.seats.filter(has_left=True).count() == 0
    assert_projections_are_right()


def test_a_rematch_keeps_the_pace_and_the_caretaker(clock: FrozenClock) -> None:
    game = paced_game(pace="slow", caretaker="hard")
    loser = mover(game)
    play(game.key, loser, Resign(0), 1, uuid.uuid4())
    rematch = tables.rematch(game.key, loser)
    assert (rematch.pace, rematch.caretaker, rematch.deadline) == ("slow", "hard", None)
