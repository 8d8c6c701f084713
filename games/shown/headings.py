"""The headings of the page of a game, for every title: whose game it is, whose turn, and who has won."""

from collections.abc import Sequence

from games.marked import gettext as _
from games.marked import ngettext
from games.shown.words import join_words
from games.titles.actions import CANCELLED
from games.titles.view import AnyView


def game_title(view: AnyView) -> str:
    """Return the title of a game, with the names of its players: "Game with Halley and Ines"."""
    if view.is_solo:
        name = {"name": view.people[0].name}
        return _("Solo game") if view.viewer is not None else _("Solo game of %(name)s") % name
    names = {"names": join_words(view.opponents)}
    return (_("Game of %(names)s") if view.viewer is None else _("Game with %(names)s")) % names


def heading(view: AnyView, sides: Sequence[int] | None = None) -> str:
    """Return in a few words whose turn it is, or who has won.

    `sides` has the side of each seat, in a title with partners.
    """
    if view.is_past:
        return _("Action %(number)d of %(last)d") % {"number": view.shown, "last": view.version}
    position = view.newest
    if position.ending is not None:
        return (
            _("Game cancelled")
            if position.ending == CANCELLED
            else _winners(view, sides or range(position.seats))
        )
    if view.is_my_turn:
        return _("More moves follow") if view.is_between else _("Your turn")
    if view.viewer in position.awaited:
        return _("A bot moves for you")
    return _("%(name)s to move") % {
        "name": join_words([view.people[seat].name for seat in sorted(position.awaited)])
    }


def _winners(view: AnyView, sides: Sequence[int]) -> str:
    """Return who has the first place in a finished game; for the viewer, whether they have."""
    winners = [person for person, place in zip(view.people, view.newest.places, strict=False) if place == 1]
    if len(winners) > 1 and len(winners) == len(view.people):
        return _("A tie")
    is_shared = len({sides[person.seat] for person in winners}) > 1
    if any(person.is_you for person in winners):
        return _("You share first place") if is_shared else _("You win")
    if not winners:
        return _("Game over")
    if is_shared:
        names = join_words([person.name for person in winners])
        return _("%(names)s share first place") % {"names": names}
    return ngettext("%(name)s wins", "%(name)s win", len(winners)) % {
        "name": join_words([person.name for person in winners])
    }
