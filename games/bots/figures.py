"""Figures of matches: win rates, scores and times, each with what it is worth."""

import math
from collections import defaultdict
from collections.abc import Collection, Sequence
from statistics import fmean, median, stdev, variance
from typing import NamedTuple

from games.bots.ladder import Game

Z = 1.959964  # of the normal distribution, 95 % lie within so many standard deviations
GOOD = 100  # a solo score below it is good


class Share(NamedTuple):
    """A share from 0 to 1, with its interval of 95 %."""

    value: float
    low: float
    high: float


class Mean(NamedTuple):
    """A mean and half the width of its interval of 95 %: not a number for a single value."""

    value: float
    margin: float


class Times(NamedTuple):
    """How long actions took, in seconds."""

    mean: float
    centile: float  # the 99th
    worst: float


class Thinking(NamedTuple):
    """How long a player thought: by the clock, and of the processor.

    None where it never was to move; what a program takes of the processor is not known.
    """

    clock: Times | None
    processor: Times | None


class Versus(NamedTuple):
    """How a player did against another; `discs` left on average and `thinking` are of both."""

    games: int
    deals: int
    wins: int
    share: Share
    discs: tuple[float, float]
    thinking: tuple[Thinking, Thinking]


class Alone(NamedTuple):
    """How a player did in solo games."""

    games: int
    score: Mean
    median: float
    good: Share
    best: int
    thinking: Thinking


def versus(games: Sequence[Game]) -> Versus:
    """Return the figures of some games, at least one."""
    wins_by_deal = defaultdict(list)
    discs: tuple[list[int], list[int]] = ([], [])
    for game in games:
        wins_by_deal[game.deal].append(game.winner == 0)
        for player, left in zip(game.players, game.discs, strict=True):
            discs[player].append(left)
    wins = sum(game.winner == 0 for game in games)
    return Versus(
        games=len(games),
        deals=len(wins_by_deal),
        wins=wins,
        share=wilson(wins / len(games), independent_games(wins_by_deal.values())),
        discs=(fmean(discs[0]), fmean(discs[1])),
        thinking=(thinking(games, 0), thinking(games, 1)),
    )


def alone(games: Sequence[Game], player: int) -> Alone:
    """Return a player's figures of some solo games, of which it played at least one."""
    scores = [game.score for game in games if game.players == (player,) and game.score is not None]
    good = sum(score < GOOD for score in scores)
    return Alone(
        games=len(scores),
        score=mean(scores),
        median=median(scores),
        good=wilson(good / len(scores), len(scores)),
        best=min(scores),
        thinking=thinking(games, player),
    )


def wilson(share: float, games: float) -> Share:
    """Return a share of so many independent games with Wilson's interval.

    >>> [round(number, 3) for number in wilson(0.85, 200)]
    [0.85, 0.794, 0.893]
    """
    middle = share + Z * Z / (2 * games)
    width = Z * math.sqrt(share * (1 - share) / games + Z * Z / (4 * games * games))
    whole = 1 + Z * Z / games
    return Share(share, max(0.0, (middle - width) / whole), min(1.0, (middle + width) / whole))


def independent_games(wins_by_deal: Collection[Sequence[bool]]) -> float:
    """Return how many independent games would tell as much as these, which share deals; never more of them.

    Games on the same deal may be alike: then the rate of wins varies more from deal to deal than if they were
    independent, and by as much fewer they count.

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


def mean(values: Sequence[float]) -> Mean:
    """Return the mean of values that are independent of each other."""
    margin = Z * stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.nan
    return Mean(fmean(values), margin)


def thinking(games: Sequence[Game], player: int) -> Thinking:
    """Return how long a player thought about its actions."""
    thoughts = [
        thought
        for game in games
        for who, thoughts in zip(game.players, game.thoughts, strict=True)
        if who == player
        for thought in thoughts
    ]
    return Thinking(
        clock=_times([thought.clock for thought in thoughts]),
        processor=_times([thought.processor for thought in thoughts if thought.processor is not None]),
    )


def _times(seconds: list[float]) -> Times | None:
    if not seconds:
        return None
    seconds = sorted(seconds)
    return Times(fmean(seconds), seconds[math.ceil(0.99 * len(seconds)) - 1], seconds[-1])
