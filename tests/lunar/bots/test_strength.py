"""Stronger levels win, even with tiny budgets."""

from random import Random

import pytest

from games.lunar.bots.levels import choose
from games.titles.bots import Budget
from tests.lunar.bots.core import start

TINY = Budget(rollouts=100)
LEVELS = [
    ("easy", "random"),
    ("medium", "easy"),
    pytest.param("hard", "medium", marks=pytest.mark.whole),  # takes ten times as long as the others
]


def lead(first: str, second: str, seats: int, deals: int) -> float:
    """Return by how many points a level leads in a game on average; both play each deal on each side."""
    total = 0
    for deal in range(deals):
        for side in (0, 1):
            position, rng = start(seats, deal), Random(deal)
            while position.awaited:
                seat = min(position.awaited)
                level = first if seat % 2 == side else second
                position = position.apply(choose(position.seen_by(seat), seat, level, rng, TINY)).position
            total += position.points[side] - position.points[1 - side]
    return total / (2 * deals)


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize(("first", "second"), LEVELS)
def test_a_stronger_level_wins(first: str, second: str, seats: int) -> None:
    assert lead(first, second, seats, deals=6) > 4
