"""Weights of the policy and of open cards: where they are in their arrays, and their values by seats."""

from functools import cache
from typing import Any

import numpy as np

RANK_STRENGTH = 0  # by rank [8]
TRUMP_STRENGTH = 8
SUIT_STRENGTH = 9
OTHERS_RANK = 10  # how much others prefer ranks that win what they want
OTHERS_TRUMP = 11
KNOWN_CHOICE = 12  # how much more they do so with cards that everybody sees
STRENGTH_TO_CHANCE = 13
HOLD_STAR = 14
SKY_SHARE = 15  # the share of a card's strength that taking it from the sky costs
SUIT_FIRST = 16
SUIT_FIRST_WANTED = 17
FLIP_COUNT = 18
FLIP_STAR = 19
PASS_RANK = 20  # by rank [8]
PASS_LENGTH = 28
PASS_STAR = 29
WEIGHTS = 30

# Open cards have weights for tricks that both sides want to win, and for those that both want to lose.
OPEN_RANK = 0  # by rank [8]
OPEN_TRUMP = 8
OPEN_SUIT = 9
OPEN_TEMPO = 10  # of who leads next
OPEN_EACH = 11
OPEN_WEIGHTS = 2 * OPEN_EACH

# The lines are in the order of the names above.
# fmt: off
_BY_SEATS = {
    2: (
        -0.83, -0.12, 0.06, 0.05, 0.11, 0.17, 0.36, 0.52,
        0.71, -0.13,
        0.58, 0.96, 1.22, 1.15,
        0.38, -0.23, 0.42, 1.05,
        -0.63, -0.05,
        -0.27, 0.52, -0.09, 0.13, 0.14, -0.10, -0.07, 0.41,
        -0.94, 0.42,
    ),
    4: (
        -0.30, -0.29, -0.21, -0.34, -0.23, -0.05, 0.18, 0.20,
        0.26, -0.40,
        0.71, 0.93, 0.91, 1.03,
        0.15, 0.34, -0.76, 0.53,
        -0.92, -0.03,
        -0.28, 0.09, 0.03, 0.73, 0.24, -0.29, -0.13, 0.08,
        0.22, 0.37,
    ),
}
# As `games.lunar.bots.search.tuning` left them.
_OPEN_BY_SEATS = {
    2: (
        -0.18, -0.19, -0.38, -0.18, -0.01, 0.00, 0.24, 0.45, 0.79, -0.34, 0.18,
        -0.35, -0.24, 0.00, 0.04, 0.13, 0.17, 0.13, 0.12, 0.38, -0.11, 0.06,
    ),
    4: (
        -0.34, -0.25, -0.27, -0.16, 0.00, 0.03, 0.29, 0.39, 0.69, -0.16, 0.21,
        -0.46, -0.27, -0.15, -0.01, 0.02, 0.21, 0.23, 0.27, 0.38, -0.18, 0.25,
    ),
}
# fmt: on


@cache
def weights_for(seats: int) -> Any:
    """Return the policy's weights for a number of seats."""
    return np.array(_BY_SEATS[seats], float)


@cache
def open_weights_for(seats: int) -> Any:
    """Return the weights of open cards for a number of seats."""
    return np.array(_OPEN_BY_SEATS[seats], float)
