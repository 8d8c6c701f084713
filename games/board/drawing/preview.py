"""The picture that other sites show beside a link to a game: 1200 × 630 pixels, with the board's symbols.

It shows only what a spectator sees.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from games.board.board import Board
from games.board.drawing.displays import DrawnDisplay, DrawnTile, draw_tile
from games.board.drawing.pictures import place_on_wheel, png_of, symbols_of, with_colours
from games.board.words import format_discs_left
from games.engine import TILES

WIDTH, HEIGHT = 1200, 630
MARGIN, GAP = 36, 20
TOP = 112  # where the panels begin, below the heading
FOOT = 72  # the height of a panel's foot, with name and discs
PAD = 18
WHEEL = HEIGHT - TOP - MARGIN
MAX_DISPLAYS_BESIDE_WHEEL = 2  # with more displays there is no room for the wheel
TILE = 100  # the width of a tile in its drawing, and its largest width in the picture
LONGEST_NAME = 16


@dataclass(frozen=True)
class Panel:
    """A display in its frame. `box` is the SVG view box around the display, in hundredths of a tile."""

    x: int
    y: int
    width: int
    height: int
    box: str
    display: DrawnDisplay
    name: str
    discs: str
    is_golden: bool

    @property
    def foot(self) -> int:
        """The distance of the foot from the top."""
        return self.height - FOOT

    @property
    def tiles(self) -> list[tuple[int, int, DrawnTile]]:
        """The tiles with their x and y."""
        return [(cell.x * TILE, cell.y * TILE, cell.tile) for cell in self.display.cells if cell.tile]

    @property
    def size(self) -> int:
        """The font size of the name: smaller for a long name in a narrow panel."""
        return min(26, int(1.7 * (self.width - 92) / len(self.name)))

    @property
    def stage(self) -> tuple[int, int]:
        """The width and height of the area for the display."""
        return _stage(self.width, self.height)


def draw_preview(board: Board) -> bytes:
    """Return the picture of a board as a PNG; `board` must be the board of a spectator."""
    return png_of(preview_svg(board))


def preview_svg(board: Board) -> str:
    """Return the picture as an SVG that needs nothing but the fonts."""
    displays = sorted((board.display, *board.opponents), key=lambda display: display.person.seat)
    has_wheel = len(displays) <= MAX_DISPLAYS_BESIDE_WHEEL
    left = MARGIN + WHEEL + GAP if has_wheel else MARGIN
    shown = {cell.tile.code for display in displays for cell in display.cells if cell.tile}
    if has_wheel:
        shown |= {space.tile.code for space in board.wheel.tiles}
    context = {
        "width": WIDTH,
        "height": HEIGHT,
        "board": board,
        "action": _("Action %(number)d") % {"number": board.version} if board.version else "",
        "heading_size": min(44, 1600 // len(board.heading)),
        "symbols": symbols_of(shown),
        "panels": _panels(board, displays, left),
        "wheel": board.wheel if has_wheel else None,
        "wheel_tiles": [(space.tile, place_on_wheel(space.space)) for space in board.wheel.tiles],
    }
    return with_colours(render_to_string("games/preview.svg", context))


def site_picture() -> bytes:
    """Return the site's own picture as a PNG, for links to every page that is not a public game."""
    tiles = [list(TILES.values())[19 * space % len(TILES)] for space in range(1, 12)]  # of all colours
    context = {
        "width": WIDTH,
        "height": HEIGHT,
        "symbols": symbols_of({tile.code for tile in tiles}),
        "wheel_tiles": [
            (draw_tile(tile), place_on_wheel(space)) for space, tile in enumerate(tiles, start=1)
        ],
    }
    return png_of(with_colours(render_to_string("webapp/link.svg", context)))


def _panels(board: Board, displays: Sequence[DrawnDisplay], left: int) -> list[Panel]:
    """Return the displays in rows and columns, arranged to make the smallest display as large as possible."""
    discs = {player.person.seat: player.discs for player in board.players}
    if board.score:
        discs[displays[0].person.seat] = board.score.discs
    golden = {player.person.seat for player in board.players if player.is_turn}
    if board.ranking:
        golden = {board.ranking[0].person.seat}
    width, height = WIDTH - MARGIN - left, HEIGHT - TOP - MARGIN

    def sizes(columns: int) -> tuple[int, int]:
        rows = len(displays) // columns
        return (width - GAP * (columns - 1)) // columns, (height - GAP * (rows - 1)) // rows

    def scale(columns: int) -> float:
        wide, high = sizes(columns)
        return min(_scale(display, wide, high) for display in displays)

    # `max` returns the first of equal values, so if the scale is equal, the arrangement with more columns is
    # chosen.
    columns = max((count for count in (4, 3, 2, 1) if len(displays) % count == 0), key=scale)
    wide, high = sizes(columns)
    return [
        Panel(
            x=left + (nth % columns) * (wide + GAP),
            y=TOP + (nth // columns) * (high + GAP),
            width=wide,
            height=high,
            box=_box(display, wide, high),
            display=display,
            name=_shorten(display.person.name),
            discs=format_discs_left(discs[display.person.seat]),
            is_golden=display.person.seat in golden,
        )
        for nth, display in enumerate(displays)
    ]


def _stage(width: int, height: int) -> tuple[int, int]:
    return width - 2 * PAD, height - FOOT - 2 * PAD


def _scale(display: DrawnDisplay, width: int, height: int) -> float:
    """Return the width of a tile in a panel of this size."""
    stage_width, stage_height = _stage(width, height)
    return min(stage_width / display.cols, stage_height / display.rows, TILE)


def _box(display: DrawnDisplay, width: int, height: int) -> str:
    """Return the view box that fills the panel's stage and has the display in its middle."""
    stage_width, stage_height = _stage(width, height)
    wide, high = max(display.cols * TILE, stage_width), max(display.rows * TILE, stage_height)
    x = display.x0 * TILE - (wide - display.cols * TILE) // 2
    y = display.y0 * TILE - (high - display.rows * TILE) // 2
    return f"{x} {y} {wide} {high}"


def _shorten(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
