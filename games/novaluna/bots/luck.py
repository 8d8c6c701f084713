"""The luck of a reveal: what a position is worth after it, and what it was worth on average before it.

Both are means of short searches: of the position with the tiles that were revealed, and of positions with
other tiles that could have been revealed. So whatever the search gets wrong, luck is 0 on average, and a
result without its luck has the same mean as the result, with less variance.

Backgammon counts the luck of dice in the same way: D. Zare, "A Measure of Luck", GammonVillage, 2000. For
cards: N. Burch et al., "AIVAT: A New Variance Reduction Technique for Agent Evaluation in Imperfect
Information Games", AAAI, 2018.
"""

import random
from collections.abc import Iterator, Sequence
from itertools import permutations
from math import hypot, perm, sqrt
from statistics import fmean, stdev

from games.novaluna.bots.judging import hidden_tiles, with_draw_pile, with_random_deck
from games.novaluna.bots.levels import evaluate_shortly
from games.novaluna.engine import Position, Refill, SoloPosition
from games.titles.experts import Luck

# How many other reveals are searched.
SAMPLES = 80
# The tiles that were revealed are searched once for this many others.
SAMPLES_A_LOOK = 5
# The mean worth of the start of a solo game by these searches, of 1,000 random deals: 95.1 ± 0.5.
MEAN_SOLO_SCORE = 95.1


def luck_of_deal(position: Position, rng: random.Random, samples: int | None = None) -> Luck:
    """Return the luck of the first tiles and the start order, given the position at the start.

    Deck and order are random. So before the deal, all seats of a game with others have the same chance.
    """
    looks = _look(position, rng, samples or SAMPLES)
    mean = MEAN_SOLO_SCORE if isinstance(position, SoloPosition) else 1 / position.seats
    return Luck([mean] * position.seats, _means(looks), _errors(looks, len(looks)))


def luck_of_refill(
    position: Position, refill: Refill, after: Position, rng: random.Random, samples: int | None = None
) -> Luck:
    """Return the luck of a refill, given the public positions before and after it.

    `samples` other reveals are searched, SAMPLES by default; all that are possible if they are not more.
    """
    samples = samples or SAMPLES
    looks = _look(after, rng, samples)
    others = [_values(dealt.apply(refill).position.public(), rng) for dealt in _decks(position, rng, samples)]
    # If all possible reveals are searched, only the noise of their searches is left, as of these tiles.
    spread = looks if _are_few(position, samples) else others
    errors = [
        hypot(own, other)
        for own, other in zip(_errors(looks, len(looks)), _errors(spread, len(others)), strict=True)
    ]
    return Luck(_means(others), _means(looks), errors)


def _look(position: Position, rng: random.Random, samples: int) -> list[list[float]]:
    return [_values(position, rng) for _ in range(max(2, samples // SAMPLES_A_LOOK))]


def _values(position: Position, rng: random.Random) -> list[float]:
    return [worth.value for worth in evaluate_shortly(position, rng)]


def _are_few(position: Position, samples: int) -> bool:
    return perm(position.draw_pile, position.refill_size) <= samples


def _decks(position: Position, rng: random.Random, samples: int) -> Iterator[Position]:
    """Yield the position with decks that could be: all of them if they are few, otherwise random ones."""
    if _are_few(position, samples):
        for tiles in permutations(hidden_tiles(position), position.refill_size):
            yield with_draw_pile(position, tiles)
    else:
        for _ in range(samples):
            yield with_random_deck(position, rng)


def _means(values: Sequence[Sequence[float]]) -> list[float]:
    return [fmean(of_seat) for of_seat in zip(*values, strict=True)]


def _errors(values: Sequence[Sequence[float]], count: int) -> list[float]:
    """Return the standard errors of the means of `count` values that vary as these do."""
    return [stdev(of_seat) / sqrt(count) for of_seat in zip(*values, strict=True)]
