"""Counts of legal action sequences from fixed deals: a canary for any change of the rules."""

import pytest

from games.engine import Position, start
from tests.engine.games import deal


def count(position: Position, depth: int) -> int:
    """Return how many sequences of `depth` legal actions there are; a game that ends sooner counts once."""
    if depth == 0 or position.over:
        return 1
    if depth == 1:
        return len(position.legal_actions)
    return sum(count(position.apply(action).position, depth - 1) for action in position.legal_actions)


@pytest.mark.parametrize(
    ("seats", "seed", "counts"),
    [
        (1, 2026, [3, 36, 648, 14256]),
        (2, 2026, [3, 9, 108, 1320]),
        (3, 2026, [3, 9, 27, 324]),
        (4, 2026, [3, 9, 27, 81]),
    ],
)
def test_counts_from_the_start(seats: int, seed: int, counts: list[int]) -> None:
    position = start(deal(seats, seed))
    assert [count(position, depth) for depth in range(1, len(counts) + 1)] == counts
