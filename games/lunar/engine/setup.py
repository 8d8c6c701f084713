"""The setup of a game, and where the cards of its rounds come from."""

import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from games.lunar.engine.cards import Deck, Stars, deck_of
from games.lunar.engine.errors import BadRecord
from games.lunar.engine.tables import HOUSE_POINTS, HOUSE_STARS
from games.titles.shuffles import shuffled

SIDES = 2
SEAT_COUNTS = (2, 4)


def side_of(seat: int) -> int:
    """Return the side of a seat: partners sit across from each other.

    >>> [side_of(seat) for seat in range(4)]
    [0, 1, 0, 1]
    """
    return seat % SIDES


@dataclass(frozen=True)
class Setup:
    """What everybody knows before the first action.

    `leads` are the first holders of the black and the white lead tile, `points` those for 0 to 12 tricks.
    """

    seats: int
    leads: tuple[int, int]
    points: tuple[int, ...] = HOUSE_POINTS
    stars: Stars = HOUSE_STARS


class Dealer(Protocol):
    """Deals the cards of each round, which are secret."""

    def deal(self, number: int) -> Deck:
        """Return the shuffled cards of a round; the first one has the number 1."""
        ...


class SeedDealer(NamedTuple):
    """Deals as many rounds as needed, all from one seed. docs/deals.md describes this rule."""

    seed: bytes
    stars: Stars

    def deal(self, number: int) -> Deck:
        """Return the cards of a round, shuffled with a seed of its own for each kind."""
        ranks, suits = deck_of(self.stars)
        return Deck(
            tuple(shuffled(ranks, seed_of(self.seed, f"round {number} ranks"))),
            tuple(shuffled(suits, seed_of(self.seed, f"round {number} suits"))),
        )


class ListDealer(NamedTuple):
    """Deals the rounds of a record."""

    deals: tuple[Deck, ...]

    def deal(self, number: int) -> Deck:
        """Return the cards of a round. Raises BadRecord if the record has fewer rounds."""
        if number > len(self.deals):
            raise BadRecord(f"The record has no deal for round {number}.")
        return self.deals[number - 1]


def seed_of(seed: bytes, purpose: str) -> bytes:
    """Return the seed for one shuffle, which follows from the seed of a game."""
    return hmac.digest(seed, purpose.encode(), "sha256")


def draw_leads(seed: bytes, seats: int) -> tuple[int, int]:
    """Return the first holders of the black and the white lead tile: one of each side."""
    order: Sequence[int] = shuffled(range(seats), seed_of(seed, "leads"))
    black = order[0]
    return black, next(seat for seat in order if side_of(seat) != side_of(black))
