"""How a game of any title stands or has ended, in words: whose turn it is, and who has won."""

from collections.abc import Sequence

from games.marked import gettext as _
from games.shown.words import join_words
from games.titles.rules import AnyStep
from games.titles.view import AnyView


def describe_outcome(view: AnyView, sides: Sequence[int]) -> str:
    """Return how a finished game ended, as a sentence without the full stop."""
    if view.newest.ending == "cancelled":
        return _("The players agreed to cancel the game, so nobody wins")
    return _describe_winners(view, sides)


def winners(view: AnyView) -> list[int]:
    """Return the seats in place 1, the viewer's first; none while the game runs or without places."""
    first = [seat for seat, place in enumerate(view.newest.places) if place == 1]
    return sorted(first, key=lambda seat: (seat != view.viewer, seat))


def _describe_winners(view: AnyView, sides: Sequence[int]) -> str:
    first = winners(view)
    if not first:
        return _("The game is over")
    names = [_("you") if seat == view.viewer else view.people[seat].name for seat in first]
    if len({sides[seat] for seat in first}) > 1:
        if len(first) == len(view.people):
            return _("The game ends in a tie")
        return _("Tied for first place: %(names)s") % {"names": join_words(names)}
    if first == [view.viewer]:
        return _("You win")
    if view.viewer in first:
        return _("You and %(names)s win") % {"names": join_words(names[1:])}
    if len(first) == 1:
        return _("%(name)s wins") % {"name": names[0]}
    return _("%(names)s win") % {"names": join_words(names)}


def describe_hidden(step: AnyStep, view: AnyView) -> str:
    """Return that a seat has chosen, without what: this viewer may not know it."""
    if step.seat is None:
        return _("Something happened that you can't see")
    if step.seat == view.viewer:
        return _("You have chosen")
    return _("%(name)s has chosen") % {"name": view.people[step.seat].name}
