"""Bots at the table: their turns are tasks that may run twice, late, or not at all."""

import logging
import random
import uuid
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta

import pytest
from celery import Task, current_app
from celery.exceptions import SoftTimeLimitExceeded, TimeLimitExceeded, WorkerLostError
from celery.signals import task_failure
from django.utils import timezone
from kombu.exceptions import OperationalError
from pytest_django import Settings

from games.bots import TooLarge, estimates
from games.engine import Place, Position, Resign
from games.models import Action, Game, Seat
from games.services import bots
from games.services.play import play
from games.tasks import compute_hint, judge, play_chosen, take_bot_turn
from tests.play import fresh, game_of, mover, person, play_one, position_of

pytestmark = pytest.mark.django_db

NOW = datetime(2027, 1, 15, 20, 0, tzinfo=UTC)


Sent = tuple[str, tuple[object, ...], float | None]


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[Sent]:
    """The tasks that are sent to the broker, which gets none of them."""
    tasks: list[Sent] = []
    monkeypatch.setattr(
        current_app,
        "send_task",
        lambda name, args, countdown, **_: tasks.append((name, args, countdown)),
    )
    return tasks


@pytest.fixture
def game() -> Game:
    """A game in which a bot is to move."""
    game = game_of(person("Ines"), bots=("easy", "medium"))
    while not game.seats.get(number=game.to_move).bot:
        play_one(game)
        game = fresh(game)
    return game


def test_a_bot_takes_its_turn(game: Game) -> None:
    bots.take_turn(game.pk, game.version + 1)
    action = Action.objects.get(game=game, number=game.version + 1)
    assert (action.seat, action.made_by) == (game.to_move, None)


def test_a_task_that_runs_twice_or_late_does_nothing(game: Game) -> None:
    number = game.version + 1
    bots.take_turn(game.pk, number)
    count = Action.objects.count()
    bots.take_turn(game.pk, number)
    bots.take_turn(game.pk, number + 50)
    bots.take_turn(10**9, 1)
    assert Action.objects.count() == count


def test_no_request_of_a_person_keeps_a_bot_from_its_turn(game: Game) -> None:
    # Whatever ids a person's own actions had, the bot's turn is its own.
    bots.take_turn(game.pk, game.version + 1)
    used = set(Action.objects.filter(game=game).values_list("request_id", flat=True))
    again = game_of(person("Noor"), bots=("easy", "medium"))
    while not again.seats.get(number=fresh(again).to_move).bot:
        play_one(again)
    bots.take_turn(again.pk, fresh(again).version + 1)
    theirs = set(Action.objects.filter(game=again).values_list("request_id", flat=True))
    assert all(request_id.version == 4 for request_id in used | theirs), "others can be foretold"


def test_no_bot_plays_a_persons_turn() -> None:
    game = game_of(person("Ines"), person("Tobias"))
    bots.take_turn(game.pk, 1)
    assert not Action.objects.exists()


def test_bots_play_a_game_out_when_the_person_has_left(game: Game) -> None:
    user = game.seats.get(number=0).user
    play(game.key, user, Resign(0), game.version + 1, uuid.uuid4())
    for _turn in range(200):
        game = fresh(game)
        if game.is_over:
            break
        bots.take_turn(game.pk, game.version + 1)
    assert game.is_over
    assert game.seats.get(number=0).rank == 3


def test_the_sweep_finds_only_bots_that_are_overdue(game: Game) -> None:
    game_of(person("Noor"), person("Kenji"))
    assert bots.overdue_turns() == []
    Game.objects.update(moved_at=timezone.now() - timedelta(minutes=1))
    assert bots.overdue_turns() == [(game.pk, game.version + 1)]


def test_pages_hear_of_each_action_of_a_bot_that_moves_several_times(
    game: Game,
    sent: list[Sent],
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Callable[..., AbstractContextManager[object]],
) -> None:
    told: list[str] = []
    monkeypatch.setattr("games.live.publish", told.append)
    game.seats.filter(number=0).update(user=None, bot="easy")  # so that the game goes on by itself
    movers = [game.to_move]
    while len(movers) < 2 or movers[-1] != movers[-2]:
        told.clear()
        sent.clear()
        with django_capture_on_commit_callbacks(execute=True):
            bots.take_turn(game.pk, game.version + 1)
        game = fresh(game)
        movers.append(game.to_move)
        assert told == [game.key]
        assert sent == [(take_bot_turn.name, (game.pk, game.version + 1), None)]


def fails(*_: object) -> Place:
    raise ZeroDivisionError("in the depth of the search")


def takes_too_long(*_: object) -> Place:
    raise SoftTimeLimitExceeded(10)


def chooses_what_is_illegal(position: Position, seat: int, *_: object) -> Place:
    return Place(seat, position.in_reach[0].code, 30, 30)


