"""What lists, profiles, feeds and posts show of the games of a title: its name, figures and results."""

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple, Protocol

from games.marked import MarkedText
from games.marked import gettext as _
from games.titles.registry import TITLES

# The numbers of a seat that `Position.figures` returns.
Figures = Mapping[str, int]


class SeatFigures(NamedTuple):
    """The figures of a seat in a running game, for a list of the viewer's games."""

    name: str
    is_viewer: bool
    has_left: bool
    figures: Figures


@dataclass(frozen=True)
class Thumb:
    """A small picture beside a game in a list: a template, which gets nothing but the `drawing`.

    Equal pictures are rendered once. Without a template, there is no picture.
    """

    template: str = ""
    drawing: Hashable = None


NO_THUMB = Thumb()


class TableResult(NamedTuple):
    """The place of a seat at its table of a duplicate match, and how far it was ahead of the others.

    With the same place, a greater lead is better.
    """

    place: int
    lead: float = 0.0


class Lists(Protocol):
    """Texts about games of which only the stored columns are known, in the active language.

    A title that is a subclass need only have a name and words for figures.
    """

    # The kinds of the viewer's own actions (the "do" of their JSON) from which a picture is drawn.
    thumb_actions: Collection[str] = ()

    @property
    def name(self) -> str:
        """The name of the title."""
        ...

    def describe_figures(self, figures: Figures) -> str:
        """Return the figures of one seat in a few words, such as "3 discs left"."""
        ...

    def compare_figures(self, seats: Sequence[SeatFigures]) -> str:
        """Return in a few words how a running game stands for the viewer, whose seat is one of these."""
        return MarkedText(" · ").join(
            _("%(name)s: %(figures)s")
            % {
                "name": _("You") if seat.is_viewer else seat.name,
                "figures": self.describe_figures(seat.figures),
            }
            for seat in seats
        )

    def describe_result(self, figures: Figures) -> str:
        """Return what a player has reached in a finished game without places, such as "Score 93"."""
        return self.describe_figures(figures)

    def compare_at_table(
        self, seat: int, places: Sequence[int | None], figures: Sequence[Figures]
    ) -> TableResult:
        """Return the result of a seat for duplicate matches, from the places and figures of all seats.

        There are no places after a cancel; then everybody is last.
        """
        return TableResult(places[seat] or len(places))

    def share_score(self, score: int, day: date | None, *, with_hints: bool) -> str:
        """Return the text to share of a solo game on the deal of a day, which reveals nothing about it."""
        return _("%(title)s: %(score)s") % {"title": self.name, "score": score}

    @property
    def rule_of_places(self) -> str:
        """What counts for ratings, in one or two sentences."""
        return _("Places count. Players in the same place tie, and partners win or lose together.")

    @property
    def rule_of_leads(self) -> str:
        """Which result at a table of a duplicate match is better, in a few sentences."""
        return _("A better place at the table is a better result. A player who leaves is last.")

    def draw_thumb(self, _actions: Sequence[Mapping[str, Any]]) -> Thumb:
        """Return the picture that the viewer's `thumb_actions` give, in their order as JSON."""
        return NO_THUMB


class UnknownLists(Lists):
    """What lists show of games whose title is not installed: the key of the title, and no figures."""

    def __init__(self, key: str) -> None:
        """Take the key of the title."""
        self._key = key

    @property
    def name(self) -> str:
        """The key of the title."""
        return self._key

    def describe_figures(self, _figures: Figures) -> str:
        """Return nothing."""
        return ""

    def compare_figures(self, _seats: Sequence[SeatFigures]) -> str:
        """Return nothing."""
        return ""


def lists_of(title: str) -> Lists:
    """Return the texts of the title with this key, also if it is not installed any more."""
    return TITLES[title].pages if title in TITLES else UnknownLists(title)


def name_of(title: str) -> str:
    """Return the name of a title where lists show it: empty while the site offers only one."""
    return lists_of(title).name if len(TITLES) > 1 else ""
