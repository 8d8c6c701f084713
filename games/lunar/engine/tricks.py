"""Tricks: one rank and one suit of each side."""

from collections.abc import Sequence
from typing import NamedTuple

from games.lunar.engine.actions import Source
from games.lunar.engine.cards import Card, Kind, Suit
from games.lunar.engine.setup import side_of

CARDS = 4  # in a trick


class Played(NamedTuple):
    """A card on the table, who played it and, in the game for two, where from."""

    seat: int
    card: Card
    source: Source | None = None

    @property
    def side(self) -> int:
        """The side that played the card."""
        return side_of(self.seat)


class Trick(NamedTuple):
    """A trick that is over, and the side that won it."""

    cards: tuple[Played, ...]
    winner: int

    @property
    def stars(self) -> tuple[Card, ...]:
        """The cards with a star, which the winner keeps."""
        return tuple(played.card for played in self.cards if played.card.has_star)


def lead_suit_of(cards: Sequence[Played]) -> Suit | None:
    """Return the first suit in a trick; None before there is one."""
    return next((played.card.suit for played in cards if played.card.kind is Kind.SUIT), None)


def winner_of(cards: Sequence[Played], trump: Suit) -> int:
    """Return the side that wins a complete trick.

    The same suit: the higher rank, or the side of the last card. Otherwise: trump, or else the lead suit.

    >>> cards = [Played(0, Card("O")), Played(1, Card("L")), Played(2, Card("1")), Played(3, Card("8"))]
    >>> winner_of(cards, Suit.WOLF), winner_of(cards, Suit.LYNX)
    (0, 1)
    >>> equal = [Played(0, Card("W")), Played(1, Card("W")), Played(2, Card("7")), Played(3, Card("7"))]
    >>> winner_of(equal, Suit.BAT)
    1
    """
    first, second = (played for played in cards if played.card.kind is Kind.SUIT)
    if first.card.suit is not second.card.suit:
        return (second if second.card.suit is trump else first).side
    lower, higher = sorted(
        (played for played in cards if played.card.kind is Kind.RANK), key=lambda played: played.card.rank
    )
    return (cards[-1] if lower.card.rank == higher.card.rank else higher).side
