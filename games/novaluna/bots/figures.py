"""Figures of matches: win rates, scores and times, with their intervals."""

import math
import random
from collections import defaultdict
from collections.abc import Sequence
from statistics import covariance, fmean, median, stdev, variance
from typing import NamedTuple

from games.novaluna.bots.matches import MatchGame
from games.titles.matches import Z_95 as Z_95
from games.titles.matches import Share as Share
from games.titles.matches import independent_games, wilson_share

BOOTSTRAPS = 2_000
GOOD_SCORE = 100  # a solo score below this is good


class Mean(NamedTuple):
    """A mean, with half the width of its 95% interval. The margin of a single value is NaN."""

    value: float
    margin: float


class Times(NamedTuple):
    """The time of actions, in seconds."""

    mean: float
    percentile_99: float
    worst: float


class ThinkingTime(NamedTuple):
    """The thinking time of a player: clock time and processor time.

    Both are None for a player that never had a turn. `processor` is also None for programs.
    """

    clock: Times | None
    processor: Times | None


class MatchFigures(NamedTuple):
    """Figures of the first player of a match against the second.

    `discs` (the average number left) and `thinking` have one item for each of the two players.
    """

    games: int
    deals: int
    wins: int
    share: Share
    discs: tuple[float, float]
    thinking: tuple[ThinkingTime, ThinkingTime]


class DuplicateFigures(NamedTuple):
    """Figures of a player of a duplicate.

    `score` is the mean of the results, each compared with the mean of the other players on the same deal and
    seat. `saving` is how many times as many games with deals of their own would have the same margin.
    """

    player: int
    score: Mean
    saving: float


class LuckFigures(NamedTuple):
    """Figures of the luck of a player, and of its results with and without it.

    A result is 1 for a win and 0 for a loss, or the score of a solo game. `plain` and `adjusted` are the
    variances of the results and of the results less their luck. `share_left` is adjusted / plain, with its
    95% interval by bootstrap. `slope` is how much a result grows with its luck: 1 if the luck is as large as
    the search says.
    """

    luck: Mean
    result: Mean
    adjusted_result: Mean
    plain: float
    adjusted: float
    share_left: Share
    slope: float


class SoloFigures(NamedTuple):
    """Figures of a player's solo games."""

    games: int
    score: Mean
    median: float
    good: Share
    best: int
    thinking: ThinkingTime


def match_figures(games: Sequence[MatchGame]) -> MatchFigures:
    """Return the figures of multiplayer games. There must be at least one game."""
    wins_by_deal = defaultdict(list)
    discs: tuple[list[int], list[int]] = ([], [])
    for game in games:
        wins_by_deal[game.deal].append(game.winner == 0)
        for player, left in zip(game.players, game.discs, strict=True):
            discs[player].append(left)
    wins = sum(game.winner == 0 for game in games)
    return MatchFigures(
        games=len(games),
        deals=len(wins_by_deal),
        wins=wins,
        share=wilson_share(wins / len(games), independent_games(wins_by_deal.values())),
        discs=(fmean(discs[0]), fmean(discs[1])),
        thinking=(thinking_time(games, 0), thinking_time(games, 1)),
    )


def solo_figures(games: Sequence[MatchGame], player: int) -> SoloFigures:
    """Return the figures of a player's solo games, of which there must be at least one; skip other games."""
    scores = [game.score for game in games if game.players == (player,) and game.score is not None]
    good = sum(score < GOOD_SCORE for score in scores)
    return SoloFigures(
        games=len(scores),
        score=mean(scores),
        median=median(scores),
        good=wilson_share(good / len(scores), len(scores)),
        best=min(scores),
        thinking=thinking_time(games, player),
    )


def duplicate_figures(games: Sequence[MatchGame], players: int) -> list[DuplicateFigures]:
    """Return the figures of the players of a duplicate, the best first. There must be at least two deals."""
    found = [_duplicate_figures_of(player, games, players) for player in range(players)]
    return sorted(found, key=lambda figures: -figures.score.value)


