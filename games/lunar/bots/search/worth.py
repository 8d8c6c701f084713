"""What tricks are worth: the points that a side may expect of a round, by the tricks that both have won.

A table is made once for the points of a trick track. It has a layer for each chance of the own side to win
one of the tricks to come: a side whose hands are strong wins more of them, whether it wants to or not.
"""

from typing import Any

import numpy as np

from games.compiled.functions import compiled
from games.lunar.bots.search.state import TRICKS_IN_ROUND

LAYERS = 9
LOWEST_CHANCE = 0.3
CHANCE_STEP = 0.05
SIDE = TRICKS_IN_ROUND + 1

Worth = Any  # [layer, own tricks, tricks of the other side]: the expected lead in points


def worth_of_tricks(points: Any) -> Worth:
    """Return the table for the points of 0 to 12 tricks."""
    worth = np.zeros((LAYERS, SIDE, SIDE))
    for own in range(SIDE):
        worth[:, own, TRICKS_IN_ROUND - own] = points[own] - points[TRICKS_IN_ROUND - own]
    for layer in range(LAYERS):
        chance = LOWEST_CHANCE + CHANCE_STEP * layer
        for done in range(TRICKS_IN_ROUND - 1, -1, -1):
            for own in range(done + 1):
                other = done - own
                won, lost = worth[layer, own + 1, other], worth[layer, own, other + 1]
                worth[layer, own, other] = chance * won + (1 - chance) * lost
    return worth


@compiled
def layer_of(chance: float) -> int:
    """Return the layer for the nearest chance that has one with neighbours."""
    layer = int((chance - LOWEST_CHANCE) / CHANCE_STEP + 0.5)
    return max(1, min(LAYERS - 2, layer))


@compiled
def worth_of_winning(worth: Worth, layer: int, own: int, other: int) -> float:
    """Return how many points it is worth to win the next trick: less than 0 if it is better to lose it."""
    return float(worth[layer, own + 1, other] - worth[layer, own, other + 1])


@compiled
def worth_of_strength(worth: Worth, layer: int, own: int, other: int) -> float:
    """Return the mean worth of winning one of the tricks to come."""
    left = TRICKS_IN_ROUND - own - other
    if left < 1:
        return 0.0
    return float((worth[layer + 1, own, other] - worth[layer - 1, own, other]) / (2 * CHANCE_STEP * left))
