"""Matches between the bots of a title: each deal is played once for each side, with the sides swapped.

Nothing here needs Django or a database, so games can be played in one process per core.
"""

import math
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from random import Random
from statistics import fmean, variance
from typing import NamedTuple

from games.titles.bots import Bots, Budget
from games.titles.rules import AnyPosition, AnyRules, Setup

# Returns the action of a seat in a position as it sees it.
Chooser = Callable[[AnyPosition, int, Random], object]

NO_OPTIONS: Mapping[str, object] = {}
Z_95 = 1.959964  # standard deviations: 95% of a normal distribution is within this distance of its mean


@dataclass(frozen=True)
class Match:
    """A match between two levels: the first has all seats of one side, the second has all others."""

    rules: AnyRules
    bots: Bots
    levels: tuple[str, str]
    seats: int
    seed: int = 1
    budget: Budget | None = None
    options: Mapping[str, object] = field(default_factory=dict)

    @property
    def sides(self) -> Sequence[int]:
        """The side of each seat."""
        return self.rules.sides(self.seats)


class MatchGame(NamedTuple):
    """A game of a match: what share of the win the first level got, and its processor time per action."""

    share: float
    seconds: list[float]


def start(
    rules: AnyRules, seats: int, seed: bytes, choices: Mapping[str, object] = NO_OPTIONS
) -> AnyPosition:
    """Return the start of a game with the options that are chosen, dealt from a seed of 32 bytes."""
    options = rules.checked_options(choices, seats)
    return rules.start(Setup(seats, options, rules.deal(seed, seats, options)), rules.version)


def play(position: AnyPosition, choosers: Sequence[Chooser], rng: Random) -> AnyPosition:
    """Return the position after a game in which each seat chooses by what it sees.

    If several seats are awaited, a random one of them is first.
    """
    while position.awaited:
        seat = rng.choice(sorted(position.awaited))
        position = position.apply(choosers[seat](position.seen_by(seat), seat, rng)).position
    return position


def share_of(places: Sequence[int], sides: Sequence[int], side: int) -> float:
    """Return the share of a side in the win: 1 if it has won alone, 0 if it has lost.

    >>> share_of((1, 2, 1, 2), (0, 1, 0, 1), 0), share_of((1, 1, 2), (0, 1, 2), 1)
    (1.0, 0.5)
    """
    winners = {sides[seat] for seat, place in enumerate(places) if place == 1}
    return 1 / len(winners) if side in winners else 0.0


def play_deal(match: Match, number: int) -> list[MatchGame]:
    """Play a deal once for each side, with the first level on that side."""
    return [_play_game(match, number, side) for side in sorted(set(match.sides))]


def play_match(match: Match, deals: int, processes: int) -> Iterator[list[MatchGame]]:
    """Yield the games of each deal."""
    with ProcessPoolExecutor(processes, get_context("spawn"), initializer=match.bots.warm_up) as executor:
        yield from executor.map(partial(play_deal, match), range(deals))


def _play_game(match: Match, number: int, side: int) -> MatchGame:
    seed = Random(f"{match.seed}/{number}").randbytes(32)
    seconds: list[float] = []

    def choose(level: str, position: AnyPosition, seat: int, rng: Random) -> object:
        began = time.thread_time()
        action = match.bots.choose(position, seat, level, rng, match.budget)
        if level == match.levels[0]:
            seconds.append(time.thread_time() - began)
        return action

    first, second = (partial(choose, level) for level in match.levels)
    choosers = [first if own == side else second for own in match.sides]
    rng = Random(f"{match.seed}/{number}/{side}")
    places = play(start(match.rules, match.seats, seed, match.options), choosers, rng).places
    return MatchGame(share_of(places, match.sides, side), seconds)


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
