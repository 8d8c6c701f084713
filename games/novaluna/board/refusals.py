"""Why the rules refuse an action, in words for players; the engine's messages are for programs."""

from django.utils.translation import gettext_lazy as _

REFUSALS = {
    "bad_action": _("You can't do that here. Please choose a tile and a cell on the board."),
    "wrong_seat": _("It is not your turn."),
    "game_over": _("This game is over."),
    "refill_required": _("The moon wheel is empty. Please refill it first."),
    "refill_not_allowed": _("The moon wheel can't be refilled now."),
    "tile_not_available": _("That tile is not one of the next three. Please choose a tile in the moonlight."),
    "cell_not_available": _("You can't place the tile there. Please choose one of the dashed cells."),
}
