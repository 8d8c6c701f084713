"""The picture that other sites show beside a link to a game: 1200 × 630 pixels, with the board's symbols.

It shows only what a spectator sees.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO

from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from games.novaluna.board.board import Board
from games.novaluna.board.drawing.displays import DrawnDisplay, draw_tile
from games.novaluna.board.drawing.painting import Part, Words, paint, tile_parts, whole_part
from games.novaluna.board.drawing.pictures import place_on_wheel, symbols_of, with_colours
from games.novaluna.board.drawing.wheel_parts import WheelParts
from games.novaluna.board.words import format_discs_left
from games.novaluna.engine import TILES
from games.shown.pictures import png_of

WIDTH, HEIGHT = 1200, 630
MARGIN, GAP = 36, 20
TOP = 112  # where the panels begin, below the heading
FOOT = 72  # the height of a panel's foot, with name and discs
PAD = 18
WHEEL = HEIGHT - TOP - MARGIN
MAX_DISPLAYS_BESIDE_WHEEL = 2  # with more displays there is no room for the wheel
TILE = 100  # the largest width of a tile
LONGEST_NAME = 16

BACKDROP = """
<rect fill="var(--bg)" width="1200" height="630"/><rect fill="url(#sky)" width="1200" height="200"/>
<path fill="var(--accent)" transform="translate(62 60) scale(2.7)"
 d="M9.11 3.04A9.6 9.6 0 1 1 1.45 -9.49A7.6 7.6 0 1 0 9.11 3.04Z"/>
"""

# The place of the first tile.
EMPTY = """
<rect fill="none" stroke="var(--line-strong)" stroke-width="2" stroke-dasharray="8 8"
 x="3" y="3" width="94" height="94" rx="20"/>
"""


@dataclass(frozen=True)
class Panel:
    """A display in its frame."""

    x: int
    y: int
    width: int
    height: int
    display: DrawnDisplay
    name: str
    discs: str
    is_golden: bool

    @property
    def foot(self) -> int:
        """The top of the foot in the picture."""
        return self.y + self.height - FOOT

    @property
    def size(self) -> int:
        """The font size of the name: smaller for a long name in a narrow panel."""
        return min(26, int(1.7 * (self.width - 92) / len(self.name)))

    @property
    def tile(self) -> float:
        """The width of a tile."""
        return _tile_width(self.display, self.width, self.height)

    def place(self, x: int, y: int) -> tuple[float, float]:
        """Return where the tile at x, y of the display is in the picture; the display is in the middle."""
        wide, high = _stage(self.width, self.height)
        left = self.x + PAD + (wide - self.display.cols * self.tile) / 2
        top = self.y + PAD + (high - self.display.rows * self.tile) / 2
        return left + (x - self.display.x0) * self.tile, top + (y - self.display.y0) * self.tile


def draw_preview(board: Board) -> bytes:
    """Return the picture of a board as a JPEG; `board` must be the board of a spectator."""
    file = BytesIO()
    # A PNG would take eight times as long, and have twice the bytes. Without subsampling, edges stay sharp.
    paint(WIDTH, HEIGHT, things_on_preview(board)).save(file, "JPEG", quality=88, subsampling=0)
    return file.getvalue()


def things_on_preview(board: Board) -> Iterator[Part | Words]:
    """Yield what the picture of a board shows, from the back to the front."""
    displays = sorted((board.display, *board.opponents), key=lambda display: display.person.seat)
    has_wheel = len(displays) <= MAX_DISPLAYS_BESIDE_WHEEL
    yield whole_part(BACKDROP, 0, 0, WIDTH, HEIGHT)
    yield Words(board.heading, 106, 75, min(44, 1600 // len(board.heading)), "text")
    if board.version:
        action = _("Action %(number)d") % {"number": board.version}
        yield Words(action, WIDTH - MARGIN, 72, 28, "muted", "rs")
    if has_wheel:
        yield from WheelParts(MARGIN, TOP, WHEEL).things(board.wheel)
    for panel in _panels(board, displays, MARGIN + WHEEL + GAP if has_wheel else MARGIN):
        yield from _things_on_panel(panel)


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
    return png_of(with_colours(render_to_string("novaluna/link.svg", context)))


def _things_on_panel(panel: Panel) -> Iterator[Part | Words]:
    """Yield the frame of a panel, the display in it, and its foot."""
    seat, colour, stroke = panel.display.person.seat, *(("gold", 4) if panel.is_golden else ("line", 2))
    frame = (
        f'<rect fill="var(--surface)" stroke="var(--{colour})" stroke-width="{stroke}" x="2" y="2"'
        f' width="{panel.width - 4}" height="{panel.height - 4}" rx="18"/>'
    )
    yield whole_part(frame, panel.x, panel.y, panel.width, panel.height)
    tiles = [(panel.place(cell.x, cell.y), cell.tile) for cell in panel.display.cells if cell.tile]
    for place, tile in tiles:
        yield from tile_parts(tile, seat, *place, panel.tile)
    if not tiles:
        yield Part(EMPTY, *panel.place(0, 0), panel.tile, panel.tile, TILE, TILE)
    disc = f'<use href="#disc-{seat}" width="44" height="44"/>'
    yield whole_part(disc, panel.x + PAD, panel.foot + 8, 44, 44)
    yield Words(panel.name, panel.x + 74, panel.foot + 28, panel.size, "text")
    yield Words(panel.discs, panel.x + 74, panel.foot + 52, 18, "muted")


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
        return min(_tile_width(display, wide, high) for display in displays)

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
            display=display,
            name=_shorten(display.person.name),
            discs=format_discs_left(discs[display.person.seat]),
            is_golden=display.person.seat in golden,
        )
        for nth, display in enumerate(displays)
    ]


def _stage(width: int, height: int) -> tuple[int, int]:
    return width - 2 * PAD, height - FOOT - 2 * PAD


def _tile_width(display: DrawnDisplay, width: int, height: int) -> float:
    """Return the width of a tile in a panel of this size."""
    wide, high = _stage(width, height)
    return min(wide / display.cols, high / display.rows, TILE)


def _shorten(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
