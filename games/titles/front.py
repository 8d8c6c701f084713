"""What the site itself shows of a title: its part of the front page, and to whom it belongs."""

from collections.abc import Sequence
from typing import Any, Protocol


class Front(Protocol):
    """A title that is a subclass need not define anything."""

    # The template of a sheet of SVG symbols, which every page has; it gets no values.
    symbols: str = ""
    # The template of a small picture beside the button that starts a first game, from these symbols.
    emblem: str = ""

    @property
    def about_confirming(self) -> str:
        """What happens to moves without confirmation: for the settings of a site with this title only.

        Empty for what fits every title; so is `about_keys`.
        """
        return ""

    @property
    def about_keys(self) -> str:
        """Which single keys are shortcuts."""
        return ""

    @property
    def landing_part(self) -> str:
        """The template of the front page for visitors of a site that offers this title first.

        It may extend this one.
        """
        return "games/_landing.html"

    def describe_rules(self) -> Sequence[Any]:
        """Return the parts of the rules that `games/plain/_section.html` shows.

        None if the title has the talent RULES, and so a page of its own.
        """
        return ()

    def rule_of_talk(self, seats: int) -> str:
        """Return what players may not write to each other while a game with this many seats runs.

        Every line is read by all players. Empty if everything may be said.
        """
        del seats
        return ""

    def add_to_help(self, chapter: str) -> str:
        """Return what is special about the title in a chapter of the help page; empty if nothing is.

        Chapters have the names of the templates in `games/help`, such as "mail" or "deals".
        """
        del chapter
        return ""

    @property
    def legal_note(self) -> str:
        """Who made the title, for the foot of every page; empty if nothing need be said."""
        return ""

    @property
    def short_legal_note(self) -> str:
        """The same in few words, for the foot of emails."""
        return ""
