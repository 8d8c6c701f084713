"""The sheet of SVG symbols from which the board is drawn; `lunar/sprite.svg` has the animals."""

from functools import cache

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from games.lunar.engine.cards import MARK, RANKS, Card
from games.lunar.words import SUIT_KEYS

MOON_RADIUS = 30
MOON_X, MOON_Y = 57, 92  # its middle on a rank card, which is 100 wide and 140 high


@cache
def board_symbols() -> SafeString:
    """Return cards, backs, trump tiles and lead tiles as SVG symbols."""
    context = {
        "suits": [{"letter": suit, "word": word} for suit, word in SUIT_KEYS.items()],
        "ranks": [{"number": rank, "lit": lit_part(int(rank))} for rank in RANKS],
    }
    return mark_safe(render_to_string("lunar/symbols.svg", context))  # noqa: S308 (nothing in it comes from outside)


def symbol_of(card: Card) -> str:
    """Return the name of the symbol of a card, or of its back if it is hidden.

    >>> symbol_of(Card("W*")), symbol_of(Card("r"))
    ('card-W-star', 'card-back-rank')
    """
    if card.is_hidden:
        return "card-back-rank" if card == "r" else "card-back-suit"
    return f"card-{card.replace(MARK, '-star')}"


def lit_part(rank: int) -> str:
    """Return the lit part of the moon on a rank card as a path: rank k is k eighths; empty for the full moon.

    >>> lit_part(4)
    'M57 62A30 30 0 0 1 57 122A0 30 0 0 1 57 62Z'
    """
    if rank == len(RANKS):
        return ""
    part = rank / len(RANKS)
    width = abs(1 - 2 * part) * MOON_RADIUS
    top, bottom = MOON_Y - MOON_RADIUS, MOON_Y + MOON_RADIUS
    inwards = int(part >= 0.5)
    return (
        f"M{MOON_X} {top}A{MOON_RADIUS} {MOON_RADIUS} 0 0 1 {MOON_X} {bottom}"
        f"A{width:g} {MOON_RADIUS} 0 0 {inwards} {MOON_X} {top}Z"
    )
