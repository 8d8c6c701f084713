"""Template tags that draw the board of LUNAR."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from games.lunar.board.drawing.symbols import board_symbols

register = template.Library()

register.simple_tag(board_symbols, name="lunar_symbols")


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
