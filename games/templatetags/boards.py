"""Template tags and filters that draw the board."""

from functools import lru_cache

from django import template
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.safestring import SafeString

from games.board.drawing.displays import DrawnDisc, DrawnTile
from games.board.drawing.symbols import board_symbols
from games.board.words import join_words

register = template.Library()


register.simple_tag(board_symbols)


@register.simple_tag
def tile_art(tile: DrawnTile, seat: int | None = None) -> SafeString:
    """Return the picture of a tile with the discs of `seat`."""
    return _tile_art(tile.code, tile.discs, seat)


# Cached, because a board page draws about 60 tiles, and most of them look the same on every request.
@lru_cache(maxsize=4096)
def _tile_art(code: str, discs: tuple[DrawnDisc, ...], seat: int | None) -> SafeString:
    return render_to_string("games/_tile.html", {"code": code, "discs": discs, "seat": seat})


register.filter("join_words", join_words)


@register.simple_tag
def turn_icon(is_turn: object) -> str:
    """Return the address of the tab's icon, which shows whether it is the viewer's turn."""
    return static(f"games/icons/favicon{'-turn' if is_turn else ''}.svg")


@register.filter
def pips(count: int) -> str:
    """Return the length of a line that draws `count` pips: 12 for each pip after the first.

    The line is dashed and has round ends. The .01 is there because SVG draws no line of length 0.
    """
    return f"{max(count - 1, 0) * 12}.01"
