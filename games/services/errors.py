"""Why a wish was refused, in words for the person who made it."""

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from games.engine import IllegalAction

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

# The engine speaks plain English for programs; these are the same refusals for people.
ILLEGAL = {
    "bad_action": _("That is not something one can do here. Please choose a tile and a cell on the board."),
    "wrong_seat": _("It is not your turn."),
    "game_over": _("This game is over."),
    "refill_required": _("The moon wheel is empty. Please refill it first."),
    "refill_not_allowed": _("The moon wheel can't be refilled now."),
    "tile_not_available": _("That tile is not among the next three. Please choose one of the lifted tiles."),
    "cell_not_available": _("The tile can't lie there. Please choose one of the dashed cells."),
}


class Refused(Exception):
    """A wish that was not carried out; nothing was stored. `status` is the HTTP status that fits."""

    status = 400

    def __init__(self, message: "str | _StrPromise") -> None:
        super().__init__(message)
        self.message = message


class NotSeated(Refused):
    """The person has no seat in this game."""

    status = 403


class Gone(Refused):
    """There is no such game: a table that was closed, or none at all."""

    status = 404

    def __init__(self) -> None:
        super().__init__(_("This table was closed."))


class Conflict(Refused):
    """The game is no longer as the page showed it."""

    status = 409


class Illegal(Refused):
    """The rules do not allow the action."""

    status = 422

    def __init__(self, error: IllegalAction) -> None:
        super().__init__(ILLEGAL[error.code])
        self.code = error.code