def luck_figures(games: Sequence[MatchGame], player: int) -> LuckFigures:
    """Return the figures of the luck of a player who has one seat at a table; there must be two deals.

    Games on the same deal may be alike. So the intervals are computed from deals, not from games.
    """
    by_deal: defaultdict[int, list[tuple[float, float]]] = defaultdict(list)
    for game in games:
        if player in game.players:
            result = game.score if game.score is not None else game.winner == player
            by_deal[game.deal].append((float(result), game.luck[game.players.index(player)]))
    deals = list(by_deal.values())
    pairs = [pair for deal in deals for pair in deal]
    results, lucks = zip(*pairs, strict=True)
    plain, adjusted = _variances(pairs)
    return LuckFigures(
        luck=mean([fmean(luck for _, luck in deal) for deal in deals]),
        result=mean([fmean(result for result, _ in deal) for deal in deals]),
        adjusted_result=mean([fmean(result - luck for result, luck in deal) for deal in deals]),
        plain=plain,
        adjusted=adjusted,
        share_left=_share_left(deals, adjusted / plain) if plain else Share(math.nan, math.nan, math.nan),
        slope=covariance(results, lucks) / variance(lucks),
    )


def _share_left(deals: Sequence[Sequence[tuple[float, float]]], share: float) -> Share:
    """Return a share of the variance with its interval: 2,000 times as many deals, drawn with replacement."""
    rng = random.Random(0)
    shares = []
    for _ in range(BOOTSTRAPS):
        plain, adjusted = _variances([pair for deal in rng.choices(deals, k=len(deals)) for pair in deal])
        if plain:
            shares.append(adjusted / plain)
    shares.sort()
    return Share(share, shares[len(shares) // 40], shares[-1 - len(shares) // 40])


def _variances(pairs: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return the variance of the results, and of the results less their luck."""
    return variance([result for result, _ in pairs]), variance([result - luck for result, luck in pairs])


def result_of(game: MatchGame, seat: int) -> float:
    """Return the result of a seat: how many discs fewer it had left than the others, or the negative score.

    >>> game = MatchGame(0, (0, 1, 1), 0, None, (0, 3, 6), ([], [], []), ())
    >>> [result_of(game, seat) for seat in range(3)]
    [4.5, 0.0, -4.5]
    """
    if game.score is not None:
        return -game.score
    others = [left for other, left in enumerate(game.discs) if other != seat]
    return fmean(others) - game.discs[seat]


def _duplicate_figures_of(player: int, games: Sequence[MatchGame], players: int) -> DuplicateFigures:
    # What each table adds to the difference between this player and the mean of the others.
    by_table: defaultdict[tuple[int, ...], list[float]] = defaultdict(list)
    by_deal: defaultdict[int, float] = defaultdict(float)
    for game in games:
        weights = [1 if other == player else -1 / (players - 1) for other in game.players]
        share = fmean(weight * result_of(game, seat) for seat, weight in enumerate(weights))
        by_table[game.players].append(share)
        by_deal[game.deal] += share
    scores = list(by_deal.values())
    # If each table had a deal of its own, the variances of the tables would add up.
    own_deals, same_deals = sum(map(variance, by_table.values())), variance(scores)
    return DuplicateFigures(player, mean(scores), own_deals / same_deals if same_deals else math.inf)


def mean(values: Sequence[float]) -> Mean:
    """Return the mean of independent values."""
    margin = Z_95 * stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.nan
    return Mean(fmean(values), margin)


def thinking_time(games: Sequence[MatchGame], player: int) -> ThinkingTime:
    """Return the time that a player took for its actions."""
    times = [
        time
        for game in games
        for seat_player, seat_times in zip(game.players, game.times, strict=True)
        if seat_player == player
        for time in seat_times
    ]
    return ThinkingTime(
        clock=_times([time.clock for time in times]),
        processor=_times([time.processor for time in times if time.processor is not None]),
    )


def _times(seconds: list[float]) -> Times | None:
    if not seconds:
        return None
    seconds = sorted(seconds)
    return Times(fmean(seconds), seconds[math.ceil(0.99 * len(seconds)) - 1], seconds[-1])
