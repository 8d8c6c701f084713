"""Bots' turns. Their tasks may run twice, late, or not at all."""

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

from games.models import Action, Game, Seat
from games.novaluna.bots.face import TooLarge, estimates
from games.novaluna.engine import Place, Position, Resign
from games.services import bots
from games.services.play import play
from games.tasks import compute_hint, judge, play_chosen, take_bot_turn, take_quick_turn
from tests.play import fresh, game_of, mover, person, play_one, position_of

pytestmark = pytest.mark.django_db

NOW = datetime(2027, 1, 15, 20, 0, tzinfo=UTC)


Sent = tuple[str, tuple[object, ...], float | None]


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[Sent]:
    """The tasks that are queued; no broker gets them."""
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


@pytest.mark.databases
def test_a_task_that_runs_twice_or_late_does_nothing(game: Game) -> None:
    number = game.version + 1
    bots.take_turn(game.pk, number)
    count = Action.objects.count()
    bots.take_turn(game.pk, number)
    bots.take_turn(game.pk, number + 50)
    bots.take_turn(10**9, 1)
    assert Action.objects.count() == count


def test_nobody_can_guess_the_request_ids_of_bots(game: Game) -> None:
    bots.take_turn(game.pk, game.version + 1)
    first_ids = set(Action.objects.filter(game=game).values_list("request_id", flat=True))
    another = game_of(person("Noor"), bots=("easy", "medium"))
    while not another.seats.get(number=fresh(another).to_move).bot:
        play_one(another)
    bots.take_turn(another.pk, fresh(another).version + 1)
    other_ids = set(Action.objects.filter(game=another).values_list("request_id", flat=True))
    assert all(request_id.version == 4 for request_id in first_ids | other_ids), (
        "other versions can be guessed"
    )


def test_bots_do_not_play_a_persons_turn() -> None:
    game = game_of(person("Ines"), person("Tobias"))
    bots.take_turn(game.pk, 1)
    assert not Action.objects.exists()


def test_bots_finish_a_game_that_the_person_has_left(game: Game) -> None:
    user = game.seats.get(number=0).user
    play(game.key, user, Resign(0), game.version + 1, uuid.uuid4())
    for _turn in range(200):
        game = fresh(game)
        if game.is_over:
            break
        bots.take_turn(game.pk, game.version + 1)
    assert game.is_over
    assert game.seats.get(number=0).rank == 3


def test_pages_get_an_update_for_each_action_of_a_bot_with_several_turns_in_a_row(
    game: Game,
    sent: list[Sent],
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Callable[..., AbstractContextManager[object]],
) -> None:
    updates: list[tuple[str, int | None]] = []
    monkeypatch.setattr("games.live.publish", lambda *update: updates.append(update[:2]))
    game.seats.filter(number=0).update(user=None, bot="easy")  # Then the game goes on without people.
    movers = [game.to_move]
    while len(movers) < 2 or movers[-1] != movers[-2]:
        updates.clear()
        sent.clear()
        with django_capture_on_commit_callbacks(execute=True):
            bots.take_turn(game.pk, game.version + 1)
        game = fresh(game)
        movers.append(game.to_move)
        assert updates == [(game.key, game.version)]
        assert sent == [(take_quick_turn.name, (game.pk, game.version + 1), None)]


def fail(*_: object) -> Place:
    raise ZeroDivisionError("an error in the search")


def exceed_soft_limit(*_: object) -> Place:
    raise SoftTimeLimitExceeded(10)


def choose_illegal_action(position: Position, seat: int, *_: object) -> Place:
    return Place(seat, position.in_reach[0].code, 30, 30)


