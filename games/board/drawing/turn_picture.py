"""The picture in a turn email: the wheel with the tiles in reach, the moon track, and the player's display.

It is drawn twice as large as mail programs show it, for sharp screens. The tiles in reach are drawn once more
beside the wheel, large enough to read on a phone.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.template.loader import render_to_string

from games.board.board import Board
from games.board.drawing.displays import DrawnTile
from games.board.drawing.pictures import place_on_wheel, small_png_of, symbols_of, with_colours

WIDTH = 1072
WHEEL = 620
MARGIN = 24
TILE = 116  # the largest width of a tile of the display
TALLEST_DISPLAY = 640
REACH_STEP = 207  # from one large tile to the next


@dataclass(frozen=True)
class PlacedTile:
    """A tile with its top left corner, in hundredths of its width."""

    tile: DrawnTile
    x: int
    y: int


@dataclass(frozen=True)
class Frame:
    """Where the display is in the picture, and its SVG view box."""

    x: int
    y: int
    width: int
    height: int
    box: str


def draw_turn(board: Board) -> bytes:
    """Return the picture of a board for the player whose turn it is, as a PNG."""
    return small_png_of(turn_svg(board))


def turn_svg(board: Board) -> str:
    """Return the picture as an SVG that needs nothing but the fonts."""
    tiles = [
        PlacedTile(cell.tile, cell.x * 100, cell.y * 100)
        for cell in board.display.cells
        if cell.tile and not cell.is_open
    ]
    frame = _frame(tiles)
    reach = [space for space in board.wheel.tiles if space.in_reach]
    context = {
        "width": WIDTH,
        "height": frame.y + frame.height + 2 * MARGIN if tiles else WHEEL + 2 * MARGIN,
        "symbols": symbols_of(
            {one.tile.code for one in tiles} | {space.tile.code for space in board.wheel.tiles}
        ),
        "wheel": board.wheel,
        "wheel_tiles": [(space, place_on_wheel(space.space)) for space in board.wheel.tiles],
        "reach": [(space, MARGIN + nth * REACH_STEP) for nth, space in enumerate(reach)],
        "tiles": tiles,
        "seat": board.display.person.seat,
        "frame": frame,
    }
    return with_colours(render_to_string("games/turn_picture.svg", context))


def _frame(tiles: Sequence[PlacedTile]) -> Frame:
    """Return the frame of a display below the wheel, around its tiles only."""
    left, top = min((one.x for one in tiles), default=0), min((one.y for one in tiles), default=0)
    wide = max((one.x for one in tiles), default=0) - left + 100
    high = max((one.y for one in tiles), default=0) - top + 100
    scale = min(TILE / 100, (WIDTH - 2 * MARGIN) / wide, TALLEST_DISPLAY / high)
    width, height = round(wide * scale), round(high * scale)
    return Frame((WIDTH - width) // 2, WHEEL + 3 * MARGIN, width, height, f"{left} {top} {wide} {high}")
