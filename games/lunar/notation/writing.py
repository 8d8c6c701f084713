"""Writes actions as lines, which are the same in every language and readable as long as emails live."""

from collections.abc import Iterable

from games.lunar.engine import Action, Card, Flip, Kind, Pass, Play, Source
from games.lunar.words import SUIT_KEYS
from games.titles.actions import Resign

PASS, FLIP, PLAY, SKY, RESIGN = "pass", "flip", "play", "sky", "resign"


def write_action(action: Action) -> str:
    """Return an action as a line.

    >>> from games.lunar.engine import Suit
    >>> write_action(Pass(0, (Card("2"), Card("7"), Card("O"), Card("W*"))))
    'pass 2 7 owl wolf*'
    >>> write_action(Play(0, Card("O"), Source.SKY)), write_action(Flip(1, Suit.BAT))
    ('sky owl', 'flip bat')
    """
    match action:
        case Pass(_, cards):
            return f"{PASS} {write_cards(cards)}"
        case Flip(_, suit):
            return f"{FLIP} {SUIT_KEYS[suit]}"
        case Play(_, card, Source.SKY):
            return f"{SKY} {write_card(card)}"
        case Play(_, card):
            return f"{PLAY} {write_card(card)}"
        case Resign():
            return RESIGN
    raise ValueError("Nobody writes a cancel as a line.")


def write_card(card: Card) -> str:
    """Return a card as its number or its animal, with `*` for a star."""
    name = card[0] if card.kind is Kind.RANK else SUIT_KEYS[card.suit]
    return f"{name}*" if card.has_star else name


def write_cards(cards: Iterable[Card]) -> str:
    """Return cards as a line has them."""
    return " ".join(map(write_card, cards))
