"""Tiles and displays as they are drawn."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.novaluna.board.choice import Choice, page_query
from games.novaluna.board.drawing.geometry import goal_corners
from games.novaluna.board.words import describe_tile, format_goals
from games.novaluna.engine import ORIGIN, Cell, Display, GoalAt, Tile
from games.shown.kept import keep_latest
from games.shown.words import join_words
from games.titles.people import Person

KEPT_DISPLAYS = 512
WIDE = 10  # a display with more columns or rows scrolls in its small frame


@dataclass(frozen=True)
class DrawnDisc:
    """A disc on the goal in a corner of a tile; the player's choice would place one that `is_next`."""

    corner: str
    is_next: bool


@dataclass(frozen=True)
class DrawnTile:
    """A tile: its code, its description, and the discs on its goals."""

    code: str
    label: str
    discs: tuple[DrawnDisc, ...] = ()


@dataclass(frozen=True)
class DrawnCell:
    """A cell of a display: a tile, a cell for the next tile, or the chosen cell with the chosen tile."""

    x: int
    y: int
    name: str
    label: str = ""
    tile: DrawnTile | None = None
    is_newest: bool = False  # a tile that was placed last
    is_open: bool = False
    is_chosen: bool = False
    gain: int = 0  # goals that the chosen tile would cover here
    query: str = ""  # of the page on which this cell is chosen


def cell_label(cell: Cell, covers: Collection[GoalAt]) -> str:
    """Return the label of a cell for the chosen tile, for screen readers.

    >>> cell_label(Cell(2, 1), {GoalAt(Cell(1, 1), 0), GoalAt(Cell(1, 1), 1)})
    'Place at E2 S1: covers 2 goals, at E1 S1'
    """
    if not covers:
        return label_without_goals(cell, cell.name)
    return _("%(place)s: covers %(goals)s, at %(cells)s") % {
        "place": _place(cell, cell.name),
        "goals": format_goals(len(covers)),
        "cells": join_words([_cell_name(at) for at in sorted({goal.cell for goal in covers})]),
    }


def label_without_goals(cell: Cell, name: str) -> str:
    """Return the label of a cell for a tile that covers no goal there, with a `name` of the cell.

    >>> label_without_goals(Cell(2, 1), "{cell}")
    'Place at {cell}: covers no goal'
    """
    return _("%(place)s: covers no goal") % {"place": _place(cell, name)}


def _place(cell: Cell, name: str) -> str:
    return _("Place as the first tile") if cell == ORIGIN else _("Place at %(cell)s") % {"cell": name}


def _cell_name(cell: Cell) -> str:
    return _("the first tile") if cell == ORIGIN else cell.name


@dataclass(frozen=True)
class DrawnDisplay:
    """A display as it is drawn, cell by cell and row by row; its top left cell is `x0`, `y0`."""

    person: Person
    cells: tuple[DrawnCell, ...]
    x0: int
    y0: int
    cols: int
    rows: int
    tiles: int
    can_place: bool = False  # whether its player can choose a tile and a cell for it
    has_margin: bool = False  # whether it has space for cells on all sides of its tiles
    better: DrawnCell | None = None  # the better tile of a reviewed action, where it would have been
    has_shown_action: bool = False  # whether the past action that is shown placed its newest tile

    @property
    def is_better_covered(self) -> bool:
        """Whether the tile that was played has the place of the better one."""
        return self.better is not None and any(
            (cell.x, cell.y) == (self.better.x, self.better.y) for cell in self.cells
        )

    @property
    def label(self) -> str:
        """The name of its player and the number of its tiles."""
        count = ngettext("%(count)d tile", "%(count)d tiles", self.tiles) % {"count": self.tiles}
        return _("%(name)s, %(tiles)s") % {"name": self.person.name, "tiles": count}

    @property
    def column_names(self) -> tuple[str, ...]:
        """The names of the columns, from left to right."""
        return tuple(Cell(self.x0 + column, 0).name for column in range(self.cols))

    @property
    def row_names(self) -> tuple[str, ...]:
        """The names of the rows, from top to bottom."""
        return tuple(Cell(0, self.y0 + row).name for row in range(self.rows))

    @property
    def is_wide(self) -> bool:
        """Whether the display is too large for its small frame, which then scrolls."""
        return self.cols > WIDE or self.rows > WIDE


