"""Template tags that draw the board of LUNAR."""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from games.lunar.board.drawing.symbols import board_symbols
from games.lunar.board.hand import HeldCard
from games.marked import ngettext

register = template.Library()

register.simple_tag(board_symbols, name="lunar_symbols")


class CardText(NamedTuple):
    """A card in text mode, and its name with the number of cards like it."""

    card: HeldCard
    label: str

    @property
    def reason(self) -> str:
        """Why it can't be played now."""
        return self.card.reason


@register.filter
def without_equals(cards: Iterable[HeldCard | None], do: str) -> list[CardText]:
    """Return cards for text mode: each once, except to pass, where equal cards are chosen one by one."""
    held = [card for card in cards if card is not None]
    if do == "pass":
        return [CardText(card, card.label) for card in held]
    count = Counter(card.code for card in held)
    first = {card.code: card for card in reversed(held)}
    return [CardText(first[code], _with_count(first[code].label, count[code])) for code in count]


def _with_count(label: str, count: int) -> str:
    words = {"card": label, "count": count}
    return ngettext("%(card)s", "%(card)s (%(count)d cards)", count) % words


@register.simple_tag
def card_art(symbol: str) -> SafeString:
    """Return the picture of a card or a back, hidden from screen readers."""
    return format_html(
        '<svg class="card__art" viewBox="0 0 100 140" aria-hidden="true"><use href="#{}"/></svg>', symbol
    )


@register.simple_tag
def tile_face(symbol: str) -> SafeString:
    """Return the picture of a trump tile, hidden from screen readers."""
    return format_html(
        '<svg class="tile__art" viewBox="0 0 64 64" aria-hidden="true"><use href="#{}"/></svg>', symbol
    )
