"""The search of an ending with open cards finds what playing all of its rounds finds."""

import random

import pytest

from games.compiled.functions import new_random_state
from games.lunar.bots.search import state as core
from games.lunar.bots.search.endings import new_ending, solve_ending
from games.lunar.bots.search.race import table_of_points
from games.lunar.bots.search.stakes import Table, worth_of_round
from games.lunar.engine import HOUSE_POINTS
from tests.lunar.bots.core import moves_of


def worth_of(n: core.State, table: Table) -> float:
    """Return what a round is worth to side 0 by trying all moves to its end."""
    if core.is_round_over(n):
        return worth_of_round(n[core.TRICKS], n[core.STARS], n[core.STARS + 1], table)
    found = []
    for move in moves_of(n):
        after = n.copy()
        core.play(after, move)
        found.append(worth_of(after, table))
    return max(found) if n[core.TURN] & 1 == 0 else min(found)


def before(seats: int, seed: int, tricks: int, rng: random.Random) -> core.State:
    """Return a round in which these tricks are left, after random moves."""
    n = core.new_state()
    core.deal(n, core.deck_of("suits"), seats, seed % seats, new_random_state(seed))
    while n[core.DONE] < core.TRICKS_IN_ROUND - tricks:
        core.play(n, rng.choice(moves_of(n)))
    return n


@pytest.mark.parametrize("seats", [2, 4])
def test_solves_endings(seats: int) -> None:
    rng, table, found = random.Random(seats), table_of_points(HOUSE_POINTS), set()
    for seed in range(12):
        n = before(seats, seed, 2, rng)
        for _ in range(core.TRICK_CARDS):
            worth = solve_ending(n, table, new_ending())
            assert worth == worth_of(n, table)
            found.add(worth)
            core.play(n, rng.choice(moves_of(n)))
    assert len(found) > 5


@pytest.mark.parametrize("seats", [2, 4])
def test_longer_endings_are_worth_what_their_best_move_is(seats: int) -> None:
    rng, table, ending = random.Random(seats), table_of_points(HOUSE_POINTS), new_ending()
    for tricks in (3, 4):
        for seed in range(6):
            n, found = before(seats, seed, tricks, rng), []
            for move in moves_of(n):
                after = n.copy()
                core.play(after, move)
                found.append(solve_ending(after, table, ending))
            best = max(found) if n[core.TURN] & 1 == 0 else min(found)
            assert solve_ending(n, table, ending) == best