@pytest.mark.parametrize("search", [fails, takes_too_long, chooses_what_is_illegal])
def test_a_search_that_fails_costs_no_turn_and_is_reported(
    game: Game,
    search: Callable[..., Place],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    level = game.seats.get(number=game.to_move).bot
    monkeypatch.setattr("games.bots.choose", search)
    bots.take_turn(game.pk, game.version + 1)
    assert fresh(game).version == game.version + 1
    (record,) = caplog.records
    assert record.levelno == logging.ERROR
    assert f"({level})" in record.getMessage()


def test_a_search_that_does_well_reports_nothing(game: Game, caplog: pytest.LogCaptureFixture) -> None:
    bots.take_turn(game.pk, game.version + 1)
    assert caplog.records == []


@pytest.mark.parametrize("reason", [TimeLimitExceeded(15), WorkerLostError("signal 9 (SIGKILL)")])
def test_a_turn_whose_process_was_killed_is_played_without_a_search(
    game: Game,
    reason: Exception,
    sent: list[Sent],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    args = (game.pk, game.version + 1)
    task_failure.send(sender=take_bot_turn, exception=reason, args=args)
    ((name, again, _countdown),) = sent
    assert name == take_bot_turn.name
    monkeypatch.setattr("games.bots.choose", fails)
    take_bot_turn(*again)
    assert fresh(game).version == game.version + 1
    assert caplog.records == [], "there was no search to fail"


@pytest.mark.parametrize(("task", "args"), [(take_bot_turn, (1, 2)), (compute_hint, (1,)), (judge, (1, 2))])
def test_whatever_a_search_was_killed_for_is_done_without_one(
    task: Task, args: tuple[int, ...], sent: list[Sent]
) -> None:
    task_failure.send(sender=task, exception=TimeLimitExceeded(15), args=args)
    assert sent == [(task.name, (*args, True), None)]


def test_a_turn_that_failed_for_another_reason_is_left_to_the_sweep(game: Game, sent: list[Sent]) -> None:
    task_failure.send(sender=take_bot_turn, exception=ValueError(), args=(game.pk, game.version + 1))
    task_failure.send(sender=take_bot_turn, exception=TimeLimitExceeded(15), args=(game.pk, 1, True))
    task_failure.send(sender=play_chosen, exception=TimeLimitExceeded(15), args=(game.pk, 1, {}))
    assert sent == []


def test_no_bot_plays_out_of_turn(game: Game) -> None:
    others = (seat.number for seat in game.seats.all() if seat.number != game.to_move)
    with pytest.raises(ValueError, match="not the turn"):
        bots.play_turn(game, next(others), "easy")
    assert fresh(game).version == game.version


@pytest.mark.parametrize("level", ["easy", "expert"])
def test_a_bot_plays_any_seat_even_with_a_row_too_long_for_the_search(level: str) -> None:
    game = game_of(person("Ines"), person("Tobias"))
    while len(position_of(game).displays[fresh(game).to_move].tiles) < 30:
        play_at_the_end_of_the_row(game)
    game = fresh(game)
    with pytest.raises(TooLarge):
        estimates(position_of(game).public(), game.to_move, random.Random(1))
    bots.play_turn(game, game.to_move, level)
    action = Action.objects.get(game=game, number=game.version + 1)
    assert (action.seat, action.made_by) == (game.to_move, None)


def play_at_the_end_of_the_row(game: Game) -> None:
    actions = list(position_of(game).legal_actions)
    places = [action for action in actions if isinstance(action, Place) and action.y == 0]
    action = max(places, key=lambda place: place.x) if places else actions[0]
    play(game.key, mover(game), action, fresh(game).version + 1, uuid.uuid4())


@pytest.fixture
def watched(game: Game, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Game:
    """The game with its page open, half a second after an action, on a site whose bots pause for two."""
    settings.BOT_PAUSE = 2.0
    monkeypatch.setattr(timezone, "now", lambda: NOW)
    Game.objects.update(moved_at=NOW - timedelta(seconds=0.5))
    Seat.objects.filter(user__isnull=False).update(seen_at=NOW)
    return fresh(game)


def test_a_bot_waits_a_moment_where_a_player_looks_on(watched: Game, sent: list[Sent]) -> None:
    bots.take_turn(watched.pk, watched.version + 1)
    assert fresh(watched).version == watched.version
    ((name, args, countdown),) = sent
    assert (name, countdown) == (play_chosen.name, 1.5)
    play_chosen(*args)
    assert Action.objects.get(game=watched, number=watched.version + 1).payload == args[2]
    play_chosen(*args)
    assert fresh(watched).version == watched.version + 1


def test_a_bot_that_thought_long_enough_waits_no_more(watched: Game, sent: list[Sent]) -> None:
    Game.objects.update(moved_at=NOW - timedelta(seconds=2))
    bots.take_turn(watched.pk, watched.version + 1)
    assert (fresh(watched).version, sent) == (watched.version + 1, [])


@pytest.mark.parametrize(
    "away", [{"seen_at": None}, {"seen_at": NOW - timedelta(minutes=2)}, {"has_left": True}]
)
def test_no_bot_waits_where_no_player_looks_on(
    watched: Game, sent: list[Sent], away: dict[str, object]
) -> None:
    Seat.objects.update(**away)
    bots.take_turn(watched.pk, watched.version + 1)
    assert (fresh(watched).version, sent) == (watched.version + 1, [])


def test_without_a_broker_no_bot_waits(watched: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **kwargs: object) -> None:
        raise OperationalError("no broker")

    monkeypatch.setattr(current_app, "send_task", refuse)
    bots.take_turn(watched.pk, watched.version + 1)
    assert fresh(watched).version == watched.version + 1


def test_an_action_that_waits_is_not_overdue(watched: Game, settings: Settings) -> None:
    Game.objects.update(moved_at=NOW - timedelta(seconds=6))
    assert bots.overdue_turns() == []
    settings.BOT_PAUSE = 0
    assert bots.overdue_turns() == [(watched.pk, watched.version + 1)]


def test_an_action_that_waits_is_given_up_when_the_game_moves_on(watched: Game, sent: list[Sent]) -> None:
    bots.take_turn(watched.pk, watched.version + 1)
    user = watched.seats.get(number=0).user
    play(watched.key, user, Resign(0), watched.version + 1, uuid.uuid4())
    ((_name, args, _countdown),) = sent
    play_chosen(*args)
    assert fresh(watched).version == watched.version + 1
