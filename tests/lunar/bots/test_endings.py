"""The search of an ending with open cards finds what playing all of its rounds finds."""

import random

import pytest

from games.compiled.functions import new_random_state
from games.lunar.bots.search import state as core
from games.lunar.bots.search.endings import TRICKS_OF_ENDING, new_ending, solve_ending
from games.lunar.bots.search.race import table_of_points
from games.lunar.bots.search.stakes import Table, worth_of_round
from games.lunar.engine import HOUSE_POINTS
from tests.lunar.bots.core import moves_of


def worth_of(n: core.State, table: Table) -> float:
    """Return what a round is worth to side 0 by trying all moves to its end."""
    if core.is_round_over(n):
        return worth_of_round(n, table)
    found = []
    for move in moves_of(n):
        after = n.copy()
        core.play(after, move)
        found.append(worth_of(after, table))
    return max(found) if n[core.TURN] & 1 == 0 else min(found)


@pytest.mark.parametrize("seats", [2, 4])
def test_solves_endings(seats: int) -> None:
    rng, table, found = random.Random(seats), table_of_points(HOUSE_POINTS), set()
    for seed in range(12):
        n = core.new_state()
        core.deal(n, core.deck_of("suits"), seats, seed % seats, new_random_state(seed))
        while n[core.DONE] < core.TRICKS_IN_ROUND - TRICKS_OF_ENDING:
            core.play(n, rng.choice(moves_of(n)))
        for _ in range(core.TRICK_CARDS):
            worth = solve_ending(n, table, new_ending())
            assert worth == worth_of(n, table)
            found.add(worth)
            core.play(n, rng.choice(moves_of(n)))
    assert len(found) > 5
