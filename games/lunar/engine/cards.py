"""The 48 cards: a rank card is a number, a suit card an animal. Some have a star."""

from collections.abc import Iterable
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

MARK = "*"  # behind the code of a card with a star


class Kind(StrEnum):
    """What is on a card. Its value is the code of a hidden card of this kind: the backs differ."""

    RANK = "r"
    SUIT = "s"


class Suit(StrEnum):
    """A suit. Its value is the code of its cards and of its trump tile."""

    WOLF = "W"
    OWL = "O"
    LYNX = "L"
    BAT = "B"


class Stars(StrEnum):
    """Which cards have a star: one of each suit, one of each rank, or none."""

    SUITS = "suits"
    RANKS = "ranks"
    NONE = "none"


SUITS = tuple(Suit)
RANKS = tuple("12345678")
RANKS_OF_EACH = 3
SUITS_OF_EACH = 6


class Card(str):
    """A card, which is its code: `7`, `W*`, or `r` and `s` for cards whose back alone is known.

    >>> card = Card("W*")
    >>> card.kind.name, card.suit.name, card.has_star, Card("r").is_hidden
    ('SUIT', 'WOLF', True, True)
    """

    __slots__ = ()

    @property
    def kind(self) -> Kind:
        """The kind of the card, which its back shows."""
        return Kind.RANK if self[0] in "12345678r" else Kind.SUIT

    @property
    def rank(self) -> int:
        """The number on a rank card. Raises ValueError for others."""
        return int(self[0])

    @property
    def suit(self) -> Suit:
        """The suit of a suit card. Raises ValueError for others."""
        return Suit(self[0])

    @property
    def has_star(self) -> bool:
        """Whether a star is on the card."""
        return self.endswith(MARK)

    @property
    def is_hidden(self) -> bool:
        """Whether only the back of the card is known."""
        return self in HIDDEN


HIDDEN = {kind.value: Card(kind) for kind in Kind}

# Ranks before suits, plain cards before those with a star.
_ORDER = {
    code: place
    for place, code in enumerate(code + mark for code in (*RANKS, "r", *SUITS, "s") for mark in ("", MARK))
}


def in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Return cards in the order of a hand: ranks, then suits, plain ones before those with a star.

    >>> in_order(map(Card, ["B", "W*", "8", "W", "1"]))
    ('1', '8', 'W', 'W*', 'B')
    """
    return tuple(sorted(cards, key=_ORDER.__getitem__))


def backs_of(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Return what the backs of cards show."""
    return tuple(HIDDEN[card.kind] for card in cards)


def of_kind(cards: Iterable[Card], kind: Kind) -> tuple[Card, ...]:
    """Return the cards of one kind."""
    return tuple(card for card in cards if card.kind is kind)


def without(cards: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    """Return cards with one like this removed. Raises ValueError if there is none."""
    place = cards.index(card)
    return (*cards[:place], *cards[place + 1 :])


class Deck(NamedTuple):
    """All ranks and all suits: those of a game in order, or as they were dealt in a round."""

    ranks: tuple[Card, ...]
    suits: tuple[Card, ...]


@lru_cache
def deck_of(stars: Stars) -> Deck:
    """Return the cards of a game, in order.

    >>> deck_of(Stars.RANKS).ranks[:3], deck_of(Stars.SUITS).suits[4:7]
    (('1', '1', '1*'), ('W', 'W*', 'O'))
    """
    return Deck(
        _each(RANKS, RANKS_OF_EACH, has_star=stars is Stars.RANKS),
        _each(SUITS, SUITS_OF_EACH, has_star=stars is Stars.SUITS),
    )


def _each(codes: Iterable[str], count: int, *, has_star: bool) -> tuple[Card, ...]:
    last = MARK if has_star else ""
    return tuple(Card(code + mark) for code in codes for mark in [""] * (count - 1) + [last])
