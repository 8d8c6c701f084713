"""The queue of reviews: one turn at a time, people in turn, and no turn lost or judged twice."""

import uuid
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta

import pytest
from celery import current_app
from django.utils import timezone

from accounts.models import User
from games.models import Game, Review
from games.novaluna.bots import judging, luck
from games.novaluna.engine import Resign
from games.services import reviews
from games.services.errors import Conflict
from games.services.play import play
from tests.play import fresh, person, play_one, solo_of

pytestmark = pytest.mark.django_db


def ask(game: Game) -> Review:
    """Ask for the review of a game as its first player, and return it."""
    return reviews.ask(game, game.seats.get(number=0).user)


@pytest.fixture
def games() -> list[Game]:
    """Three games that are over after two actions."""
    return [short_game(name) for name in ("Ines", "Mina", "Noor")]


def short_game(name: str) -> Game:
    user = User.objects.filter(username=name).first() or person(name)
    game = solo_of(user)
    play_one(game)
    play(game.key, user, Resign(0), 2, uuid.uuid4())
    return fresh(game)


class Queue:
    """The queued judgements. A test runs them one by one."""

    def __init__(self, commits: Callable[..., AbstractContextManager[list[Callable[[], None]]]]) -> None:
        self.waiting: list[tuple[int, int]] = []
        self.commits = commits

    def ask(self, game: Game) -> Review:
        with self.commits(execute=True):
            return ask(game)

    def run_all(self) -> list[tuple[int, int]]:
        """Run the queued judgements and all that they queue, and return them in their order."""
        run = []
        while self.waiting:
            run.append(self.waiting[0])
            self.run_one()
        return run

    def run_one(self) -> None:
        with self.commits(execute=True):
            reviews.judge_next(*self.waiting.pop(0))


@pytest.fixture
def queue(
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Callable[..., AbstractContextManager[list[Callable[[], None]]]],
) -> Queue:
    queue = Queue(django_capture_on_commit_callbacks)
    monkeypatch.setattr(current_app, "send_task", lambda _name, args, **_: queue.waiting.append(args))
    monkeypatch.setattr(judging, "judge", lambda *_: judging.Judgement())
    monkeypatch.setattr(luck, "luck_of_deal", lambda *_: luck.Luck((), (), ()))
    return queue


def unfinished() -> int:
    return Review.objects.filter(finished_at=None).count()


@pytest.mark.databases
def test_one_turn_is_queued_at_a_time_and_people_take_turns(games: list[Game], queue: Queue) -> None:
    asked = [queue.ask(game) for game in games]
    assert len(queue.waiting) == 1
    assert queue.run_all() == [(review.pk, number) for number in (1, 2) for review in asked]
    assert unfinished() == 0


@pytest.mark.databases
def test_a_person_with_many_reviews_does_not_delay_another_person(games: list[Game], queue: Queue) -> None:
    first, second, third = [queue.ask(game) for game in (games[0], short_game("Ines"), short_game("Ines"))]
    other = queue.ask(games[1])
    assert queue.run_all() == [
        (first.pk, 1),
        (other.pk, 1),
        (first.pk, 2),
        (other.pk, 2),
        *[(review.pk, number) for review in (second, third) for number in (1, 2)],
    ]


def test_a_person_can_ask_for_three_reviews_at_the_same_time(games: list[Game], queue: Queue) -> None:
    own = [games[0], *[short_game("Ines") for _game in range(3)]]
    for game in own[:3]:
        queue.ask(game)
    with pytest.raises(Conflict, match="three reviews"):
        queue.ask(own[3])
    assert Review.objects.count() == 3
    queue.ask(own[0])
    queue.ask(games[1])
    queue.run_all()
    queue.ask(own[3])
    assert len(queue.waiting) == 1


def test_a_second_request_queues_nothing(games: list[Game], queue: Queue) -> None:
    for _again in range(2):
        queue.ask(games[0])
    assert len(queue.waiting) == 1


@pytest.mark.databases
def test_simultaneous_requests_queue_one_turn(games: list[Game], queue: Queue) -> None:
    with queue.commits(execute=True):
        older, _younger = [ask(game) for game in games[:2]]
    assert queue.waiting == [(older.pk, 1)]


def test_a_turn_that_was_queued_twice_is_judged_once(
    games: list[Game], queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    for game in games:
        queue.ask(game)
    queue.waiting *= 2
    judged = []
    monkeypatch.setattr(judging, "judge", lambda *args: judged.append(args) or judging.Judgement())
    queue.run_all()
    assert unfinished() == 0
    assert len(judged) == 6


def test_a_request_during_the_last_turn_of_another_review_queues_the_new_review(
    games: list[Game], queue: Queue
) -> None:
    queue.ask(games[0])
    queue.run_one()
    with queue.commits(execute=True):
        reviews.judge_next(*queue.waiting.pop())
        asked = ask(games[1])
    assert set(queue.waiting) == {(asked.pk, 1)}


def test_the_sweep_queues_a_turn_only_if_none_is_queued(games: list[Game], queue: Queue) -> None:
    asked = [queue.ask(game) for game in games]
    queue.waiting.clear()
    assert reviews.overdue_turns() == []
    Review.objects.update(queued_at=timezone.now() - timedelta(hours=1))
    assert reviews.overdue_turns() == [(asked[0].pk, 1)]
    queue.waiting += reviews.overdue_turns()
    queue.run_one()
    assert queue.waiting == [(asked[1].pk, 1)]
    Review.objects.update(judged_at=timezone.now() - timedelta(minutes=1))
    assert reviews.overdue_turns() == [], "the others wait for this turn, however long it takes"


def test_a_review_that_cannot_be_judged_does_not_stop_the_others(
    games: list[Game], queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_game: Game, _number: int) -> None:
        raise RuntimeError("no log")

    broken, other = [queue.ask(game) for game in games[:2]]
    with monkeypatch.context() as patch:
        patch.setattr(reviews, "log_as_acted", fail)
        with pytest.raises(RuntimeError, match="no log"):
            queue.run_one()
    Review.objects.filter(pk=broken.pk).update(queued_at=timezone.now() - timedelta(minutes=1))
    queue.waiting += reviews.overdue_turns()
    assert queue.waiting == [(other.pk, 1)]
    queue.run_one()
    assert queue.waiting.pop() == (other.pk, 2)
    Review.objects.update(queued_at=timezone.now() - timedelta(hours=1))
    assert reviews.overdue_turns() == [(broken.pk, 1)], "it is tried again, in case an update has mended it"
