"""Why a seat has left a game, in words."""

from games.marked import gettext as _
from games.titles.actions import Resign
from games.titles.view import AnyView


def describe_leaving(resign: Resign, view: AnyView) -> str:
    """Return that a seat has left the game, and why, as a sentence without a full stop."""
    name, is_you = view.people[resign.seat].name, resign.seat == view.viewer
    if resign.reason == "time":
        return _("Your clock ran out") if is_you else _("%(name)s's clock ran out") % {"name": name}
    if resign.reason == "absent":
        if is_you:
            return _("You were absent, and the others agreed to continue without you")
        return _("%(name)s was absent, and the others agreed to continue") % {"name": name}
    return _("You resigned") if is_you else _("%(name)s resigned") % {"name": name}


def describe_own_exit(view: AnyView) -> str:
    """Return why the viewer, who has left the game, only watches it."""
    actions = (step.action for step in reversed(view.steps))
    own = next((one for one in actions if isinstance(one, Resign) and one.seat == view.viewer), None)
    if own is None or own.reason is None:
        return _("You have left the game. You can keep watching.")
    return _("%(leaving)s. You can keep watching.") % {"leaving": describe_leaving(own, view)}


def describe_reason(reason: str | None) -> str:
    """Return in a few words why a player left the game."""
    if reason == "absent":
        return _("was absent")
    if reason == "time":
        return _("clock ran out")
    return _("resigned")
