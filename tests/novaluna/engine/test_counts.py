"""The number of legal action sequences from fixed positions stays the same.

Any change of the rules changes these numbers.
"""

import pytest

from games.novaluna.engine import Position, read_record, replay, start
from tests.novaluna.engine.games import deal
from tests.novaluna.engine.test_records import RECORDS


def count_sequences(position: Position, depth: int) -> int:
    """Return the number of sequences of `depth` legal actions, and of shorter ones that end the game."""
    if depth == 0 or position.over:
        return 1
    if depth == 1:
        return len(position.legal_actions)
    return sum(
        count_sequences(position.apply(action).position, depth - 1) for action in position.legal_actions
    )


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
    assert [count_sequences(position, depth) for depth in range(1, len(counts) + 1)] == counts


@pytest.mark.parametrize(
    ("record", "actions", "counts"),
    [
        ("00000-solo-1-early-refill", 8, [34, 858]),  # A refill is allowed with three tiles on the wheel.
        ("00007-solo-1", 11, [1, 39]),  # A refill is forced.
        ("00004-multiplayer-2", 9, [19, 234]),  # A refill is allowed.
        ("00018-multiplayer-4", 69, [1, 99]),  # The last refill is forced and draws six tiles.
        ("00006-multiplayer-3", 71, [69, 3036]),  # Three tiles are left in the game.
        ("00006-multiplayer-3", 73, [27, 27]),  # One tile is left.
    ],
)
def test_counts_in_the_middle_of_a_game(record: str, actions: int, counts: list[int]) -> None:
    setup, log = read_record((RECORDS / f"{record}.json").read_bytes())
    *_, step = replay(setup, log[:actions])
    assert [count_sequences(step.position, depth) for depth in (1, 2)] == counts
