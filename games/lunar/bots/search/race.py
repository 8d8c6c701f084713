"""The race to more than 30 points: the chance to win the game with the points of both sides after a round."""

from functools import lru_cache
from typing import Any

import numpy as np

from games.compiled.functions import new_random_state
from games.lunar.bots.search.rounds import new_room, play_rounds
from games.lunar.bots.search.stakes import Table, new_stakes
from games.lunar.bots.search.state import deck_of
from games.lunar.bots.search.weights import open_weights_for, weights_for

GOAL = 30  # more points than this win
MOST = 80  # more than any side can have after a round that began below the goal
ROUNDS = 400  # that are played to see which points rounds give
SEED = 1


@lru_cache(maxsize=32)
def chances_after(seats: int, points: tuple[int, ...], stars: str) -> Any:
    """Return the chance of side 0 to win the game, by the points of both sides after a round."""
    results = _results_of_rounds(seats, points, stars)
    chance = np.full((MOST + 1, MOST + 1), 0.5)
    for own in range(MOST + 1):
        for other in range(MOST + 1):
            if max(own, other) > GOAL and own != other:
                chance[own, other] = own > other
    for total in range(2 * GOAL, -1, -1):
        for own in range(max(0, total - GOAL), total // 2 + 1):
            other = total - own
            after = chance[np.minimum(own + results[:, 0], MOST), np.minimum(other + results[:, 1], MOST)]
            chance[own, other] = after.mean()
            chance[other, own] = 1 - chance[own, other]
    return chance


def _results_of_rounds(seats: int, points: tuple[int, ...], stars: str) -> Any:
    """Return the points of both sides in some rounds, each also with the sides swapped."""
    table, found = table_of_points(points), np.zeros((ROUNDS, 2), np.int64)
    stakes, random = new_stakes(table, open_weights_for(seats)), new_random_state(SEED)
    play_rounds(
        deck_of(stars), seats, table.points, stakes, stakes, weights_for(seats), random, new_room(), found
    )
    both = np.concatenate([found, found[:, ::-1]])
    # A round without points changes nothing, and another one follows.
    return both[both.sum(axis=1) > 0]


def table_of_points(points: tuple[int, ...]) -> Table:
    """Return a table at which only the lead in points counts."""
    no_chances = np.zeros((MOST + 1, MOST + 1))
    return Table(np.array(points, np.int64), no_chances, np.zeros(2, np.int64), 1.0)
