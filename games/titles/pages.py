"""The texts of a title: what pages, emails and lists show of its games."""

from typing import Any, Protocol

from games.titles.boards import Boards
from games.titles.deals import Deals
from games.titles.front import Front
from games.titles.lines import Lines, View
from games.titles.lists import Lists
from games.titles.mails import Mails
from games.titles.options import LevelTexts, Options
from games.titles.plans import Plans
from games.titles.texts import Texts
from games.titles.view import AnyView


class Pages(
    LevelTexts,
    Lines[View],
    Boards[View],
    Texts[View],
    Mails[View],
    Plans[View],
    Lists,
    Options,
    Deals,
    Front,
    Protocol[View],
):
    """What a title shows of its games. Texts only: no models, no request, no search.

    All texts are in the active language. A view shows nothing that its viewer may not know, so pages need not
    hide anything.
    """

    @property
    def view_class(self) -> type[AnyView]:
        """The class of the views from which these pages are made: `GameView`, or one that adds to it."""
        ...


# Rooms of the house handle the views of all titles alike.
AnyPages = Pages[Any]
