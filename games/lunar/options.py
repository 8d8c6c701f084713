"""The options of a table of LUNAR: points, stars, and who holds the lead tiles at first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import TYPE_CHECKING

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy

from games.lunar.engine import HOUSE_POINTS, HOUSE_STARS, SEAT_COUNTS, Stars, side_of
from games.lunar.engine.tables import MOST_POINTS
from games.marked import gettext as _
from games.titles.options import Choice, Numbers, Question

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

STAR_NAMES = {
    str(Stars.SUITS): gettext_lazy("one card of each suit"),
    str(Stars.RANKS): gettext_lazy("one card of each rank"),
    str(Stars.NONE): gettext_lazy("none"),
}


LEADS = gettext_lazy("black for seat {black}, who starts, white for seat {white}")


def _name_of_leads(black: int, white: int) -> _StrPromise:
    return format_lazy(LEADS, black=black + 1, white=white + 1)


def _question_about_leads(seats: int) -> Choice:
    pairs = [pair for pair in permutations(range(seats), 2) if side_of(pair[0]) != side_of(pair[1])]
    chosen: dict[str, str | _StrPromise] = {
        f"{black} {white}": _name_of_leads(black, white) for black, white in pairs
    }
    return Choice(
        name=f"leads_{seats}",
        label=gettext_lazy("Lead tiles"),
        choices={"": gettext_lazy("drawn at random"), **chosen},
        initial="",
        seat_counts=(seats,),
        is_house_rule=True,
    )


QUESTIONS: Sequence[Question] = (
    Numbers(
        name="points",
        label=gettext_lazy("Points for 0 to 12 tricks"),
        help_text=gettext_lazy(
            "In the rules, 1 to 3 and 7 to 8 tricks give 10 points. The other points are our choice."
        ),
        least=0,
        most=MOST_POINTS,
        initial=HOUSE_POINTS,
        is_house_rule=True,
    ),
    Choice(
        name="stars",
        label=gettext_lazy("Stars"),
        help_text=gettext_lazy("Each star is worth a point. Choose which cards have one."),
        choices=STAR_NAMES,
        initial=str(HOUSE_STARS),
        is_house_rule=True,
    ),
    *map(_question_about_leads, SEAT_COUNTS),
)


class LunarOptions:
    """What pages ask and say about the options."""

    banner = "lunar/banner.svg"
    # Seats follow each other clockwise from the one of who opens a table.
    bot_roles: Mapping[int, str | _StrPromise] = {
        1: gettext_lazy("opponent left"),
        2: gettext_lazy("Partner"),
        3: gettext_lazy("Opponent right"),
    }

    def questions(self, *, is_new: bool) -> Sequence[Question]:
        """Return the questions, which are the same for everybody."""
        del is_new
        return QUESTIONS

    def options_of(self, answers: Mapping[str, object], seats: int) -> Mapping[str, object]:
        """Return the options that follow from the answers."""
        options = {name: answers[name] for name in ("points", "stars") if name in answers}
        leads = str(answers.get(f"leads_{seats}", "")).split()
        return {**options, "leads": [int(seat) for seat in leads]} if leads else options

    def describe_options(self, options: Mapping[str, object], seats: int) -> str:
        """Return what differs from the house rules."""
        del seats
        points, stars, leads = options["points"], options["stars"], options["leads"]
        parts = []
        if points != list(HOUSE_POINTS):
            parts.append(_("points for 0 to 12 tricks: %(points)s") % {"points": _spaced(points)})
        if stars != str(HOUSE_STARS):
            parts.append(_("stars: %(stars)s") % {"stars": STAR_NAMES[str(stars)]})
        if isinstance(leads, list):
            parts.append(_("lead tiles: %(leads)s") % {"leads": str(_name_of_leads(*leads))})
        return " · ".join(parts) or _("usual points and stars")


def _spaced(numbers: object) -> str:
    return " ".join(map(str, numbers if isinstance(numbers, list) else ()))
