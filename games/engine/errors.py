"""Why something is no record, or no legal action; `code` is the record format's name for it."""


class EngineError(ValueError):
    """The common base of all that the engine refuses."""

    code = "error"


class BadRecord(EngineError):
    """Not a readable record, or a setup that no game can have."""

    code = "bad_record"


class HiddenDeck(EngineError):
    """The tiles asked for are not known in this position, for its deck is cut after those revealed."""

    code = "hidden_deck"


class IllegalAction(EngineError):
    """The rules do not allow this action in this position."""


class BadAction(IllegalAction):
    """No action at all, or one of a seat or tile that the game does not have."""

    code = "bad_action"


class GameIsOver(IllegalAction):
    """The game has ended."""

    code = "game_over"


class WrongSeat(IllegalAction):
    """Not this seat's turn, or a seat that has left."""

    code = "wrong_seat"


class RefillRequired(IllegalAction):
    """The moon wheel is empty: it must be refilled before a tile can be taken."""

    code = "refill_required"


class RefillNotAllowed(IllegalAction):
    """The moon wheel may not be refilled now."""

    code = "refill_not_allowed"


class TileNotAvailable(IllegalAction):
    """The tile is not among those in reach of the marker."""

    code = "tile_not_available"


class CellNotAvailable(IllegalAction):
    """The cell is taken, or touches no tile of the display."""

    code = "cell_not_available"
