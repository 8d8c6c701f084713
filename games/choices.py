"""All that a player may choose now, with its words, so that a page can show it without asking again."""

from collections.abc import Mapping, Sequence

from games import bar
from games.choosing import coming
from games.drawing import place_label
from games.engine import Cell, Position, Step, Tile
from games.words import Person


def choices(
    options: Mapping[Tile, Mapping[Cell, Step]],
    position: Position,
    people: Sequence[Person],
    viewer: int | None,
) -> dict[str, object]:
    """Return what the page says of each choice, by the tile's code and the cell's `x_y`, as plain data.

    Under `""` is what it says as long as nothing is chosen. Each cell has `covers`: the goals that would be
    covered, as the `x_y` of their tile and their number on it.
    """
    if viewer is None or not options:
        return {}
    nothing: dict[str, object] = {"": _said(bar.before_choosing(position))}
    return nothing | {tile.code: _tile(tile, cells, people, viewer) for tile, cells in options.items()}


def _tile(tile: Tile, cells: Mapping[Cell, Step], people: Sequence[Person], viewer: int) -> dict[str, object]:
    said = _said(bar.with_tile(tile, next(iter(cells.values()))))
    return said | {"cells": {_key(cell): _cell(cell, step, people, viewer) for cell, step in cells.items()}}


def _cell(cell: Cell, step: Step, people: Sequence[Person], viewer: int) -> dict[str, object]:
    covers = sorted((_key(goal.cell), goal.nth) for goal in coming(step))
    return _said(bar.on_trial(step, people, viewer)) | {
        "label": place_label(cell, coming(step)),
        "covers": covers,
    }


def _said(words: tuple[str, str]) -> dict[str, object]:
    what, hint = words
    return {"what": what, "hint": hint}


def _key(cell: Cell) -> str:
    """Return the name of a cell in the page's ids."""
    return f"{cell.x}_{cell.y}"
