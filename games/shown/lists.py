"""What lists show of the games of titles that say nothing better, and of titles that are not installed."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from statistics import fmean
from typing import Any

from django.utils.formats import number_format

from games.marked import MarkedText
from games.marked import gettext as _
from games.titles.lists import (
    NO_THUMB,
    Figures,
    FinishedGame,
    Lists,
    SeatFigures,
    Statistic,
    TableResult,
    Thumb,
)
from games.titles.registry import TITLES


class GeneralLists(Lists):
    """Texts that fit every title. A title that is a subclass need only have a name and words for figures."""

    thumb_actions: Collection[str] = ()
    one_seat_begins = False

    def compare_figures(self, seats: Sequence[SeatFigures]) -> str:
        """Return the figures of all seats, with the names."""
        return MarkedText(" · ").join(
            _("%(name)s: %(figures)s")
            % {
                "name": _("You") if seat.is_viewer else seat.name,
                "figures": self.describe_figures(seat.figures),
            }
            for seat in seats
        )

    def progress_of(self, figures: Figures) -> int | None:
        """Return the points, if there are any."""
        return figures.get("points")

    def describe_result(self, figures: Figures) -> str:
        """Return the figures."""
        return self.describe_figures(figures)

    def compare_results(self, figures: Sequence[Figures]) -> str:
        """Return the points, if there are any, or else all figures."""
        if any("points" not in one for one in figures):
            return " · ".join(self.describe_figures(one) for one in figures)
        return _("Points %(numbers)s") % {
            "numbers": "\u00a0:\u00a0".join(str(one["points"]) for one in figures)
        }

    def compare_at_table(
        self, seat: int, places: Sequence[int | None], figures: Sequence[Figures]
    ) -> TableResult:
        """Return the place alone."""
        return TableResult(places[seat] or len(places))

    def share_score(self, score: int, day: date | None, *, with_hints: bool) -> str:
        """Return the name of the title, and the score."""
        return _("%(title)s: %(score)s") % {"title": self.name, "score": score}

    def statistics(self, games: Sequence[FinishedGame]) -> Sequence[Statistic]:
        """Return the average points of the viewer and of their best opponent, where figures have points."""
        own = [game.own["points"] for game in games if "points" in game.own]
        best = [
            max(points)
            for game in games
            if (points := [one["points"] for one in game.others if "points" in one])
        ]
        labelled = ((_("Points you end with"), own), (_("Points of your best opponent"), best))
        return [Statistic(label, number_format(fmean(points), 1)) for label, points in labelled if points]

    @property
    def rule_of_places(self) -> str:
        """That places count, and what partners share."""
        return _("Places count. Players in the same place tie, and partners win or lose together.")

    @property
    def rule_of_leads(self) -> str:
        """That places count."""
        return _("A better place at the table is a better result. A player who leaves is last.")

    def draw_thumb(self, _actions: Sequence[Mapping[str, Any]], *, is_over: bool) -> Thumb:
        """Return no picture."""
        del is_over
        return NO_THUMB


class UnknownLists(GeneralLists):
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

    def compare_results(self, _figures: Sequence[Figures]) -> str:
        """Return nothing."""
        return ""


def lists_of(title: str) -> Lists:
    """Return the texts of the title with this key, also if it is not installed any more."""
    return TITLES[title].pages if title in TITLES else UnknownLists(title)


def name_of(title: str) -> str:
    """Return the name of a title where lists show it: empty while the site offers only one."""
    return lists_of(title).name if len(TITLES) > 1 else ""
