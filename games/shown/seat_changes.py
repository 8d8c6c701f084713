"""Who plays a seat from when on, in words for one viewer."""

from collections.abc import Sequence

from games.marked import MarkedText
from games.marked import gettext as _
from games.shown.words import BOT_LEVELS
from games.titles.people import SeatChange
from games.titles.view import AnyView


def describe_seat_change(change: SeatChange, view: AnyView) -> str:
    """Return who plays a seat from now on, and why, in words for the viewer."""
    words = {"name": view.people[change.seat].name, "level": BOT_LEVELS.get(change.bot, change.bot)}
    is_you = change.seat == view.viewer
    if change.reason == "hand":
        words = {"name": change.player, "former": change.former}
        if is_you:
            return _("%(former)s handed the seat over to you") % words
        return _("%(former)s handed the seat over to %(name)s") % words
    if not change.bot:
        return _("You took your seat back") if is_you else _("%(name)s took the seat back") % words
    if change.reason == "time":
        if is_you:
            return _("Your clock ran out, so a bot (%(level)s) plays for you") % words
        return _("%(name)s's clock ran out, so a bot (%(level)s) plays for them") % words
    if change.reason == "call":
        if is_you:
            return _("You were absent, and the others agreed that a bot (%(level)s) plays for you") % words
        return _("%(name)s was absent, and the others agreed that a bot (%(level)s) plays for them") % words
    if is_you:
        return _("A bot (%(level)s) plays for you") % words
    return _("A bot (%(level)s) plays for %(name)s") % words


def describe_former_players(seat: int, changes: Sequence[SeatChange]) -> str:
    """Return who has played a seat before it was handed over: "Ines played until action 12.".

    Nobody has played it before the first action.
    """
    return MarkedText(" ").join(
        _("%(name)s played until action %(number)d.") % {"name": change.former, "number": change.number - 1}
        for change in changes
        if change.seat == seat and change.reason == "hand" and change.number > 1
    )
