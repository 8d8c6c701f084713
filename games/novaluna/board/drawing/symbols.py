"""The sheet of SVG symbols that the board's drawings use."""

from functools import cache

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from games.novaluna.board.drawing.geometry import (
    CORNERS,
    DISC_WIDTH,
    TRACK_LINES,
    WHEEL_SPACES,
    letter,
    number,
    sockets,
)
from games.novaluna.engine import TILES


@cache
def board_symbols() -> SafeString:
    """Return the 68 tiles, the discs in their corners, the empty wheel and the moon track as SVG symbols."""
    faces = [
        {"tile": tile, "letter": letter(tile.colour), "sockets": sockets(tile)} for tile in TILES.values()
    ]
    corners = [
        {"name": name, "x": x, "y": y, "left": number(x - DISC_WIDTH / 2), "top": number(y - DISC_WIDTH / 2)}
        for name, (x, y) in CORNERS.items()
    ]
    context = {
        "faces": faces,
        "corners": corners,
        "disc_width": DISC_WIDTH,
        "spaces": WHEEL_SPACES,
        "track_lines": TRACK_LINES,
    }
    return mark_safe(render_to_string("novaluna/symbols.svg", context))  # noqa: S308 (nothing in it comes from outside)