@pytest.mark.parametrize("search", [fail, exceed_soft_limit, choose_illegal_action])
def test_a_bot_whose_search_fails_still_plays_and_the_error_is_logged(
    game: Game,
    search: Callable[..., Place],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    level = game.seats.get(number=game.to_move).bot
    monkeypatch.setattr("games.novaluna.bots.face.choose", search)
    bots.take_turn(game.pk, game.version + 1)
    assert fresh(game).version == game.version + 1
    (record,) = caplog.records
    assert record.levelno == logging.ERROR
    assert f"({level})" in record.getMessage()


def test_a_search_without_errors_logs_nothing(game: Game, caplog: pytest.LogCaptureFixture) -> None:
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
    ((name, new_args, _countdown),) = sent
    assert name == take_bot_turn.name
    monkeypatch.setattr("games.novaluna.bots.face.choose", fail)
    take_bot_turn(*new_args)
    assert fresh(game).version == game.version + 1
    assert caplog.records == [], "the retry does not search"


@pytest.mark.parametrize(
    ("task", "args"),
    [(take_bot_turn, (1, 2)), (take_quick_turn, (1, 2)), (compute_hint, (1,)), (judge, (1, 2))],
)
def test_a_task_whose_search_was_killed_is_queued_again_without_a_search(
    task: Task, args: tuple[int, ...], sent: list[Sent]
) -> None:
    task_failure.send(sender=task, exception=TimeLimitExceeded(15), args=args)
    assert sent == [(task.name, (*args, True), None)]


def test_only_the_first_kill_of_a_search_queues_a_retry(game: Game, sent: list[Sent]) -> None:
    task_failure.send(sender=take_bot_turn, exception=ValueError(), args=(game.pk, game.version + 1))
    task_failure.send(sender=take_bot_turn, exception=TimeLimitExceeded(15), args=(game.pk, 1, True))
    task_failure.send(sender=play_chosen, exception=TimeLimitExceeded(15), args=(game.pk, 1, {}))
    assert sent == []


def test_bots_do_not_play_out_of_turn(game: Game) -> None:
    others = (seat.number for seat in game.seats.all() if seat.number != game.to_move)
    with pytest.raises(ValueError, match="not the turn"):
        bots.play_turn(game, next(others), "easy")
    assert fresh(game).version == game.version


@pytest.mark.slow
def test_a_bot_plays_any_seat_even_if_its_display_is_too_large_for_the_search() -> None:
    game = game_of(person("Ines"), person("Tobias"))
    for level in ("easy", "expert"):
        while len(position_of(game).displays[fresh(game).to_move].tiles) < 30:
            play_at_the_end_of_the_row(game)
        game = fresh(game)
        with pytest.raises(TooLarge):
            estimates(position_of(game).public(), game.to_move, random.Random(1))
        game.seats.filter(number=game.to_move).update(caretaker=level)
        bots.play_turn(game, game.to_move, level)
        action = Action.objects.get(game=game, number=game.version + 1)
        assert (action.seat, action.made_by) == (game.to_move, None)
        game.seats.update(caretaker="")


def play_at_the_end_of_the_row(game: Game) -> None:
    """Play one action that makes the bottom row of the display longer, if a tile can be placed."""
    actions = list(position_of(game).legal_actions)
    places = [action for action in actions if isinstance(action, Place) and action.y == 0]
    action = max(places, key=lambda place: place.x) if places else actions[0]
    play(game.key, mover(game), action, fresh(game).version + 1, uuid.uuid4())


@pytest.fixture
def visible_game(game: Game, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Game:
    """The game with its page open, 0.5 s after an action, on a site whose bots pause for 2 s."""
    settings.BOT_PAUSE = 2.0
    monkeypatch.setattr(timezone, "now", lambda: NOW)
    Game.objects.update(moved_at=NOW - timedelta(seconds=0.5))
    Seat.objects.filter(user__isnull=False).update(seen_at=NOW)
    return fresh(game)


def test_a_bot_pauses_while_a_player_has_the_page_open(visible_game: Game, sent: list[Sent]) -> None:
    bots.take_turn(visible_game.pk, visible_game.version + 1)
    assert fresh(visible_game).version == visible_game.version
    ((name, args, countdown),) = sent
    assert (name, countdown) == (play_chosen.name, 1.5)
    play_chosen(*args)
    assert Action.objects.get(game=visible_game, number=visible_game.version + 1).payload == args[2]
    play_chosen(*args)
    assert fresh(visible_game).version == visible_game.version + 1


def test_a_bot_does_not_pause_after_a_long_search(visible_game: Game, sent: list[Sent]) -> None:
    Game.objects.update(moved_at=NOW - timedelta(seconds=2))
    bots.take_turn(visible_game.pk, visible_game.version + 1)
    assert (fresh(visible_game).version, sent) == (visible_game.version + 1, [])


@pytest.mark.parametrize(
    "away", [{"seen_at": None}, {"seen_at": NOW - timedelta(minutes=2)}, {"has_left": True}]
)
def test_bots_do_not_pause_if_no_player_has_the_page_open(
    visible_game: Game, sent: list[Sent], away: dict[str, object]
) -> None:
    Seat.objects.update(**away)
    bots.take_turn(visible_game.pk, visible_game.version + 1)
    assert (fresh(visible_game).version, sent) == (visible_game.version + 1, [])


def test_bots_do_not_pause_without_a_broker(visible_game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **kwargs: object) -> None:
        raise OperationalError("no broker")

    monkeypatch.setattr(current_app, "send_task", refuse)
    bots.take_turn(visible_game.pk, visible_game.version + 1)
    assert fresh(visible_game).version == visible_game.version + 1


@pytest.mark.parametrize("ahead", [timedelta(seconds=30), timedelta(days=1)])
def test_a_bot_never_waits_longer_than_its_pause(
    visible_game: Game, sent: list[Sent], ahead: timedelta
) -> None:
    Game.objects.update(moved_at=NOW + ahead)  # Then the clock was set back.
    bots.take_turn(visible_game.pk, visible_game.version + 1)
    ((name, _args, countdown),) = sent
    assert (name, countdown) == (play_chosen.name, 2.0)


def test_an_action_is_dropped_if_the_game_changes_during_the_pause(
    visible_game: Game, sent: list[Sent]
) -> None:
    bots.take_turn(visible_game.pk, visible_game.version + 1)
    user = visible_game.seats.get(number=0).user
    play(visible_game.key, user, Resign(0), visible_game.version + 1, uuid.uuid4())
    ((_name, args, _countdown),) = sent
    play_chosen(*args)
    assert fresh(visible_game).version == visible_game.version + 1
