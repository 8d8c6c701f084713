"""The sheet of SVG symbols that the board's drawings use."""

from functools import cache

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from games.board.drawing.geometry import TRACK_LINES, WHEEL_SPACES, letter, sockets
from games.engine import TILES


@cache
def board_symbols() -> SafeString:
    """Return the 68 tiles, the empty wheel and the moon track as SVG symbols."""
    faces = [
        {"tile": tile, "letter": letter(tile.colour), "sockets": sockets(tile)} for tile in TILES.values()
    ]
    context = {"faces": faces, "spaces": WHEEL_SPACES, "track_lines": TRACK_LINES}
    return mark_safe(render_to_string("games/symbols.svg", context))  # noqa: S308 (nothing in it comes from outside)
