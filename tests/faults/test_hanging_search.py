"""A search that hangs, or dies, costs a moment: the turn is played without it, and somebody hears of it."""

import sys
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from games.models import Action
from games.services.play import play
from tests.faults.test_killed_worker import until
from tests.play import game_of, person
from tests.plugins import processes

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def log(tmp_path: Path, django_db_setup: None) -> Iterator[Path]:
    """What a worker writes, as production starts it, whose bots' searches hang."""
    command = [sys.executable, "-m", "celery", "-A", "tests.faults.hanging_bots", "worker"]
    options = ["--queues=bots", "--concurrency=1", "--without-mingle", "--without-gossip"]
    path = tmp_path / "log"
    with path.open("wb") as file, processes.running(command + options, stderr=file):
        yield path


def test_a_search_that_hangs_or_dies_costs_no_turn_and_is_reported(log: Path) -> None:
    ines = person("Ines")
    game = game_of(ines, bots=("easy", "medium", "hard"))
    play(game.key, ines, {"do": "resign"}, 1, uuid.uuid4())

    def all_have_played() -> bool:
        return set(Action.objects.filter(game=game).values_list("seat", flat=True)) == {0, 1, 2, 3}

    until(all_have_played, "an action of each bot")
    written = log.read_text()
    assert "A bot (easy) found nothing to play" in written
    assert "SoftTimeLimitExceeded" in written
    assert "Hard time limit (1s) exceeded for games.bots.take_turn" in written
    assert "SIGKILL" in written, written
