"""Actions that were taken back, in words."""

from games.marked import gettext as _
from games.titles.actions import TakeBack
from games.titles.view import AnyView


def describe_take_back(action: TakeBack, view: AnyView, what: str) -> str:
    """Return which action a seat took back, as a sentence without a full stop.

    `what` says what that action did.
    """
    words = {"number": action.to + 1, "what": what}
    if action.seat == view.viewer:
        return _("You took back action %(number)d: “%(what)s”") % words
    words |= {"name": view.people[action.seat].name}
    return _("%(name)s took back action %(number)d: “%(what)s”") % words
