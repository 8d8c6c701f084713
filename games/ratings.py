"""Ratings: how strong players are, as the places in their games show. No Django, no database.

The numbers come from openskill's Plackett-Luce model (Weng and Lin 2011, "A Bayesian Approximation Method for
Online Ranking"), which rates players and sides of partners in one scale. The scale is about that of Elo: a
player with 400 points more than another wins about nine of ten games for two. Everybody starts at 1500.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from openskill.models import PlackettLuce

# Stored with each rating: the same games give other numbers under another model.
MODEL = "openskill 6, Plackett-Luce"
START = 1500.0
# The proportions are those of openskill: the luck in one game is half of the first uncertainty, and from game
# to game, a player may become stronger or weaker by a hundredth of it.
START_DEVIATION = 250.0
LUCK = START_DEVIATION / 2
DRIFT = START_DEVIATION / 100
# With fewer games, a rating says little.
GAMES_OF_NEWCOMERS = 10
# How much a game against bots alone counts, compared with one against people.
WEIGHT_OF_BOTS = 0.5
BOT_DEVIATION = 25.0

_model = PlackettLuce(mu=START, sigma=START_DEVIATION, beta=LUCK, tau=DRIFT)


@dataclass(frozen=True, slots=True)
class Rating:
    """What is known of a player's strength after `games` rated games."""

    mean: float = START
    deviation: float = START_DEVIATION
    games: int = 0
    is_fixed: bool = False

    @classmethod
    def of_bot(cls, points: float) -> "Rating":
        """Return the rating of a bot whose level has these points, which never change."""
        return cls(points, BOT_DEVIATION, is_fixed=True)

    @property
    def number(self) -> int:
        """The rating as players see it."""
        return round(self.mean)

    @property
    def margin(self) -> int:
        """How far the true strength may be from the number, with a probability of 95%."""
        return round(2 * self.deviation)

    @property
    def is_provisional(self) -> bool:
        """Whether the player has too few rated games for the number to say much."""
        return not self.is_fixed and self.games < GAMES_OF_NEWCOMERS


class Entrant(NamedTuple):
    """A player of a game with the rating before it, and the place, from 1. Equal places are a tie.

    Players with the same `side` are partners, who share a place. Without one, a player is alone.
    """

    rating: Rating
    place: int
    side: int | None = None


def rate(entrants: Sequence[Entrant]) -> list[Rating]:
    """Return the ratings after a game, in the same order. Bots keep theirs, and count less for the others.

    >>> winner, loser = rate([Entrant(Rating(), 1), Entrant(Rating(), 2)])
    >>> winner.number, winner.margin, loser.number, loser.games
    (1579, 484, 1421, 1)
    >>> [rating.number for rating in rate([Entrant(Rating(), 1), Entrant(Rating.of_bot(1500), 2)])]
    [1551, 1500]
    >>> [rating.number for rating in rate([Entrant(Rating(), place, side=place) for place in (1, 2, 1, 2)])]
    [1559, 1441, 1559, 1441]
    """
    sides: dict[object, list[int]] = {}
    for nth, entrant in enumerate(entrants):
        sides.setdefault((nth,) if entrant.side is None else entrant.side, []).append(nth)
    teams = [[_model.rating(*_normal(entrants[nth].rating)) for nth in side] for side in sides.values()]
    rated = _model.rate(teams, ranks=[float(entrants[side[0]].place) for side in sides.values()])
    bots = sum(entrant.rating.is_fixed for entrant in entrants)
    weight = 1 - (1 - WEIGHT_OF_BOTS) * bots / (len(entrants) - 1)
    after = [entrant.rating for entrant in entrants]
    for side, team in zip(sides.values(), rated, strict=True):
        for nth, found in zip(side, team, strict=True):
            if not after[nth].is_fixed:
                after[nth] = _moved(after[nth], found.mu, found.sigma, weight)
    return after


def _normal(rating: Rating) -> tuple[float, float]:
    return rating.mean, rating.deviation


def _moved(before: Rating, mean: float, deviation: float, weight: float) -> Rating:
    """Return the rating after one more game, which moves it by this share of the way."""
    return Rating(
        # Rounded, so that the numbers are the same on every machine.
        round(before.mean + weight * (mean - before.mean), 2),
        round(before.deviation + weight * (deviation - before.deviation), 2),
        before.games + 1,
    )
