"""What the templates of the board need beside the board itself."""

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
    """Return the picture of a tile with the discs of `seat`; most are drawn again and again."""
    return _tile_art(tile.code, tile.discs, seat)


@lru_cache(maxsize=4096)
def _tile_art(code: str, discs: tuple[DrawnDisc, ...], seat: int | None) -> SafeString:
    return render_to_string("games/_tile.html", {"code": code, "discs": discs, "seat": seat})


register.filter("join_words", join_words)


@register.simple_tag
def turn_icon(is_turn: object) -> str:
    """Return the address of the tab's icon, which tells whether somebody waits for the reader."""
    return static(f"games/icons/favicon{'-turn' if is_turn else ''}.svg")


@register.filter
def pips(count: int) -> str:
    """Return the length of a row of `count` pips, 12 wide each, from the middle of the first to the last's.

    Such a row is a dashed line with round ends; a line needs some length to be drawn at all.
    """
    return f"{max(count - 1, 0) * 12}.01"
