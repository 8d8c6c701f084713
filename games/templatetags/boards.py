"""What the templates of the board need beside the board itself."""

from functools import cache, lru_cache

from django import template
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.safestring import SafeString, mark_safe

from games.drawing import DrawnDisc, DrawnTile
from games.engine import TILES
from games.geometry import PLATE_SPACES, TRACK_LINES, letter, sockets
from games.words import in_a_row

register = template.Library()


@register.simple_tag
@cache
def board_symbols() -> SafeString:
    """Return the sheet of symbols that the board is drawn with: the 68 tiles, the empty wheel, its track."""
    faces = [
        {"tile": tile, "letter": letter(tile.colour), "sockets": sockets(tile)} for tile in TILES.values()
    ]
    context = {"faces": faces, "spaces": PLATE_SPACES, "track_lines": TRACK_LINES}
    return mark_safe(render_to_string("games/symbols.svg", context))  # noqa: S308 (nothing in it comes from outside)


@register.simple_tag
def tile_art(tile: DrawnTile, seat: int | None = None) -> SafeString:
    """Return the picture of a tile with the discs of `seat`; most are drawn again and again."""
    return _tile_art(tile.code, tile.discs, seat)


@lru_cache(maxsize=4096)
def _tile_art(code: str, discs: tuple[DrawnDisc, ...], seat: int | None) -> SafeString:
    return render_to_string("games/_tile.html", {"code": code, "discs": discs, "seat": seat})


register.filter("names", in_a_row)


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
