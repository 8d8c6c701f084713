"""What the forms of the board and the addresses of its page send."""

import re
from collections.abc import Mapping

from games.novaluna.board.choice import Choice
from games.novaluna.board.game_view import Wish
from games.novaluna.board.plan import read_wishes
from games.novaluna.engine import Cell, Place, Refill
from games.titles.actions import ANY_SEAT
from games.titles.boards import Unreadable

# No game has so many tiles that one can be further from the first.
NUMBER = re.compile(r"-?[0-9]{1,3}")
LONGEST_CODE = 8
LONGEST_PLAN = 200


def read_choice(asked: Mapping[str, str]) -> Choice:
    """Return the tile and the cell that a query or a form has; None for each that is unreadable."""
    tile, x, y = asked.get("tile", "").strip(), _number(asked.get("x")), _number(asked.get("y"))
    cell = None if x is None or y is None else Cell(x, y)
    return Choice(tile if 0 < len(tile) <= LONGEST_CODE and "\0" not in tile else None, cell)


def _number(text: str | None) -> int | None:
    """Return a coordinate; None if it is missing or unreadable.

    >>> _number(" -2 "), _number("x"), _number("")
    (-2, None, None)
    """
    text = (text or "").strip()
    return int(text) if NUMBER.fullmatch(text) else None


def read_action(data: Mapping[str, str]) -> Place | Refill:
    """Return the action that a form posts. Raises Unreadable."""
    match data.get("do"):
        case "place":
            return _place(read_choice(data))
        case "refill":
            return Refill(ANY_SEAT)
    raise Unreadable


def read_plan(data: Mapping[str, str]) -> list[Wish]:
    """Return the wishes that a form posts, and one for a chosen tile. Raises Unreadable."""
    text = data.get("wishes", "")
    if len(text) > LONGEST_PLAN:
        raise Unreadable
    try:
        wishes = read_wishes(text)
    except ValueError:
        raise Unreadable from None
    return [*wishes, _place(read_choice(data))] if data.get("tile", "").strip() else wishes


def _place(choice: Choice) -> Place:
    if choice.tile is None or choice.cell is None:
        raise Unreadable
    return Place(ANY_SEAT, choice.tile, *choice.cell)
