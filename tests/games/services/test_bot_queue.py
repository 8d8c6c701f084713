"""The queue of bots' turns: it is fair between people, and turns that were lost are queued again."""

import base64
import json
import threading
import uuid
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta

import pytest
from celery import current_app
from django.db import connection, transaction
from django.utils import timezone
from kombu.exceptions import OperationalError
from pytest_django import Settings

from accounts import queueing
from accounts.models import User
from games import tasks
from games.models import Game, Seat
from games.novaluna.bots import face as levels
from games.novaluna.bots.face import choose_greedily
from games.novaluna.engine import Resign
from games.services import bot_queue, bots
from games.services.play import play
from games.tasks import sweep
from tests.play import fresh, game_of, let_wait, person, play_one

pytestmark = [pytest.mark.django_db, pytest.mark.databases]

NOW = datetime(2027, 1, 15, 20, 0, tzinfo=UTC)
SEARCH, QUICK = "games.bots.take_turn", "games.bots.take_quick_turn"


class Broker:
    """Records the turns that it gets, and can be down."""

    def __init__(self) -> None:
        self.tasks: list[tuple[str, int]] = []  # the name of the task, and the game
        self.expires: float | None = None  # of the last turn
        self.is_down = False

    def send_task(
        self, name: str, args: tuple[int, ...], *, expires: float | None, **_options: object
    ) -> None:
        if self.is_down:
            raise OperationalError("no broker")
        if name.startswith("games.bots."):
            self.tasks.append((name, args[0]))
            self.expires = expires

    def take(self) -> list[tuple[str, int]]:
        """Return the tasks since the last call."""
        tasks, self.tasks = self.tasks, []
        return tasks


@pytest.fixture
def broker(monkeypatch: pytest.MonkeyPatch) -> Broker:
    broker = Broker()
    monkeypatch.setattr(current_app, "send_task", broker.send_task)
    return broker


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[datetime]:
    """The time now, as a list with one element, which a test can set."""
    now = [NOW]
    monkeypatch.setattr(timezone, "now", lambda: now[0])
    return now


Commit = Callable[..., AbstractContextManager[object]]


@pytest.fixture
def commit(django_capture_on_commit_callbacks: Commit) -> Callable[[], AbstractContextManager[object]]:
    """A function that returns a context at whose end the work that waits for the commit is done."""
    return lambda: django_capture_on_commit_callbacks(execute=True)


def game_left_by(user: User, *levels: str) -> Game:
    """Return a game whose only person has resigned, so that it is the turn of one of these bots."""
    game = game_of(user, bots=levels)
    play(game.key, user, Resign(0), 1, uuid.uuid4())
    return fresh(game)


def test_every_level_without_a_search_is_quick() -> None:
    searches = {"hard", "expert"}
    assert set(bot_queue._quick_levels("novaluna")) == set(levels.LEVELS) - searches


