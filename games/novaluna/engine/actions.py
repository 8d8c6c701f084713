"""Actions: the entries of a game's log, as values and in the JSON of the record format."""

from typing import NamedTuple

from games.novaluna.engine.cells import Cell
from games.novaluna.engine.errors import BadAction
from games.titles.actions import Cancel, Resign


class Place(NamedTuple):
    """Take a tile from the moon wheel and place it on the seat's own display."""

    seat: int
    tile: str
    x: int
    y: int

    @property
    def cell(self) -> Cell:
        """The cell on which the tile is placed."""
        return Cell(self.x, self.y)


class Refill(NamedTuple):
    """Fill the moon wheel from the draw pile."""

    seat: int


Action = Place | Refill | Resign | Cancel


def action_from_json(value: object) -> Action:
    """Return the action that a JSON value of the record format describes.

    Ignores unknown keys, and a reason that is not printable text: reasons have no effect on the rules.
    Raises BadAction if the value is not an action. `Position.apply` checks that the seat and the tile exist.

    >>> action_from_json({"seat": 0, "do": "place", "tile": "B4c", "x": 1, "y": 0})
    Place(seat=0, tile='B4c', x=1, y=0)
    """
    if not isinstance(value, dict):
        raise BadAction("An action is a JSON object.")
    match value.get("do"):
        case "place":
            tile = value.get("tile")
            if not isinstance(tile, str):
                raise BadAction("A place action needs the code of its tile.")
            return Place(_integer(value, "seat"), tile, _integer(value, "x"), _integer(value, "y"))
        case "refill":
            return Refill(_integer(value, "seat"))
        case "resign":
            reason = value.get("reason")
            is_text = isinstance(reason, str) and reason.isprintable()
            return Resign(_integer(value, "seat"), reason if is_text else None)
        case "cancel":
            return Cancel()
    raise BadAction("An action is place, refill, resign or cancel.")


def action_to_json(action: Action) -> dict[str, object]:
    """Return an action as a JSON value of the record format."""
    match action:
        case Place(seat, tile, x, y):
            return {"seat": seat, "do": "place", "tile": tile, "x": x, "y": y}
        case Refill(seat):
            return {"seat": seat, "do": "refill"}
        case Resign(seat, None):
            return {"seat": seat, "do": "resign"}
        case Resign(seat, reason):
            return {"seat": seat, "do": "resign", "reason": reason}
        case Cancel():
            return {"do": "cancel"}


def _integer(value: dict[object, object], key: str) -> int:
    """Return the integer under a key. Raises BadAction for true and false, for 1.0 and for text."""
    number = value.get(key)
    if type(number) is not int:
        raise BadAction(f"The {key} of an action must be an integer.")
    return number
