"""Tiles and displays as they are drawn."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache

from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from games import words
from games.engine import ORIGIN, Cell, Display, GoalAt, Tile
from games.geometry import DISC, RING, number, sockets
from games.words import Person

WIDE = 10  # columns or rows from which a small picture scrolls


@dataclass(frozen=True)
class DrawnDisc:
    """A disc on a goal, or one that would be placed there, with the place of the ring around it."""

    x: str
    y: str
    is_coming: bool
    ring_x: str
    ring_y: str


@dataclass(frozen=True)
class DrawnTile:
    """A tile by its code, the discs on its goals, and its description."""

    code: str
    label: str
    discs: tuple[DrawnDisc, ...] = ()


@dataclass(frozen=True)
class DrawnCell:
    """A cell of a display: a tile, a cell where the chosen tile may go, or the chosen tile on trial."""

    x: int
    y: int
    name: str
    tile: DrawnTile | None = None
    is_trial: bool = False
    gain: int = 0
    query: str = ""  # of the page on which the chosen tile lies here

    @property
    def is_open(self) -> bool:
        """Whether the chosen tile may go here."""
        return bool(self.query)

    @property
    def label(self) -> str:
        """What a screen reader says of the cell."""
        is_first = (self.x, self.y) == ORIGIN
        if self.tile and not self.is_open:
            return f"{_('First tile') if is_first else self.name}: {self.tile.label}"
        name = _("Place as the first tile") if is_first else _("Place at %(cell)s") % {"cell": self.name}
        if not self.gain:
            return _("%(place)s: covers no goal") % {"place": name}
        return _("%(place)s: covers %(goals)s") % {"place": name, "goals": words.goals(self.gain)}


@dataclass(frozen=True)
class DrawnDisplay:
    """A display in its own coordinates, `x0` and `y0` being its top left cell; cells row by row."""

    person: Person
    cells: tuple[DrawnCell, ...]
    x0: int
    y0: int
    cols: int
    rows: int
    tiles: int

    @property
    def label(self) -> str:
        """Whose display it is, and how large."""
        count = ngettext("%(count)d tile", "%(count)d tiles", self.tiles) % {"count": self.tiles}
        return _("%(name)s, %(tiles)s") % {"name": self.person.name, "tiles": count}

    @property
    def is_wide(self) -> bool:
        """Whether the picture is too wide for its frame, which then scrolls."""
        return self.cols > WIDE or self.rows > WIDE


def draw_display(
    display: Display,
    person: Person,
    *,
    chosen: Tile | None = None,
    open_cells: Mapping[Cell, int] | None = None,
    trial: Cell | None = None,
    coming: Collection[GoalAt] = (),
    margin: bool = False,
) -> DrawnDisplay:
    """Return a display as it is drawn.

    The `chosen` tile may go to one of the `open_cells`, where it would cover so many goals. Now it lies on
    the one that is on `trial`, and would get the goals `coming`. With `margin` there is room for every cell
    where a next tile may lie, so that nothing moves when a tile is chosen.
    """
    cells = [
        DrawnCell(cell.x, cell.y, cell.name, draw_tile(tile, cell, display.covered, coming))
        for cell, tile in display.tiles.items()
    ]
    if chosen:
        cells += [
            DrawnCell(
                cell.x,
                cell.y,
                cell.name,
                tile=draw_tile(chosen, cell, (), coming) if cell == trial else None,
                is_trial=cell == trial,
                gain=gain,
                query=f"?tile={chosen.code}&x={cell.x}&y={cell.y}",
            )
            for cell, gain in (open_cells or {}).items()
        ]
    room = [*display.tiles, *(display.cells if margin else ())] or [ORIGIN]
    xs, ys = [cell.x for cell in room], [cell.y for cell in room]
    return DrawnDisplay(
        person=person,
        cells=tuple(sorted(cells, key=lambda cell: (cell.y, cell.x))),
        x0=min(xs),
        y0=min(ys),
        cols=max(xs) - min(xs) + 1,
        rows=max(ys) - min(ys) + 1,
        tiles=len(display.tiles),
    )


def draw_tile(
    tile: Tile, cell: Cell | None = None, covered: Collection[GoalAt] = (), coming: Collection[GoalAt] = ()
) -> DrawnTile:
    """Return a tile as it is drawn, with its discs where it lies on a `cell`."""
    if cell is None:
        return _draw_tile(tile, (), (), get_language())
    goals = [GoalAt(cell, nth) for nth in range(len(tile.goals))]
    has_disc = tuple(goal.nth for goal in goals if goal in covered)
    gets_disc = tuple(goal.nth for goal in goals if goal in coming)
    return _draw_tile(tile, has_disc, gets_disc, get_language())


@lru_cache(maxsize=4096)
def _draw_tile(
    tile: Tile, has_disc: tuple[int, ...], gets_disc: tuple[int, ...], _language: str | None
) -> DrawnTile:
    places = sockets(tile)
    discs = tuple(
        DrawnDisc(
            x=number(places[nth].x - DISC / 2),
            y=number(places[nth].y - DISC / 2),
            is_coming=nth in gets_disc,
            ring_x=number(places[nth].x - RING / 2),
            ring_y=number(places[nth].y - RING / 2),
        )
        for nth in sorted({*has_disc, *gets_disc})
    )
    return DrawnTile(tile.code, words.described(tile, has_disc, gets_disc), discs)
