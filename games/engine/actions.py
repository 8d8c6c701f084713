"""Actions: the entries of a game's log, as values and in the JSON form of the record format."""

from dataclasses import dataclass
from typing import NamedTuple

from games.engine.cells import Cell
from games.engine.errors import BadAction


class Place(NamedTuple):
    """Take a tile from the moon wheel and place it on the seat's own display."""

    seat: int
    tile: str
    x: int
    y: int

    @property
    def cell(self) -> Cell:
        """Where the tile goes."""
        return Cell(self.x, self.y)


class Refill(NamedTuple):
    """Fill the moon wheel from the draw pile."""

    seat: int


class Resign(NamedTuple):
    """Leave the game, at any time; running out of time is the same with the reason `time`."""

    seat: int
    reason: str | None = None


# No named tuple: without fields it would be false.
@dataclass(frozen=True, slots=True)
class Cancel:
    """Call the game off, as all have agreed."""


Action = Place | Refill | Resign | Cancel


def action_from_json(value: object) -> Action:
    """Read an action in the record format; keys that it does not have are ignored.

    So is a reason that is no printable text, for it has no effect on the rules. Raises BadAction for whatever
    has not the form of an action; whether the game has that seat and tile is left to `Position.apply`.

    >>> action_from_json({"seat": 0, "do": "place", "tile": "B4c", "x": 1, "y": 0})
    Place(seat=0, tile='B4c', x=1, y=0)
    """
    if not isinstance(value, dict):
        raise BadAction("An action is a JSON object.")
    match value.get("do"):
        case "place":
            tile = value.get("tile")
            if not isinstance(tile, str):
                raise BadAction("A place action names its tile by its code.")
            return Place(_integer(value, "seat"), tile, _integer(value, "x"), _integer(value, "y"))
        case "refill":
            return Refill(_integer(value, "seat"))
        case "resign":
            reason = value.get("reason")
            readable = isinstance(reason, str) and reason.isprintable()
            return Resign(_integer(value, "seat"), reason if readable else None)
        case "cancel":
            return Cancel()
    raise BadAction("An action does one of place, refill, resign and cancel.")


def action_to_json(action: Action) -> dict[str, object]:
    """Return an action in the record format."""
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
    """Return an integer of JSON: not true or false, not 1.0, not text."""
    number = value.get(key)
    if type(number) is not int:
        raise BadAction(f"An action's {key} is an integer.")
    return number
