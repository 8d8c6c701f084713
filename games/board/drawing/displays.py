"""Tiles and displays as they are drawn."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from games.board.choice import Choice, page_query
from games.board.drawing.geometry import DISC, RING, number, sockets
from games.board.game_view import Person
from games.board.words import describe_tile, format_goals, join_words
from games.engine import ORIGIN, Cell, Display, GoalAt, Tile

WIDE = 10  # columns or rows from which a small picture scrolls


@dataclass(frozen=True)
class DrawnDisc:
    """A goal's disc: one that lies there, or one that the viewer's choice may bring, in its ring."""

    nth: int  # of the tile's goals
    x: str
    y: str
    is_placed: bool
    is_next: bool
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
    """A cell of a display: a tile, a cell where a tile may be placed now, or the chosen tile on trial."""

    x: int
    y: int
    name: str
    label: str = ""
    tile: DrawnTile | None = None
    is_newest: bool = False  # the tile that was placed last
    is_open: bool = False
    is_trial: bool = False
    gain: int = 0
    query: str = ""  # of the page on which the chosen tile lies here


def cell_label(cell: Cell, covers: Collection[GoalAt]) -> str:
    """Return what a screen reader says of a cell where the chosen tile may be placed.

    >>> cell_label(Cell(2, 1), {GoalAt(Cell(1, 1), 0), GoalAt(Cell(1, 1), 1)})
    'Place at E2 S1: covers 2 goals, at E1 S1'
    """
    place = _("Place as the first tile") if cell == ORIGIN else _("Place at %(cell)s") % {"cell": cell.name}
    if not covers:
        return _("%(place)s: covers no goal") % {"place": place}
    return _("%(place)s: covers %(goals)s, at %(cells)s") % {
        "place": place,
        "goals": format_goals(len(covers)),
        "cells": join_words([_cell_name(at) for at in sorted({goal.cell for goal in covers})]),
    }


def _cell_name(cell: Cell) -> str:
    return _("the first tile") if cell == ORIGIN else cell.name


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
    is_choosing: bool = False  # whether a tile is chosen and the cells for it are to be seen

    @property
    def label(self) -> str:
        """Whose display it is, and how large."""
        count = ngettext("%(count)d tile", "%(count)d tiles", self.tiles) % {"count": self.tiles}
        return _("%(name)s, %(tiles)s") % {"name": self.person.name, "tiles": count}

    @property
    def columns(self) -> Sequence[str]:
        """The names of the columns, from left to right."""
        return [Cell(self.x0 + place, 0).name for place in range(self.cols)]

    @property
    def lines(self) -> Sequence[str]:
        """The names of the rows, from top to bottom."""
        return [Cell(0, self.y0 + place).name for place in range(self.rows)]

    @property
    def is_wide(self) -> bool:
        """Whether the picture is too wide for its frame, which then scrolls."""
        return self.cols > WIDE or self.rows > WIDE


def draw_display(
    display: Display,
    person: Person,
    *,
    chosen: Tile | None = None,
    covers: Mapping[Cell, Collection[GoalAt]] | None = None,
    trial: Cell | None = None,
    can_place: bool = False,
    margin: bool = False,
) -> DrawnDisplay:
    """Return a display as it is drawn.

    Where its owner `can_place` a tile now, it has the cells for it, and a place for every disc that may come.
    The `chosen` tile `covers` so many goals from each cell, and lies on the one that is on `trial`. With
    `margin` there is room for every cell where a next tile may lie, so that nothing moves when a tile is
    chosen.
    """
    covers = covers or {}
    next_discs = covers.get(trial, ()) if trial else ()
    cells = []
    newest = next(reversed([*display.tiles]), None)
    for cell, tile in display.tiles.items():
        drawn = draw_tile(tile, cell, display.covered, next_discs, can_cover=can_place)
        name = _("First tile") if cell == ORIGIN else cell.name
        label = f"{name}: {drawn.label}"
        cells.append(DrawnCell(cell.x, cell.y, cell.name, label, drawn, is_newest=cell == newest))
    if can_place:
        cells += [
            DrawnCell(
                cell.x,
                cell.y,
                cell.name,
                label=cell_label(cell, covers.get(cell, ())),
                tile=draw_tile(chosen, cell, (), next_discs, can_cover=True)
                if chosen and cell == trial
                else None,
                is_open=True,
                is_trial=cell == trial,
                gain=len(covers.get(cell, ())),
                query=page_query(choice=Choice(chosen.code, cell)) if chosen else "",
            )
            for cell in display.free_cells
        ]
    room = [*display.tiles, *(display.free_cells if margin else ())] or [ORIGIN]
    xs, ys = [cell.x for cell in room], [cell.y for cell in room]
    return DrawnDisplay(
        person=person,
        cells=tuple(sorted(cells, key=lambda cell: (cell.y, cell.x))),
        x0=min(xs),
        y0=min(ys),
        cols=max(xs) - min(xs) + 1,
        rows=max(ys) - min(ys) + 1,
        tiles=len(display.tiles),
        is_choosing=chosen is not None,
    )


def draw_tile(
    tile: Tile,
    cell: Cell | None = None,
    covered: Collection[GoalAt] = (),
    next_discs: Collection[GoalAt] = (),
    *,
    can_cover: bool = False,
) -> DrawnTile:
    """Return a tile as it is drawn, with its discs where it lies on a `cell`.

    Where one `can_cover` its goals now, the others have a place for the disc that may come.
    """
    goals = [GoalAt(cell, nth) for nth in range(len(tile.goals))] if cell else []
    has_disc = tuple(goal.nth for goal in goals if goal in covered)
    gets_disc = tuple(goal.nth for goal in goals if goal in next_discs)
    return _draw_tile(tile, has_disc, gets_disc, can_cover, get_language())


@lru_cache(maxsize=4096)
def _draw_tile(
    tile: Tile, has_disc: tuple[int, ...], gets_disc: tuple[int, ...], can_cover: bool, _language: str | None
) -> DrawnTile:
    discs = tuple(
        DrawnDisc(
            nth=nth,
            x=number(socket.x - DISC / 2),
            y=number(socket.y - DISC / 2),
            is_placed=nth in has_disc,
            is_next=nth in gets_disc,
            ring_x=number(socket.x - RING / 2),
            ring_y=number(socket.y - RING / 2),
        )
        for nth, socket in enumerate(sockets(tile))
        if can_cover or nth in has_disc or nth in gets_disc
    )
    return DrawnTile(tile.code, describe_tile(tile, has_disc), discs)
