"""The search of a trick with open cards finds what trying all cards finds."""

import random
from typing import Any

import numpy as np
import pytest

from games.compiled.functions import new_random_state
from games.lunar.bots.search import state as core
from games.lunar.bots.search import tricks
from games.lunar.bots.search.race import table_of_points
from games.lunar.bots.search.stakes import STAR, find_strengths, new_stakes
from games.lunar.bots.search.weights import open_weights_for
from games.lunar.engine import HOUSE_POINTS
from tests.lunar.bots.core import moves_of


def value_of(n: core.State, costs: Any, values: Any, star: float, paid: Any) -> float:
    """Return the value of a trick to side 0 by trying all cards.

    `paid` is what the cards so far add to the value if side 0, or side 1, wins.
    """
    side, found = n[core.TURN] & 1, []
    for move in moves_of(n):
        card, after = move % core.SKY_MOVE, n.copy()
        core.play(after, move)
        added = np.array([1, -1]) * star * core.is_star(card)
        if move < core.SKY_MOVE:
            added = added + costs[:, card] * (2 * side - 1)
        if after[core.PLAYED]:
            found.append(value_of(after, costs, values, star, paid + added))
        else:
            winner = int(after[core.TRICKS + 1] - n[core.TRICKS + 1])
            found.append(values[winner] + (paid + added)[winner])
    return max(found) if side == 0 else min(found)


@pytest.mark.parametrize("seats", [2, 4])
def test_solves_tricks(seats: int) -> None:
    rng, trick, solved = random.Random(seats), tricks.new_trick(), 0
    stakes = new_stakes(table_of_points(HOUSE_POINTS), open_weights_for(seats))
    n = core.new_state()
    for seed in range(8):
        core.deal(n, core.deck_of("suits"), seats, seed % seats, new_random_state(seed))
        while not core.is_round_over(n):
            played = n[core.PLAYED]
            if not core.in_trump_stage(n) and (n[core.DONE] > 3 or played > 1):
                find_strengths(stakes, n[core.TRUMP])
                value = tricks.solve_trick(n, *trick, stakes)
                costs = trick.fractions[tricks.COSTS :].reshape(2, core.CARDS)
                first = tricks.VALUE + 2 * played
                expected = value_of(n, costs, trick.fractions[first : first + 2], stakes[STAR], np.zeros(2))
                assert value == pytest.approx(expected)
                move = int(trick.numbers[tricks.ROW * played + tricks.LINE + played])
                assert move in moves_of(n)
                solved += 1
            core.play(n, rng.choice(moves_of(n)))
    assert solved > 100
