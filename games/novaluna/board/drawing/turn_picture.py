"""The picture in a turn email: the wheel with the tiles in reach, the moon track, and the player's display.

It is drawn twice as large as mail programs show it, for sharp screens. The tiles in reach are drawn once more
beside the wheel, large enough to read on a phone.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from games.novaluna.board.board import Board
from games.novaluna.board.drawing.displays import DrawnCell, DrawnDisplay, DrawnTile
from games.novaluna.board.drawing.painting import Part, Words, paint, tile_parts
from games.novaluna.board.drawing.wheel_parts import WheelParts
from games.novaluna.engine import Cell
from games.shown.pictures import jpeg_of

WIDTH = 1072
WHEEL = 620
MARGIN = 24
TILE = 116  # the largest width of a tile of the display
TALLEST_DISPLAY = 640
EDGE = 0.46  # the room of the names of columns and rows, in tiles
REACH_STEP = 207  # from one large tile to the next


# The tiles in reach: where their numbers and their pictures are.
NUMBER_X, TILE_X, LARGE_TILE = 724, 780, 186


def draw_turn(board: Board) -> bytes:
    """Return the picture of a board for the player whose turn it is, as a JPEG."""
    frame = _frame(board.display)
    height = frame.top + frame.height + 2 * MARGIN if frame else WHEEL + 2 * MARGIN
    return jpeg_of(paint(WIDTH, height, things_on_picture(board), "#191f42"))


def things_on_picture(board: Board) -> Iterator[Part | Words]:
    """Yield what the picture of a board shows, from the back to the front."""
    yield from WheelParts(MARGIN, MARGIN, WHEEL).things(board.wheel)
    for nth, space in enumerate(space for space in board.wheel.tiles if space.in_reach):
        top = MARGIN + nth * REACH_STEP
        yield Words(str(space.reach_number), NUMBER_X, top + 107, 40, "plate-text", "ms")
        yield from tile_parts(space.tile, None, TILE_X, top, LARGE_TILE)
    if frame := _frame(board.display):
        yield from frame.things(board.display)


@dataclass(frozen=True)
class Frame:
    """Where a display is in the picture: its tiles, and the names of columns and rows along its edges."""

    left: float  # of the first column
    top: int  # of the names of the columns
    tile: float  # the width of a tile
    columns: range
    rows: range

    @property
    def height(self) -> int:
        """The height with the names of the columns."""
        return round((len(self.rows) + EDGE) * self.tile)

    def things(self, display: DrawnDisplay) -> Iterator[Part | Words]:
        """Yield the names and the tiles."""
        first, size = self.top + EDGE * self.tile, self.tile
        for nth, x in enumerate(self.columns):
            middle = self.left + (nth + 0.5) * size
            yield Words(Cell(x, 0).name, middle, first - 0.14 * size, 0.28 * size, "plate-muted", "ms")
        for nth, y in enumerate(self.rows):
            line = first + (nth + 0.62) * size
            yield Words(Cell(0, y).name, self.left - 0.28 * size, line, 0.28 * size, "plate-muted", "ms")
        for cell, tile in _placed(display):
            left, top = (cell.x - self.columns[0]) * size, (cell.y - self.rows[0]) * size
            yield from tile_parts(tile, display.person.seat, self.left + left, first + top, size)


def _placed(display: DrawnDisplay) -> list[tuple[DrawnCell, DrawnTile]]:
    return [(cell, cell.tile) for cell in display.cells if cell.tile and not cell.is_open]


def _frame(display: DrawnDisplay) -> Frame | None:
    """Return the frame of a display below the wheel; None without tiles."""
    cells = [cell for cell, _tile in _placed(display)]
    if not cells:
        return None
    xs, ys = [cell.x for cell in cells], [cell.y for cell in cells]
    columns, rows = range(min(xs), max(xs) + 1), range(min(ys), max(ys) + 1)
    tile = min(TILE, (WIDTH - 2 * MARGIN) / (len(columns) + EDGE), TALLEST_DISPLAY / (len(rows) + EDGE))
    left = (WIDTH - (len(columns) - EDGE) * tile) / 2
    return Frame(left, WHEEL + 3 * MARGIN, tile, columns, rows)