def draw_display(
    display: Display,
    person: Person,
    *,
    chosen_tile: Tile | None = None,
    covers: Mapping[Cell, Collection[GoalAt]] | None = None,
    chosen_cell: Cell | None = None,
    can_place: bool = False,
    with_margin: bool = False,
    in_sight: Collection[Cell] = (),
    better: DrawnCell | None = None,
    has_shown_action: bool = False,
    newest: int = 1,
) -> DrawnDisplay:
    """Return a display as it is drawn.

    If its owner `can_place` a tile now and has chosen one, the drawing has the open cells. `covers` has the
    goals that `chosen_tile` would cover from each cell; the tile is drawn on `chosen_cell`. `with_margin`
    keeps space for all open cells, so that nothing moves when a tile is chosen; there is always place for the
    cells `in_sight`. `better` is a tile that would have been better than the last one. `has_shown_action`
    says that the shown action has placed the newest tile. `newest` is the number of tiles at the end that
    count as new.
    """
    covers = covers or {}
    next_discs = covers.get(chosen_cell, ()) if chosen_cell else ()
    cells = _draw_tiles(tuple(display.tiles.items()), display.covered, frozenset(next_discs), newest)
    if can_place and chosen_tile:
        open_cells = [
            DrawnCell(
                cell.x,
                cell.y,
                cell.name,
                label=cell_label(cell, covers.get(cell, ())),
                tile=draw_tile(chosen_tile, cell, (), next_discs) if cell == chosen_cell else None,
                is_open=True,
                is_chosen=cell == chosen_cell,
                gain=len(covers.get(cell, ())),
                query=page_query(choice=Choice(chosen_tile.code, cell)),
            )
            for cell in display.free_cells
        ]
        cells = _row_by_row([*cells, *open_cells])
    has_margin = with_margin and (can_place or bool(display.tiles))
    room = [*display.tiles, *in_sight] or [ORIGIN]
    if better:
        room.append(Cell(better.x, better.y))
    xs, ys = [cell.x for cell in room], [cell.y for cell in room]
    margin = int(has_margin)
    return DrawnDisplay(
        person=person,
        cells=cells,
        x0=min(xs) - margin,
        y0=min(ys) - margin,
        cols=max(xs) - min(xs) + 1 + 2 * margin,
        rows=max(ys) - min(ys) + 1 + 2 * margin,
        tiles=len(display.tiles),
        can_place=can_place,
        has_margin=has_margin,
        better=better,
        has_shown_action=has_shown_action,
    )


@keep_latest(KEPT_DISPLAYS)
def _draw_tiles(
    tiles: tuple[tuple[Cell, Tile], ...],
    covered: frozenset[GoalAt],
    next_discs: frozenset[GoalAt],
    newest: int,
) -> tuple[DrawnCell, ...]:
    """Return the cells of `tiles`, which are in the order in which they were placed, row by row."""
    cells = []
    for nth, (cell, tile) in enumerate(tiles, 1):
        drawn = draw_tile(tile, cell, covered, next_discs)
        name = _("First tile") if cell == ORIGIN else cell.name
        is_newest = nth > len(tiles) - newest
        cells.append(
            DrawnCell(cell.x, cell.y, cell.name, f"{name}: {drawn.label}", drawn, is_newest=is_newest)
        )
    return _row_by_row(cells)


def _row_by_row(cells: Iterable[DrawnCell]) -> tuple[DrawnCell, ...]:
    return tuple(sorted(cells, key=lambda cell: (cell.y, cell.x)))


def draw_tile(
    tile: Tile,
    cell: Cell | None = None,
    covered: Collection[GoalAt] = (),
    next_discs: Collection[GoalAt] = (),
) -> DrawnTile:
    """Return a tile as it is drawn, with its discs if it is on a `cell`."""
    goals = [GoalAt(cell, nth) for nth in range(len(tile.goals))] if cell else []
    has_disc = tuple(goal.nth for goal in goals if goal in covered)
    gets_disc = tuple(goal.nth for goal in goals if goal in next_discs)
    return _draw_tile(tile, has_disc, gets_disc)


@keep_latest(4096)
def _draw_tile(tile: Tile, has_disc: tuple[int, ...], gets_disc: tuple[int, ...]) -> DrawnTile:
    discs = tuple(
        DrawnDisc(corner, is_next=nth in gets_disc)
        for nth, corner in enumerate(goal_corners(tile))
        if nth in has_disc or nth in gets_disc
    )
    return DrawnTile(tile.code, describe_tile(tile, has_disc), discs)
