"""A search is limited by the processor time that it gets, so a busy machine does not weaken a bot."""

import itertools
import random
import time
from functools import partial

import pytest

from games.novaluna.bots.levels import EXPERT
from games.novaluna.bots.thinking import ROLLOUTS_PER_CHECK, estimate_actions
from games.novaluna.engine import start
from tests.novaluna.engine.games import deal

STEP = 0.25  # seconds that a clock goes on each time when the search looks at it
ROLLOUTS = 20 * ROLLOUTS_PER_CHECK


def rollouts_played(monkeypatch: pytest.MonkeyPatch, *, processor: float, clock: float) -> int:
    """Return how many games a search of one second plays, by how fast both clocks go."""
    for name, speed in (("thread_time", processor), ("perf_counter", clock)):
        monkeypatch.setattr(time, name, partial(next, itertools.count(0, STEP * speed)))
    effort = EXPERT._replace(rollouts=ROLLOUTS, seconds=1.0, decisive_lead=float("inf"))
    estimates = estimate_actions(start(deal(2, 1)).public(), random.Random(1), effort)
    return sum(estimate.visits for estimate in estimates)


@pytest.mark.parametrize("clock", [1, 2, 4])
def test_a_search_ends_by_its_processor_time(monkeypatch: pytest.MonkeyPatch, clock: float) -> None:
    assert rollouts_played(monkeypatch, processor=1, clock=clock) == 4 * ROLLOUTS_PER_CHECK


def test_a_search_that_gets_hardly_any_processor_time_ends_by_the_clock(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert rollouts_played(monkeypatch, processor=0, clock=4) == 5 * ROLLOUTS_PER_CHECK


def test_a_search_with_time_left_plays_all_its_games(monkeypatch: pytest.MonkeyPatch) -> None:
    assert rollouts_played(monkeypatch, processor=0.01, clock=0.01) == ROLLOUTS
