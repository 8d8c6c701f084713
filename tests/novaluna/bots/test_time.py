"""A search ends by the processor time that it gets, and by the clock only if it gets hardly any."""

import itertools
import random
import time
from functools import partial

import pytest

from games.compiled.time_limit import within
from games.novaluna.bots.levels import EXPERT
from games.novaluna.bots.thinking import ROLLOUTS_PER_CHECK, estimate_actions
from games.novaluna.engine import start
from games.services.bots import SOFT_LIMIT
from games.services.searches import STORES_WITHIN
from tests.novaluna.engine.games import deal

STEP = 0.05  # seconds of processor time that pass each time when the search looks at the clocks
ALL_LOOKS = 20  # those of a search that gets its second of processor time
MOST_LOOKS = 40
EFFORT = EXPERT._replace(
    seconds=1.0, rollouts=MOST_LOOKS * ROLLOUTS_PER_CHECK, refill_trials=3_600, decisive_lead=float("inf")
)

seats = pytest.mark.parametrize("seats", [1, 2, 4])


def looks(seats: int, monkeypatch: pytest.MonkeyPatch, *, processor: float = 1.0, clock: float) -> int:
    """Return how often a bot's search goes on, by how fast both clocks go."""
    for name, speed in (("thread_time", processor), ("perf_counter", clock)):
        monkeypatch.setattr(time, name, partial(next, itertools.count(0, STEP * speed)))
    position = start(deal(seats, 1)).public()
    limit = SOFT_LIMIT - STORES_WITHIN
    visits = [one.visits for one in within(limit, estimate_actions, position, random.Random(1), EFFORT)]
    # In a solo game, each of the ends that are left gets one trial between two looks.
    return max(visits) if seats == 1 else sum(visits) // ROLLOUTS_PER_CHECK


@seats
@pytest.mark.parametrize("share", [1, 0.5, 0.2, 0.15, 0.12])
def test_a_busy_machine_does_not_weaken_a_search(
    seats: int, share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert looks(seats, monkeypatch, clock=1 / share) == ALL_LOOKS


@seats
@pytest.mark.parametrize(("share", "most"), [(0.11, 19), (0.05, 9), (0.01, 2)])
def test_a_search_that_gets_hardly_any_processor_time_ends_by_the_clock(
    seats: int, share: float, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert most / 2 <= looks(seats, monkeypatch, clock=1 / share) <= most


@seats
def test_a_search_goes_on_while_no_time_passes(seats: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert looks(seats, monkeypatch, processor=0, clock=0) >= MOST_LOOKS


@seats
def test_a_search_whose_time_is_over_still_has_an_answer(seats: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert looks(seats, monkeypatch, processor=0, clock=1000) == 1
