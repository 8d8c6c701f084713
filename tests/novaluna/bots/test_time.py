"""A search ends by the processor time that it gets, and by the clock only if it gets hardly any."""

import random
import time

import pytest

from games.compiled.time_limit import within
from games.novaluna.bots import judging, thinking
from games.novaluna.bots.levels import EXPERT
from games.novaluna.bots.thinking import ROLLOUTS_PER_CHECK, estimate_actions
from games.novaluna.bots.training import compare
from games.novaluna.engine import Refill, RefillRule, start
from games.services import training
from games.services.bots import SOFT_LIMIT
from games.services.searches import STORES_WITHIN
from games.titles.bots import Budget
from tests.novaluna.engine.games import deal

STEP = 0.05  # seconds of processor time that pass each time when a bot's search looks at the clocks
ALL_LOOKS = 20  # those of a search that gets its second of processor time
MOST_LOOKS = 40
EFFORT = EXPERT._replace(
    seconds=1.0, rollouts=MOST_LOOKS * ROLLOUTS_PER_CHECK, refill_trials=3_600, decisive_lead=float("inf")
)

seats = pytest.mark.parametrize("seats", [1, 2, 4])


class Clocks:
    """Clocks of a search that gets a share of a processor; processor time goes on with each look at it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, share: float, step: float = STEP) -> None:
        self.processor, self.share, self.step = 0.0, share, step
        monkeypatch.setattr(time, "thread_time", self.thread_time)
        monkeypatch.setattr(time, "perf_counter", self.perf_counter)

    def thread_time(self) -> float:
        self.processor += self.step
        return self.processor

    def perf_counter(self) -> float:
        return self.processor / self.share


def looks(seats: int) -> int:
    """Return how often a bot's search goes on."""
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
    Clocks(monkeypatch, share)
    assert looks(seats) == ALL_LOOKS


@seats
@pytest.mark.parametrize(("share", "most"), [(0.11, 19), (0.05, 9), (0.01, 2)])
def test_a_search_that_gets_hardly_any_processor_time_ends_by_the_clock(
    seats: int, share: float, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    Clocks(monkeypatch, share)
    assert most / 2 <= looks(seats) <= most


@seats
def test_a_search_goes_on_while_no_time_passes(seats: int, monkeypatch: pytest.MonkeyPatch) -> None:
    Clocks(monkeypatch, share=1, step=0)
    assert looks(seats) >= MOST_LOOKS


@seats
def test_a_search_whose_time_is_over_still_has_an_answer(seats: int, monkeypatch: pytest.MonkeyPatch) -> None:
    Clocks(monkeypatch, share=0.001)
    assert looks(seats) == 1


@pytest.fixture
def short_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the trainer's searches look at the clocks after a few games, to save time."""
    monkeypatch.setattr(thinking, "ROLLOUTS_PER_CHECK", 4)
    monkeypatch.setattr(judging, "LINE_LOOK", Budget(rollouts=60))


def judge_for_trainer(seats: int, share: float, *, refills: bool = False) -> tuple[float, float]:
    """Return the processor time and the clock time of the trainer's judgement of an action."""
    position = start(deal(seats, 5))
    while refills and position.refill is not RefillRule.ALLOWED:
        position = position.apply(next(iter(position.legal_actions))).position
    *_others, played = (one for one in position.legal_actions if isinstance(one, Refill) == refills)
    with pytest.MonkeyPatch.context() as patch:
        clocks = Clocks(patch, share, step=0.04)
        limit = training.SOFT_LIMIT - STORES_WITHIN
        found = within(limit, compare, position.public(), played, random.Random(1))
        assert played in dict(found.worths)
        assert len(found.worths) > 1, "the best action has an estimate of its own"
        return clocks.processor, clocks.perf_counter()


@pytest.mark.usefixtures("short_checks")
@pytest.mark.parametrize(("seats", "refills"), [(1, False), (2, False), (4, False), (2, True)])
def test_a_judgement_of_the_trainer_ends_within_the_limit_of_its_task(seats: int, refills: bool) -> None:
    alone, *busy = (judge_for_trainer(seats, share, refills=refills) for share in (1, 0.5, 0.25))
    assert busy == [(alone[0], pytest.approx(alone[0] / share)) for share in (0.5, 0.25)]
    for share in (0.12, 0.08):
        processor, clock = judge_for_trainer(seats, share, refills=refills)
        assert clock <= training.SOFT_LIMIT
        assert processor <= alone[0]
