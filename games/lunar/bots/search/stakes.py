"""What tricks and cards are worth to players who see all cards, as one array of fractions for each search.

All values are those of side 0. The worth of some tricks depends on two chances of side 0: to win a trick to
come that both sides want to win, and one that both want to lose. Both follow from how strong the hands are:
a card makes its side win more of either, or fewer.
"""

from typing import Any, NamedTuple

import numpy as np

from games.compiled.functions import compiled
from games.lunar.bots.search.state import (
    CARDS,
    TRICKS_IN_ROUND,
    is_suit,
    value_of,
)
from games.lunar.bots.search.weights import (
    OPEN_EACH,
    OPEN_RANK,
    OPEN_SUIT,
    OPEN_TEMPO,
    OPEN_TRUMP,
    OPEN_WEIGHTS,
)

LAYERS = 11  # of chances, from 0 to 1
STEP = 1 / (LAYERS - 1)
SIDE = TRICKS_IN_ROUND + 1
CELLS = LAYERS * LAYERS
MOST_CHANCE = 0.9999  # so that there is a layer above

# Where the array has what. Kinds of tricks are 0, that both sides want to win, and 1, that both want to lose.
STRENGTH = 0  # by how much the hands of side 0 are stronger, by kind [2]
SLOPE = 2  # by how much more a result is worth for more of it, by kind [2]
STRENGTHS = 4  # of cards, by kind [2, 24]
STAR = STRENGTHS + 2 * CARDS  # the worth of a star
WEIGHTS = STAR + 1
WORTH = WEIGHTS + OPEN_WEIGHTS  # [tricks of side 0, of side 1, layer of kind 0, of kind 1]
STAKES = WORTH + SIDE * SIDE * CELLS

Stakes = Any


class Table(NamedTuple):
    """What the results of a round are worth, at the table of a game and with the points before the round."""

    points: Any  # of 0 to 12 tricks
    chances: Any  # of side 0 to win the game, by the points of both sides after the round
    before: Any  # the points of both sides before it [2]
    margin: float  # what a point of the lead in a round is worth, beside the chance to win


def new_stakes(table: Table, weights: Any, stars: Any = (0, 0)) -> Stakes:
    """Return the stakes of a round in which both sides have won these stars so far."""
    worth = np.zeros((SIDE, SIDE, LAYERS, LAYERS))
    own = np.arange(SIDE)
    worth[own, TRICKS_IN_ROUND - own] = _results(table, stars)[:, None, None]
    chance = np.linspace(0, 1, LAYERS)
    for done in range(TRICKS_IN_ROUND - 1, -1, -1):
        for tricks in range(done + 1):
            won, lost = worth[tricks + 1, done - tricks], worth[tricks, done - tricks + 1]
            chances = np.where(won > lost, chance[:, None], chance)
            worth[tricks, done - tricks] = lost + (won - lost) * chances
    stakes = np.zeros(STAKES)
    stakes[STAR] = _worth_of_star(table, stars)
    stakes[WEIGHTS:WORTH] = weights
    stakes[WORTH:] = worth.ravel()
    return stakes


def _results(table: Table, stars: Any) -> Any:
    """Return what each number of tricks of side 0 is worth at the end, with the stars of both sides."""
    first, second = table.points + stars[0], table.points[::-1] + stars[1]
    before = table.before
    return table.chances[before[0] + first, before[1] + second] + table.margin * (first - second)


def _worth_of_star(table: Table, stars: Any) -> float:
    """Return by how much one more star of side 0 is worth more than none, for most results of a round."""
    more = _results(table, (stars[0] + 1, stars[1])) - _results(table, (stars[0], stars[1] + 1))
    return float(more[1:9].mean() / 2)


@compiled
def worth_of_round(tricks: int, stars: int, other_stars: int, table: Table) -> float:
    """Return what a finished round is worth, by the tricks of side 0 and the stars of both sides."""
    first = table.points[tricks] + stars
    second = table.points[TRICKS_IN_ROUND - tricks] + other_stars
    chance = table.chances[table.before[0] + first, table.before[1] + second]
    return float(chance + table.margin * (first - second))


@compiled
def find_strengths(stakes: Stakes, trump: int) -> None:
    """Write the strengths of all cards if a suit is trump."""
    for kind in range(2):
        weights = WEIGHTS + OPEN_EACH * kind
        for card in range(CARDS):
            if is_suit(card):
                weight = OPEN_TRUMP if value_of(card) == trump else OPEN_SUIT
            else:
                weight = OPEN_RANK + value_of(card)
            stakes[STRENGTHS + CARDS * kind + card] = stakes[weights + weight]


@compiled
def value_of_tricks(stakes: Stakes, own: int, other: int, lead: int) -> float:
    """Return what tricks of both sides are worth if side 0 leads (1) or side 1 (-1), and write the slopes."""
    left = TRICKS_IN_ROUND - own - other
    cell = WORTH + (own * SIDE + other) * CELLS
    if left == 0:
        stakes[SLOPE] = stakes[SLOPE + 1] = 0.0
        return float(stakes[cell])
    first = 0.5 + (stakes[STRENGTH] + lead * stakes[WEIGHTS + OPEN_TEMPO]) / left
    second = 0.5 + (stakes[STRENGTH + 1] + lead * stakes[WEIGHTS + OPEN_EACH + OPEN_TEMPO]) / left
    first = min(MOST_CHANCE, max(0.0, first)) / STEP
    second = min(MOST_CHANCE, max(0.0, second)) / STEP
    i, j = int(first), int(second)
    first -= i
    second -= j
    # Between the four cells around the chances.
    cell += i * LAYERS + j
    low = stakes[cell] + second * (stakes[cell + 1] - stakes[cell])
    cell_above = cell + LAYERS
    high = stakes[cell_above] + second * (stakes[cell_above + 1] - stakes[cell_above])
    before = stakes[cell] + first * (stakes[cell_above] - stakes[cell])
    after = stakes[cell + 1] + first * (stakes[cell_above + 1] - stakes[cell + 1])
    stakes[SLOPE] = (high - low) / (STEP * left)
    stakes[SLOPE + 1] = (after - before) / (STEP * left)
    return float(low + first * (high - low))
