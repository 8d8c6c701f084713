"""Every level plays legal and repeatable actions, within its limits, and never uses hidden cards."""

import math
import random
import time
from collections.abc import Sequence
from functools import partial
from itertools import count
from typing import Any

import pytest

from games.compiled.time_limit import within
from games.lunar.bots import thinking
from games.lunar.bots.choosing import ROUNDS_PER_BATCH
from games.lunar.bots.levels import EXPERT, LEVELS, REFERENCES, choose
from games.lunar.bots.thinking import Effort, search
from games.lunar.engine import Position, Stage, Stars
from games.lunar.title_bots import LunarBots
from games.services.bots import SOFT_LIMIT
from games.services.searches import STORES_WITHIN
from games.titles.bots import Budget
from tests.lunar.bots.core import start

# Enough for a search to visit several moves.
SHORT = Budget(rollouts=40)

levels = pytest.mark.parametrize("level", [*LEVELS, *REFERENCES])


def play(levels: Sequence[str], seed: int, stars: Stars = Stars.SUITS) -> list[Position]:
    """Return the positions of a game between these levels, one for each seat."""
    rng = random.Random(seed)
    found = [start(len(levels), seed, stars)]
    while awaited := found[-1].awaited:
        seat = rng.choice(sorted(awaited))
        action = choose(found[-1].seen_by(seat), seat, levels[seat], rng, SHORT)
        assert action in found[-1].legal(seat)
        found.append(found[-1].apply(action).position)
    return found


def test_the_face_has_all_levels() -> None:
    assert [*LunarBots.levels] == [*LEVELS]
    assert [*LunarBots.references] == [*REFERENCES]


@levels
@pytest.mark.parametrize(("seats", "stars"), [(2, Stars.SUITS), (4, Stars.RANKS)])
def test_plays_whole_games_with_legal_actions(level: str, seats: int, stars: Stars) -> None:
    last = play([level] * seats, seed=seats, stars=stars)[-1]
    assert last.winner is not None
    assert last.left is None


@levels
@pytest.mark.parametrize("seats", [2, 4])
def test_hidden_cards_do_not_change_the_choice(level: str, seats: int) -> None:
    stages, changed = set(), 0
    for number, position in enumerate(play(["medium"] * seats, seed=3 + seats)):
        if number % 5 or not position.awaited:
            continue
        stages.add(position.stage)
        seat = max(position.awaited)
        other = position.guess(seat, random.Random(number))
        changed += other.hands != position.hands
        assert other.seen_by(seat) == position.seen_by(seat)
        # A bot that gets the whole position does not use it either.
        ours = [choose(one, seat, level, random.Random(1), SHORT) for one in (position, other)]
        assert ours == [choose(position.seen_by(seat), seat, level, random.Random(1), SHORT)] * 2
    assert stages >= {Stage.TRUMP, Stage.PLAY}
    assert changed > 10


@levels
def test_the_same_seed_repeats_a_game(level: str) -> None:
    assert play([level] * 2, seed=9) == play([level] * 2, seed=9)


def test_refuses_seats_that_are_not_awaited() -> None:
    with pytest.raises(ValueError, match="Seat 0 is not awaited"):
        choose(start(2, 1), 0, "medium", random.Random(1))


def rounds_played(
    position: Position, effort: Effort, ticks: float, monkeypatch: pytest.MonkeyPatch, share: float = math.inf
) -> int:
    """Return how many rounds a bot's search plays if each look at the clocks takes so much processor time.

    `share` is the share of a processor that the search gets: without it, no time passes by the clock.
    """
    played = 0
    for name in ("try_moves", "try_passes"):
        attempt = getattr(thinking, name)

        def counted(*arguments: Any, attempt: Any = attempt) -> None:
            nonlocal played
            is_left, _totals, guesses = arguments[-5:-2]
            played += guesses * int(is_left.sum())
            attempt(*arguments)

        monkeypatch.setattr(thinking, name, counted)
    for name, tick in (("thread_time", ticks), ("perf_counter", ticks / share)):
        monkeypatch.setattr(time, name, partial(next, count(0, tick)))
    limit = SOFT_LIMIT - STORES_WITHIN
    within(limit, search, position, min(position.awaited), random.Random(1), effort)
    return played


@pytest.mark.parametrize("seats", [2, 4])
def test_a_search_ends_when_its_time_is_over(seats: int, monkeypatch: pytest.MonkeyPatch) -> None:
    effort = EXPERT._replace(rollouts=50_000, seconds=1.0)
    # Each pass is tried at least once between two looks at the clock.
    most = 8 * max(ROUNDS_PER_BATCH, effort.passes)
    assert 0 < rounds_played(start(seats, 1), effort, 1 / 8, monkeypatch) <= most


@pytest.mark.parametrize("seats", [2, 4])
def test_a_busy_machine_does_not_weaken_a_search(seats: int) -> None:
    effort = EXPERT._replace(rollouts=50_000)
    shares = (1.0, 0.15, 0.12, 0.05)
    played = []
    for share in shares:
        with pytest.MonkeyPatch.context() as patch:
            played.append(rounds_played(start(seats, 1), effort, 0.05, patch, share))
    alone, *busy, hardly_any = played
    assert busy == [alone] * len(busy)
    assert 0 < hardly_any < 0.6 * alone, "the clock ends a search that gets a twentieth of a processor"


@pytest.mark.parametrize("seats", [2, 4])
def test_a_search_ends_after_its_rollouts(seats: int, monkeypatch: pytest.MonkeyPatch) -> None:
    effort = EXPERT.within(Budget(rollouts=300))
    assert 200 <= rounds_played(start(seats, 1), effort, 1000.0, monkeypatch) <= 300


def test_one_guess_is_enough_if_all_cards_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    for position in play(["medium"] * 2, seed=5):
        if len(position.tricks) == 10 and not position.trick:
            assert not any(position.piles)
            legal = len(list(position.legal(min(position.awaited))))
            # The better half is tried again, each time.
            assert 0 < rounds_played(position, EXPERT, 0.0, monkeypatch) < 2 * legal
            return
    raise AssertionError("no such position")