def test_one_turn_of_each_person_is_queued_at_a_time(
    broker: Broker, commit: Commit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(levels, "choose", lambda position, seat, level, rng: choose_greedily(position, rng))
    ines, tobias = person("Ines"), person("Tobias")
    with commit():
        many = [game_left_by(ines, "expert", "hard", "expert") for _game in range(5)]
        one = game_left_by(tobias, "expert", "expert", "expert")
    queue = broker.take()
    assert queue == [(SEARCH, many[0].pk), (SEARCH, one.pk)]

    played = []
    for _turn in range(12):
        _task, game_id = queue.pop(0)
        with commit():
            bots.take_turn(game_id, Game.objects.get(pk=game_id).version + 1)
        played.append(game_id)
        queue += broker.take()
        assert sorted(Game.objects.get(pk=pk).opened_by_id for _task, pk in queue) == [ines.pk, tobias.pk]

    assert played[1::2] == [one.pk] * 6, "Tobias waits for one turn of Ines"
    assert [played[::2].count(game.pk) for game in many] == [2, 1, 1, 1, 1], "the games of Ines take turns"


def test_people_do_not_wait_for_games_that_everybody_has_left(
    broker: Broker, commit: Commit, clock: list[datetime]
) -> None:
    ines = person("Ines")
    with commit():
        abandoned = [game_left_by(ines, "expert", "expert") for _game in range(3)]
    assert broker.take() == [(SEARCH, abandoned[0].pk)]
    clock[0] += timedelta(seconds=1)
    game = game_of(ines, person("Tobias"), bots=("expert",))
    play(game.key, ines, Resign(0), 1, uuid.uuid4())
    let_wait(game, game.seats.exclude(bot="").get().number)
    clock[0] += bot_queue.LEASE
    sweep()
    assert broker.take() == [(SEARCH, game.pk)], "Tobias waits for it"
    clock[0] += bot_queue.LEASE + timedelta(seconds=1)
    sweep()
    assert broker.take() == [(SEARCH, abandoned[1].pk)], "the other turn cannot be played"


def test_a_lost_turn_does_not_wait_for_the_end_of_other_games(
    broker: Broker, commit: Commit, clock: list[datetime]
) -> None:
    ines = person("Ines")
    with commit():
        lost, other = (game_left_by(ines, "expert", "expert") for _game in range(2))
    assert broker.take() == [(SEARCH, lost.pk)]
    clock[0] += bot_queue.LEASE + timedelta(seconds=1)
    Game.objects.filter(pk=other.pk).update(moved_at=clock[0])
    sweep()
    assert broker.take() == [(SEARCH, lost.pk)]


@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite locks the whole database")
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("locked", [User, Game])
def test_the_sweep_waits_for_no_locked_row(locked: type[User | Game], broker: Broker) -> None:
    with transaction.atomic():
        held, free = (game_left_by(person(name), "expert", "expert") for name in ("Ines", "Tobias"))
    Game.objects.update(bot_queued_until=None)
    broker.take()

    def run() -> None:
        bots.queue_waiting_turns()
        connection.close()

    sweeping = threading.Thread(target=run, daemon=True)
    with transaction.atomic():
        locked._default_manager.select_for_update().get(pk=held.opened_by_id if locked is User else held.pk)
        sweeping.start()
        sweeping.join(20)
        assert not sweeping.is_alive()
    assert broker.take() == [(SEARCH, free.pk)]
    bots.queue_waiting_turns()
    assert broker.take() == [(SEARCH, held.pk)]


def test_a_queued_turn_expires_when_the_sweep_may_queue_it_again(broker: Broker, commit: Commit) -> None:
    with commit():
        game_left_by(person("Ines"), "expert", "expert")
    assert broker.expires == bot_queue.LONGEST_WAIT.total_seconds()
    assert broker.expires < tasks.LONGEST_WAIT, "time-outs behind turns do not expire before those"


def test_a_quick_turn_does_not_wait_for_a_search(broker: Broker, commit: Commit) -> None:
    ines = person("Ines")
    with commit():
        slow = game_left_by(ines, "expert", "expert")
        quick = game_left_by(ines, "medium", "easy")
    assert broker.take() == [(SEARCH, slow.pk), (QUICK, quick.pk)]


def test_a_turn_is_queued_when_the_game_before_it_has_ended(broker: Broker, commit: Commit) -> None:
    ines = person("Ines")
    with commit():
        first, second = game_of(ines, bots=("expert",)), game_left_by(ines, "expert", "expert")
    Game.objects.filter(pk=first.pk).update(bot_queued_until=timezone.now() + timedelta(seconds=5))
    let_wait(first, 1)
    Game.objects.filter(pk=second.pk).update(bot_queued_until=None)
    bot_queue.queue_next_turn(ines.pk, SEARCH)
    broker.take()
    with commit():
        play(first.key, ines, Resign(0), fresh(first).version + 1, uuid.uuid4())
    assert fresh(first).is_over
    assert broker.take() == [(SEARCH, second.pk)]


def test_the_sweep_queues_no_turn_twice(broker: Broker, commit: Commit, clock: list[datetime]) -> None:
    with commit():
        game_left_by(person("Ines"), "expert", "expert")
    broker.take()
    clock[0] += bot_queue.LEASE - timedelta(seconds=1)
    sweep()
    assert broker.take() == [], "it may be on its way"


def test_turns_wait_in_a_long_queue_for_a_minute(
    broker: Broker, commit: Commit, clock: list[datetime], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two workers that need 2 s for each turn are behind by 30 s, and the turns of 30 people all wait."""
    with commit():
        turns = [(SEARCH, game_left_by(person(f"P{number}"), "expert", "expert").pk) for number in range(30)]
    assert broker.take() == turns
    waiting = {pk for _task, pk in turns}
    monkeypatch.setattr(bot_queue, "first_arguments", lambda _task: waiting)
    for _sweep in range(11):
        clock[0] += timedelta(seconds=5)
        sweep()
        assert broker.take() == [], "they wait behind the turns of others, and have not expired"
    clock[0] += timedelta(seconds=6)
    sweep()
    assert sorted(broker.take()) == sorted(turns), "they have expired"


def test_a_lost_turn_is_queued_again_while_others_wait_in_its_queue(
    broker: Broker, commit: Commit, clock: list[datetime], monkeypatch: pytest.MonkeyPatch
) -> None:
    with commit():
        games = [game_left_by(person(name), "expert", "expert") for name in ("Ines", "Tobias")]
    broker.take()
    clock[0] += bot_queue.LEASE + timedelta(seconds=1)
    for waiting, queued in [(None, []), ({games[0].pk}, [(SEARCH, games[1].pk)])]:
        monkeypatch.setattr(bot_queue, "first_arguments", lambda _task, waiting=waiting: waiting)
        sweep()
        assert broker.take() == queued


def test_tasks_that_wait_in_redis_are_known_by_their_first_arguments() -> None:
    def message(task: str, *args: object) -> bytes:
        body = base64.b64encode(json.dumps([args, {}, {}]).encode()).decode()
        return json.dumps({"headers": {"task": task}, "body": body}).encode()

    messages = [message(SEARCH, 3, 1), message(QUICK, 4, 1), message(SEARCH, 5, 2, True)]
    assert set(queueing._first_arguments(SEARCH, messages)) == {3, 5}


@pytest.mark.parametrize("level", ["easy", "expert"])
def test_the_sweep_queues_a_lost_turn_again(
    level: str, broker: Broker, commit: Commit, clock: list[datetime]
) -> None:
    with commit():
        game = game_left_by(person("Ines"), level, level)
    (task,) = broker.take()
    clock[0] += bot_queue.LEASE + timedelta(seconds=1)
    sweep()
    assert broker.take() == [task], "no worker has started it"
    bot_queue.mark_queued(game, bot_queue.LEASE)
    clock[0] += bot_queue.LEASE + timedelta(seconds=1)
    sweep()
    assert broker.take() == [task], "the worker that has started it is dead"


def test_a_turn_is_queued_by_the_first_sweep_after_the_broker_was_down(
    broker: Broker, commit: Commit, monkeypatch: pytest.MonkeyPatch
) -> None:
    broker.is_down = True
    with commit():
        game = game_left_by(person("Ines"), "expert", "expert")
    broker.is_down = False
    monkeypatch.setattr(queueing, "_paused_until", 0.0)
    sweep()
    assert broker.take() == [(SEARCH, game.pk)]


def test_a_turn_that_cannot_be_played_does_not_stop_the_other_games(
    broker: Broker, commit: Commit, clock: list[datetime]
) -> None:
    ines = person("Ines")
    with commit():
        broken, other = (game_left_by(ines, "expert", "expert") for _game in range(2))
    assert broker.take() == [(SEARCH, broken.pk)]
    for expected in (other, broken, other):
        clock[0] += bot_queue.LEASE + timedelta(seconds=1)
        sweep()
        assert broker.take() == [(SEARCH, expected.pk)]


@pytest.mark.parametrize("back", [timedelta(minutes=5), timedelta(days=1)])
def test_no_turn_waits_longer_because_the_clock_was_set_back(
    back: timedelta, broker: Broker, commit: Commit, clock: list[datetime]
) -> None:
    with commit():
        game = game_left_by(person("Ines"), "expert", "expert")
    broker.take()
    clock[0] -= back
    sweep()
    assert broker.take() == [(SEARCH, game.pk)]


def test_a_turn_that_pauses_is_not_queued_again(
    broker: Broker, commit: Commit, clock: list[datetime], settings: Settings
) -> None:
    settings.BOT_PAUSE = 30.0
    ines = person("Ines")
    with commit():
        game = game_of(ines, bots=("easy", "easy"))
        while not game.seats.get(number=game.to_move).bot:
            play_one(game)
            game = fresh(game)
    Seat.objects.filter(user=ines).update(seen_at=NOW)
    broker.take()
    bots.take_turn(game.pk, game.version + 1)
    assert broker.take() == [("games.bots.play_chosen", game.pk)]
    clock[0] += timedelta(seconds=29)
    sweep()
    assert broker.take() == []


def test_a_site_that_starts_with_empty_queues_queues_every_turn_again(broker: Broker, commit: Commit) -> None:
    with commit():
        game = game_left_by(person("Ines"), "expert", "expert")
    broker.take()
    bots.forget_queued_turns()
    sweep()
    assert broker.take() == [(SEARCH, game.pk)]
