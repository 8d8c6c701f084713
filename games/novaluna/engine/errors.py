"""The errors of the engine. `code` is the name of the error in the record format.

The illegal actions are in the order in which they are checked.
"""

from games.titles import records, rules


class EngineError(ValueError):
    """The base of all errors that the engine raises for wrong input."""

    code = "error"


class BadRecord(EngineError, records.BadRecord):
    """The data is not a readable record, or the setup is impossible."""

    code = "bad_record"


class HiddenDeck(BadRecord):
    """The deck of this position is cut, so the tiles that a refill would reveal are unknown."""


class UnknownRules(EngineError, rules.UnknownRules):
    """This program does not have this version of the rules."""

    code = "unknown_rules"


class IllegalAction(EngineError, rules.IllegalAction):
    """The rules do not allow this action in this position."""


class BadAction(IllegalAction):
    """The value is not an action, or the game does not have its seat or tile."""

    code = "bad_action"


class GameIsOver(IllegalAction):
    """The game has ended."""

    code = "game_over"


class WrongSeat(IllegalAction):
    """It is not the turn of this seat, or this seat has resigned."""

    code = "wrong_seat"


class RefillRequired(IllegalAction):
    """The moon wheel is empty and must be refilled before a tile can be taken."""

    code = "refill_required"


class RefillNotAllowed(IllegalAction):
    """The moon wheel cannot be refilled now."""

    code = "refill_not_allowed"


class TileNotAvailable(IllegalAction):
    """The tile is not in reach of the marker."""

    code = "tile_not_available"


class CellNotAvailable(IllegalAction):
    """The cell is taken, or it shares no edge with a tile of the display."""

    code = "cell_not_available"
