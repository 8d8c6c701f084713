"""The picture in a turn email: the wheel with the tiles in reach, the moon track, and the player's display.

It is drawn twice as large as mail programs show it, for sharp screens. The tiles in reach are drawn once more
beside the wheel, large enough to read on a phone.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.template.loader import render_to_string

from games.novaluna.board.board import Board
from games.novaluna.board.drawing.displays import DrawnTile
from games.novaluna.board.drawing.pictures import place_on_wheel, symbols_of, with_colours
from games.novaluna.engine import Cell
from games.shown.pictures import small_png_of

WIDTH = 1072
WHEEL = 620
MARGIN = 24
TILE = 116  # the largest width of a tile of the display
TALLEST_DISPLAY = 640
EDGE = 46  # the room of the names of columns and rows, in hundredths of a tile
REACH_STEP = 207  # from one large tile to the next


@dataclass(frozen=True)
class PlacedTile:
    """A tile with its top left corner, in hundredths of its width."""

    tile: DrawnTile
    x: int
    y: int


@dataclass(frozen=True)
class Frame:
    """Where the display is in the picture, its SVG view box, and the names along its edges."""

    x: int
    y: int
    width: int
    height: int
    box: str
    columns: tuple[tuple[str, int], ...]  # the names with the middles of the columns
    rows: tuple[tuple[str, int], ...]
    column_edge: int
    row_edge: int


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
    return with_colours(render_to_string("novaluna/turn_picture.svg", context))


def _frame(tiles: Sequence[PlacedTile]) -> Frame:
    """Return the frame of a display below the wheel, around its tiles and the names of columns and rows."""
    xs, ys = [one.x for one in tiles] or [0], [one.y for one in tiles] or [0]
    left, top = min(xs) - EDGE, min(ys) - EDGE
    wide, high = max(xs) - left + 100, max(ys) - top + 100
    scale = min(TILE / 100, (WIDTH - 2 * MARGIN) / wide, TALLEST_DISPLAY / high)
    width, height = round(wide * scale), round(high * scale)
    return Frame(
        x=(WIDTH - width) // 2,
        y=WHEEL + 3 * MARGIN,
        width=width,
        height=height,
        box=f"{left} {top} {wide} {high}",
        columns=tuple((Cell(x // 100, 0).name, x + 50) for x in range(min(xs), max(xs) + 1, 100)),
        rows=tuple((Cell(0, y // 100).name, y + 62) for y in range(min(ys), max(ys) + 1, 100)),
        column_edge=min(ys) - 14,
        row_edge=min(xs) - 28,
    )
