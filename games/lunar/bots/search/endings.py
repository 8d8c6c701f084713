"""The last tricks of a round, for players who see all cards: an alpha-beta search to the end of the round."""

from typing import Any, NamedTuple

import numpy as np

from games.compiled.functions import compiled
from games.lunar.bots.search.stakes import Table, worth_of_round
from games.lunar.bots.search.state import (
    MOST_MOVES,
    SIZE,
    TRICK_CARDS,
    TURN,
    State,
    find_moves,
    is_round_over,
    play,
)

TRICKS_OF_ENDING = 2
DEEPEST = TRICKS_OF_ENDING * TRICK_CARDS
# What a row of numbers has.
COUNT = 0  # of legal moves
TRIED = 1
# What a row of fractions has.
BEST = 0
ALPHA = 1
BETA = 2


class Ending(NamedTuple):
    """Room to solve an ending: a row for each card that is played."""

    states: Any
    moves: Any
    numbers: Any
    fractions: Any


def new_ending() -> Ending:
    """Return room for endings."""
    return Ending(
        np.zeros((DEEPEST + 1, SIZE), np.int64),
        np.zeros((DEEPEST + 1, MOST_MOVES), np.int64),
        np.zeros((DEEPEST + 1, 2), np.int64),
        np.zeros((DEEPEST + 1, 3)),
    )


@compiled
def open_row(row: int, ending: Ending) -> None:
    """Begin to search a position."""
    states, moves, numbers, fractions = ending
    numbers[row, TRIED] = 0
    numbers[row, COUNT] = 0 if is_round_over(states[row]) else find_moves(states[row], moves[row])
    fractions[row, BEST] = -np.inf if states[row, TURN] & 1 == 0 else np.inf


@compiled
def solve_ending(n: State, table: Table, ending: Ending) -> float:
    """Return what a round is worth to side 0, of which an ending is still to be played."""
    states, moves, numbers, fractions = ending
    states[0] = n
    open_row(0, ending)
    fractions[0, ALPHA], fractions[0, BETA] = -np.inf, np.inf
    row = 0
    while True:
        if numbers[row, TRIED] < numbers[row, COUNT] and fractions[row, ALPHA] < fractions[row, BETA]:
            states[row + 1] = states[row]
            play(states[row + 1], moves[row, numbers[row, TRIED]])
            numbers[row, TRIED] += 1
            row += 1
            open_row(row, ending)
            fractions[row, ALPHA] = fractions[row - 1, ALPHA]
            fractions[row, BETA] = fractions[row - 1, BETA]
            continue
        value = fractions[row, BEST]
        if is_round_over(states[row]):
            value = worth_of_round(states[row], table)
        if row == 0:
            return float(value)
        row -= 1
        if states[row, TURN] & 1 == 0:
            fractions[row, BEST] = max(fractions[row, BEST], value)
            fractions[row, ALPHA] = max(fractions[row, ALPHA], value)
        else:
            fractions[row, BEST] = min(fractions[row, BEST], value)
            fractions[row, BETA] = min(fractions[row, BETA], value)
