"""Shares of games that were won, with their intervals."""

import math
from collections.abc import Collection, Sequence
from statistics import fmean, variance
from typing import NamedTuple

Z_95 = 1.959964  # standard deviations: 95% of a normal distribution is within this distance of its mean


class Share(NamedTuple):
    """A share from 0 to 1, with its 95% interval."""

    value: float
    low: float
    high: float


def wilson_share(share: float, games: float) -> Share:
    """Return a share of a number of independent games, with Wilson's interval.

    >>> [round(number, 3) for number in wilson_share(0.85, 200)]
    [0.85, 0.794, 0.893]
    """
    middle = share + Z_95 * Z_95 / (2 * games)
    width = Z_95 * math.sqrt(share * (1 - share) / games + Z_95 * Z_95 / (4 * games * games))
    whole = 1 + Z_95 * Z_95 / games
    return Share(share, max(0.0, (middle - width) / whole), min(1.0, (middle + width) / whole))


def independent_games(wins_by_deal: Collection[Sequence[float]]) -> float:
    """Return the number of independent games that are as informative as these games, which share deals.

    Games on the same deal may have similar results. Then the win rate varies more from deal to deal than in
    independent games, and the result is lower. It is never more than the number of games.

    >>> independent_games([[True, False], [False, True], [True, True]])
    6
    >>> independent_games([[True, True], [False, False], [True, True], [False, False]])
    3.0
    """
    rates = [fmean(wins) for wins in wins_by_deal]
    games = sum(len(wins) for wins in wins_by_deal)
    if len(rates) == 1:
        return 1
    rate = fmean(rates)
    spread = variance(rates) / len(rates)
    return min(games, rate * (1 - rate) / spread) if spread else games
