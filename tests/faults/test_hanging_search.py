"""A search that hangs or crashes costs a delay: the task is retried without it, and the log reports it."""

import re
import sys
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from games.models import Action, Hint, Review
from games.novaluna.engine import Resign, action_from_json
from games.services import bots, hints, reviews
from games.services.play import play
from tests.faults.hanging_bots import shorten_limits
from tests.play import fresh, game_left_to, game_of, person, play_one, position_of, solo_of
from tests.plugins import processes
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _short_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    shorten_limits(monkeypatch.setattr)


@pytest.fixture(scope="module")
def whole_log(tmp_path_factory: pytest.TempPathFactory, django_db_setup: None) -> Iterator[Path]:
    """The log of a worker, started as in production, whose bots hang or crash."""
    command = [sys.executable, "-m", "celery", "-A", "tests.faults.hanging_bots", "worker"]
    options = ["--queues=quick,bots", "--concurrency=1", "--without-mingle", "--without-gossip"]
    path = tmp_path_factory.mktemp("worker") / "log"
    with path.open("wb") as file, processes.running(command + options, stderr=file):
        yield path


@pytest.fixture
def read_log(whole_log: Path) -> Callable[[], str]:
    """A function that returns what the worker has logged since the test began."""
    length = len(whole_log.read_text())
    return lambda: whole_log.read_text()[length:]


def test_bots_whose_search_hangs_or_crashes_still_play_and_it_is_reported(
    read_log: Callable[[], str],
) -> None:
    game = game_left_to("easy", "medium", "hard")

    def all_have_played() -> bool:
        return set(Action.objects.filter(game=game).values_list("seat", flat=True)) == {0, 1, 2, 3}

    # A turn that has waited for the start of the worker has expired, and the sweep queues it again.
    wait_until(
        all_have_played,
        "an action of each bot",
        processes.LONGEST_START,
        meanwhile=bots.queue_waiting_turns,
        pause=0.5,
    )
    written = read_log()
    assert "A bot (easy) found no action" in written, written
    assert "SoftTimeLimitExceeded" in written, written
    # A turn that another process of the test has queued has that one's limit.
    assert re.search(r"Hard time limit \(\d+s\) exceeded for games.bots.take_quick_turn", written), written
    assert "SIGKILL" in written, written


def test_turns_whose_search_hangs_or_crashes_stay_unjudged_in_the_review(read_log: Callable[[], str]) -> None:
    people = [person(name) for name in ("Ines", "Tobias", "Mina", "Halley")]
    game = game_of(*people)
    for _turn in people:
        play_one(game)
    for number, user in enumerate(people[1:], 5):
        play(game.key, user, Resign(0), number, uuid.uuid4())
    review = reviews.ask(fresh(game), people[0])
    wait_until(
        lambda: Review.objects.filter(pk=review.pk, finished_at__isnull=False).exists(),
        "a whole review",
        processes.LONGEST_START,
    )
    review.refresh_from_db()
    seats = Action.objects.filter(game=game).order_by("number").values_list("seat", flat=True)
    judged = [seat for seat, turn in zip(seats, review.turns, strict=True) if turn["value"] is not None]
    assert judged == [3], "only the turn of seat 3 is judged; resignations never are"
    written = read_log()
    assert "SoftTimeLimitExceeded" in written, written
    assert "Hard time limit (2s) exceeded for games.bots.judge" in written, written
    assert "SIGKILL" in written, written


def test_a_hint_whose_search_crashes_is_found_without_a_search(read_log: Callable[[], str]) -> None:
    ines = person("Ines")
    game = solo_of(ines)
    hint = hints.ask(game.key, ines, 1)
    found = Hint.objects.filter(pk=hint.pk, payload__isnull=False)
    wait_until(found.exists, "a hint", processes.LONGEST_START)
    hint.refresh_from_db()
    assert position_of(game).is_legal(action_from_json(hint.payload))
    assert hint.value is None
    written = read_log()
    assert "SIGKILL" in written, written
