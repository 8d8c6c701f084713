"""How many games rank the players of a duplicate rightly, by several ways to compare them."""

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from games.novaluna.bots.figures import Share, result_of
from games.novaluna.bots.matches import MatchGame

# What each player gets at each table of each deal: three axes, in the order deals, tables, players.
Results: TypeAlias = NDArray[np.float64]

SURE = 0.95  # the share of matches that must rank all players rightly
DRAWS = 2_000
BOOTSTRAPS = 200
FEW_DEALS = 20  # up to this many deals, matches are drawn; the sums of more have a normal distribution


class Need(NamedTuple):
    """How many games a way to compare players needs, until 95% of matches rank them rightly.

    `games` are infinite for players who are equally good. `saving` is how many times as many games the first
    way needs. Both have a 95% interval.
    """

    way: str
    games: Share
    saving: Share


def needs(games: Sequence[MatchGame], players: int) -> list[Need]:
    """Return what each way needs to rank the players of a duplicate; there must be two deals.

    The first way is what players see without a duplicate: wins, or solo scores, on deals of their own. The
    right order is the order by the results of all games. Intervals are from a bootstrap of the deals.
    """
    deals = [list(tables) for _, tables in groupby(games, key=lambda game: game.deal)]
    best_first = np.argsort(-_results(deals, players, result_of).sum(axis=(0, 1)))
    rng = np.random.default_rng(0)
    samples = [np.arange(len(deals)), *rng.integers(len(deals), size=(BOOTSTRAPS, len(deals)))]
    needed = {
        way: [games_needed(results[sample][:, :, best_first], is_same_deal) for sample in samples]
        for way, results, is_same_deal in _ways(deals, players)
    }
    usual = next(iter(needed.values()))
    return [
        Need(way, _with_interval(games), _with_interval(list(map(_ratio, usual, games))))
        for way, games in needed.items()
    ]


def games_needed(results: Results, is_same_deal: bool) -> float:
    """Return after how many games 95% of matches have the players in this order, from the best to the worst.

    At the tables of a match there are either the same deals, or deals of their own. Ties are broken by lot.
    """
    tables = results.shape[1]
    leads = results[:, :, :-1] - results[:, :, 1:]  # of each player over the next one
    if (leads.sum(axis=(0, 1)) <= 0).any():
        return math.inf
    deals = _few_deals_needed(leads, is_same_deal) or _many_deals_needed(leads, is_same_deal)
    return float(tables * deals)


def _few_deals_needed(leads: Results, is_same_deal: bool) -> int | None:
    """Return after how many deals 95% of matches, drawn from these deals, have only leads; None if many."""
    count, tables, _ = leads.shape
    rng = np.random.default_rng(0)
    sums = np.zeros((DRAWS, leads.shape[2]))
    for deals in range(1, FEW_DEALS + 1):
        drawn = rng.integers(count, size=(DRAWS, 1 if is_same_deal else tables))
        sums += leads[drawn, np.arange(tables)].sum(axis=1)
        if ((sums > 0) + (sums == 0) / 2).prod(axis=1).mean() >= SURE:
            return deals
    return None


def _many_deals_needed(leads: Results, is_same_deal: bool) -> float:
    """Return the same by the normal distribution, not rounded."""
    if is_same_deal:
        leads = leads.sum(axis=1, keepdims=True)
    means = leads.mean(axis=0).sum(axis=0)
    # The variances of tables with deals of their own add up.
    moves = leads - leads.mean(axis=0)
    spread = np.einsum("dti,dtj->ij", moves, moves) / (len(leads) - 1)
    # After n deals, the leads are n · means + √n · noise. They are all positive if √n > -noise / means.
    noise = np.random.default_rng(0).multivariate_normal(np.zeros(len(means)), spread, DRAWS)
    return float(np.quantile((-noise / means).max(axis=1), SURE) ** 2)


def _ways(deals: Sequence[Sequence[MatchGame]], players: int) -> Iterator[tuple[str, Results, bool]]:
    """Yield the name of each way to compare players, its results, and whether tables have the same deal."""
    by_discs = _results(deals, players, result_of)
    measures = {"wins": _results(deals, players, _share_of_win), "discs": by_discs}
    if deals[0][0].score is not None:
        measures = {"scores": by_discs}
    has_luck = bool(deals[0][0].luck)
    for measure, results in measures.items():
        for words, is_same_deal in (("deals of their own", False), ("the same deal", True)):
            yield f"{measure}, {words}", results, is_same_deal
            if has_luck:
                luck = _results(deals, players, lambda game, seat: game.luck[seat])
                yield f"{measure} less luck, {words}", _less(luck, results, is_same_deal), is_same_deal


def _results(
    deals: Sequence[Sequence[MatchGame]], players: int, result: Callable[[MatchGame, int], float]
) -> Results:
    results = np.zeros((len(deals), len(deals[0]), players))
    for deal, games in enumerate(deals):
        for table, game in enumerate(games):
            for seat, player in enumerate(game.players):
                results[deal, table, player] += result(game, seat)
    return results


def _share_of_win(game: MatchGame, seat: int) -> float:
    player = game.players[seat]
    return (game.winner == player) / game.players.count(player)


def _less(luck: Results, results: Results, is_same_deal: bool) -> Results:
    """Return the results less the luck, times the factor after which they vary least.

    Luck is 0 on average, so the means stay. On the same deal, only differences between the players count.
    """
    parts = []
    for values in (luck, results):
        if is_same_deal:
            values = values.sum(axis=1)
            values = values - values.mean(axis=1, keepdims=True)
        parts.append(values - values.mean(axis=0))
    of_luck, of_results = parts
    variation = float((of_luck**2).sum())
    return results - luck * float((of_luck * of_results).sum()) / variation if variation else results


def _ratio(usual: float, games: float) -> float:
    return usual / games if math.isfinite(games) else math.nan


def _with_interval(values: Sequence[float]) -> Share:
    """Return the first value, with an interval from the others that are numbers."""
    others = sorted(value for value in values[1:] if not math.isnan(value)) or [math.nan]
    return Share(values[0], others[len(others) // 40], others[-1 - len(others) // 40])
