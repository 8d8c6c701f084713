"""The board as text, for a page without pictures: wheel, displays, and the options of the viewer."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from games import marked
from games.marked import MarkedText, ngettext
from games.marked import gettext as _
from games.novaluna.board.board import Board
from games.novaluna.board.choice import CheckedChoice, Choice, page_query
from games.novaluna.board.events import describe_outcome
from games.novaluna.board.game_view import GameView
from games.novaluna.board.words import (
    COLOUR_WORDS,
    describe_tile,
    format_discs_left,
    format_dots,
    format_goals,
    tile_name,
)
from games.novaluna.engine import (
    COLOURS,
    ORIGIN,
    Cell,
    Display,
    Goal,
    Position,
    SoloPosition,
    Step,
    Support,
    Tile,
)
from games.shown.words import join_words
from games.titles.people import Person


@dataclass(frozen=True)
class Space:
    """A space of the moon wheel with a tile, in words."""

    number: int
    tile: str
    in_reach: bool


@dataclass(frozen=True)
class Option:
    """A tile or cell to choose: the text of its link, a detail, and the query of the page it leads to."""

    label: str
    detail: str
    query: str


@dataclass(frozen=True)
class PlacePreview:
    """What would happen if the viewer confirmed."""

    place: str
    covers: tuple[str, ...]
    result: str


@dataclass(frozen=True)
class GridCell:
    """A cell of a display: its tile, or what the chosen tile would cover here; empty without either."""

    text: str = ""
    query: str = ""


@dataclass(frozen=True)
class Row:
    """A row of a display. `name` is the end of the names of all its cells: `S1`."""

    name: str
    cells: tuple[GridCell, ...]


@dataclass(frozen=True)
class Grid:
    """A display as a table, with its groups of two or more tiles, the largest first.

    `goals` says for each tile with open goals how many tiles of each colour they have and need.
    """

    person: Person
    tiles: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    groups: tuple[str, ...]
    goals: tuple[str, ...]


@dataclass(frozen=True)
class TextBoard:
    """What the text page shows in addition to the texts of a `Board`."""

    marker: int
    wheel: tuple[Space, ...]
    tiles: tuple[Option, ...]
    chosen_tile: str
    tile_query: str  # of the page with this tile chosen, but no cell
    cells: tuple[Option, ...]
    preview: PlacePreview | None
    displays: tuple[Grid, ...]  # the viewer's first


def text_board(board: Board, view: GameView) -> TextBoard:
    """Return the text form of `board`, which must be the board of `view`."""
    choice, position, first = board.choice, view.position, view.first_seat
    seats = [*range(first, position.seats), *range(first)]
    return TextBoard(
        marker=position.wheel.marker,
        wheel=tuple(_spaces(position)),
        tiles=tuple(_tile(tile, steps, view) for tile, steps in choice.options.items()),
        chosen_tile=describe_tile(choice.tile) if choice.tile else "",
        tile_query=page_query(choice=replace(choice.as_choice, cell=None)),
        cells=tuple(_cells(choice, position.displays[first])),
        preview=_preview(choice, choice.step, view) if choice.step else None,
        displays=tuple(
            _grid(
                position.displays[seat],
                view.people[seat],
                choice if seat == first else CheckedChoice(),
            )
            for seat in seats
        ),
    )


def _spaces(position: Position) -> Iterator[Space]:
    wheel = position.wheel
    for ahead in range(1, len(wheel.spaces)):
        number = (wheel.marker + ahead) % len(wheel.spaces)
        tile = wheel.spaces[number]
        if tile:
            yield Space(number, describe_tile(tile), in_reach=number in wheel.spaces_in_reach)


def _tile(tile: Tile, steps: Mapping[Cell, Step], view: GameView) -> Option:
    """Return a tile in reach with its time, who is next after it, and how many goals it can cover."""
    least = min(steps.values(), key=lambda step: len(step.goals_covered))
    most = max(len(step.goals_covered) for step in steps.values())
    covers = _("It can cover no goal now.")
    if most:
        covers = ngettext(
            "It can cover %(count)d goal.", "It can cover up to %(count)d goals at once.", most
        ) % {"count": most}
    return Option(
        describe_tile(tile),
        MarkedText(" ").join((_time_and_next(least, view), covers)),
        page_query(choice=Choice(tile.code)),
    )


def _cells(choice: CheckedChoice, display: Display) -> Iterator[Option]:
    """Yield the cells for the chosen tile, those that cover most goals first."""
    for cell, step in sorted(
        choice.steps.items(), key=lambda option: (-len(option[1].goals_covered), option[0])
    ):
        details = []
        if step.goals_covered:
            details.append(_("Covers %(goals)s.") % {"goals": _("; ").join(_covers(step))})
        if beside := [tile_name(tile) for near in cell.neighbours() if (tile := display.tiles.get(near))]:
            details.append(_("Next to %(tiles)s.") % {"tiles": join_words(beside)})
        yield Option(
            _place(cell, len(step.goals_covered)), MarkedText(" ").join(details), _query(choice, cell)
        )


def _place(cell: Cell, covers: int) -> str:
    name = _("0, the first tile's cell") if cell == ORIGIN else marked.name(cell.name)
    goals = format_goals(covers) if covers else _("no goal")
    return _("%(cell)s: covers %(goals)s") % {"cell": name, "goals": goals}


def _query(choice: CheckedChoice, cell: Cell) -> str:
    return page_query(choice=replace(choice.as_choice, cell=cell))


def _covers(step: Step) -> list[str]:
    """Return the goals that a step covers, each with its tile and its cell."""
    assert step.seat is not None
    tiles = step.position.displays[step.seat].tiles
    return [
        _("%(goal)s on %(tile)s at %(cell)s")
        % {
            "goal": format_dots(tiles[goal.cell].goals[goal.nth].needs),
            "tile": tile_name(tiles[goal.cell]),
            "cell": marked.name(goal.cell.name),
        }
        for goal in sorted(step.goals_covered)
    ]


def _preview(choice: CheckedChoice, step: Step, view: GameView) -> PlacePreview:
    assert choice.tile is not None
    assert choice.cell is not None
    place = _("Place %(tile)s at %(cell)s.")
    if choice.cell == ORIGIN:
        place = _("Place %(tile)s as your first tile.")
    return PlacePreview(
        place=place % {"tile": tile_name(choice.tile), "cell": marked.name(choice.cell.name)},
        covers=tuple(_covers(step)),
        result=_("%(discs)s. %(time)s")
        % {
            "discs": format_discs_left(step.position.discs[view.first_seat]),
            "time": _time_and_next(step, view),
        },
    )


def _time_and_next(step: Step, view: GameView) -> str:
    """Return the time that a step takes, and who is next or how the game ends, as sentences."""
    taken = step.tile_taken
    assert taken is not None
    time = {"before": taken.time_before, "after": taken.time_after}
    over, mover = step.game_over, step.position.to_move
    if view.chooser is None:
        return (
            _("Time from %(before)d to %(after)d.") % time
        )  # Nobody knows who is next after a planned action.
    if over is not None:
        words = {**time, "outcome": describe_outcome(over, view)}
        return _("Time from %(before)d to %(after)d. %(outcome)s.") % words
    if mover is None or isinstance(step.position, SoloPosition):
        return _("Time from %(before)d to %(after)d.") % time
    if mover == view.viewer and mover != step.seat:
        return _("Time from %(before)d to %(after)d, then you are next.") % time
    if mover == view.viewer:
        return _("Time from %(before)d to %(after)d, then you move again.") % time
    return _("Time from %(before)d to %(after)d, then %(name)s is next.") % {
        **time,
        "name": view.people[mover].name,
    }


def _grid(display: Display, person: Person, choice: CheckedChoice) -> Grid:
    cells = {
        cell: GridCell(describe_tile(tile, _covered_goals(display, cell), support=display.support(cell)))
        for cell, tile in display.tiles.items()
    }
    for cell, step in choice.steps.items():
        cells[cell] = GridCell(_place(cell, len(step.goals_covered)), _query(choice, cell))
    xs, ys = {cell.x for cell in cells}, {cell.y for cell in cells}
    columns = range(min(xs, default=0), max(xs, default=-1) + 1)
    rows = range(min(ys, default=0), max(ys, default=-1) + 1)
    count = len(display.tiles)
    return Grid(
        person=person,
        tiles=ngettext("%(count)d tile", "%(count)d tiles", count) % {"count": count},
        columns=tuple(Cell(x, 0).name for x in columns),
        rows=tuple(
            Row(Cell(0, y).name, tuple(cells.get(Cell(x, y), GridCell()) for x in columns)) for y in rows
        ),
        groups=tuple(_groups(display)),
        goals=tuple(_goals_in_progress(display)),
    )


def _covered_goals(display: Display, cell: Cell) -> set[int]:
    return {goal.nth for goal in display.covered if goal.cell == cell}


def _goals_in_progress(display: Display) -> Iterator[str]:
    """Yield the open goals of each tile: "E1, blue 4: 2 of 3 yellow; 0 of 1 red, 1 of 2 blue"."""
    for cell, tile in sorted(display.tiles.items(), key=lambda placed: (placed[0].y, placed[0].x)):
        covered, support = _covered_goals(display, cell), display.support(cell)
        goals = [_progress(goal, support) for nth, goal in enumerate(tile.goals) if nth not in covered]
        if goals:
            words = {"cell": _cell_name(cell), "tile": tile_name(tile), "goals": _("; ").join(goals)}
            yield _("%(cell)s, %(tile)s: %(goals)s") % words


def _progress(goal: Goal, support: Support) -> str:
    parts = (
        _("%(have)d of %(need)d %(colour)s")
        % {"have": min(have, need), "need": need, "colour": COLOUR_WORDS[colour]}
        for colour, need, have in zip(COLOURS, goal.needs, support, strict=True)
        if need
    )
    return _(", ").join(parts)


def _cell_name(cell: Cell) -> str:
    return _("the first tile") if cell == ORIGIN else marked.name(cell.name)


def _groups(display: Display) -> Iterator[str]:
    groups = [(len(group.cells), group.colour_index, sorted(group.cells)) for group in display.groups]
    for size, colour, cells in sorted(groups, key=lambda group: (-group[0], *group[1:])):
        if size > 1:
            yield ngettext(
                "%(colour)s, %(count)d tile: %(cells)s", "%(colour)s, %(count)d tiles: %(cells)s", size
            ) % {
                "colour": COLOUR_WORDS[COLOURS[colour]],
                "count": size,
                "cells": _(", ").join(marked.name(cell.name) for cell in cells),
            }
