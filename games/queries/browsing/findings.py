"""What stands out in the results of a person, as sentences: only what luck rarely explains."""

from collections.abc import Mapping, Sequence
from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

from games.marked import gettext as _
from games.marked import ngettext
from games.queries.people.results import ResultsRow

# No more than this share of players whose games are all alike gets a sentence, for all comparisons together.
BY_LUCK = 0.05
# Games of a kind. With fewer, the share of lucky results is not known well enough.
MANY = 20


class _Found(NamedTuple):
    """A difference, how many standard errors wide it is, and the sentence about it."""

    errors: float
    sentence: str


def findings(rows: Mapping[str, Sequence[ResultsRow]]) -> list[str]:
    """Return the differences between kinds of games that luck hardly explains, the clearest first.

    `rows` has the kinds of games by the key of their split; those of "time" are the latest and all others.
    """
    compared = [
        *_between_two(
            rows.get("time", ()),
            _(
                "You have done better lately: %(first)d%% in your last %(games)s, "
                "against %(second)d%% in %(others)s before."
            ),
            _(
                "You used to do better: %(first)d%% in your last %(games)s, "
                "against %(second)d%% in %(others)s before."
            ),
        ),
        *_between_two(
            rows.get("turn", ()),
            _(
                "You do better when you move first: %(first)d%% in %(games)s, "
                "against %(second)d%% in %(others)s."
            ),
            _(
                "You do better when you move later: %(second)d%% in %(others)s, "
                "against %(first)d%% in %(games)s."
            ),
        ),
        *_between_two(
            rows.get("pace", ()),
            _("You do better in live games: %(first)d%% in %(games)s, against %(second)d%% in %(others)s."),
            _(
                "You do better in games that go on for days: %(second)d%% in %(others)s, "
                "against %(first)d%% in %(games)s."
            ),
        ),
        *_against_even(rows.get("players", ())),
    ]
    clear = errors_of_luck(len(compared))
    return [one.sentence for one in sorted(compared, key=lambda one: -one.errors) if one.errors > clear]


def errors_of_luck(comparisons: int) -> float:
    """Return how many standard errors wide luck makes the widest of some differences, rarely more.

    This is the correction of Bonferroni: each comparison gets its part of `BY_LUCK`.
    """
    return NormalDist().inv_cdf(1 - BY_LUCK / 2 / max(1, comparisons))


def points_of_luck(row: ResultsRow, games: int) -> int:
    """Return how many points of the score luck explains in so many games like those of a row."""
    even = row.even / 100
    return round(100 * errors_of_luck(1) * sqrt(even * (1 - even) / games))


def _between_two(rows: Sequence[ResultsRow], when_first: str, when_second: str) -> list[_Found]:
    """Return the difference between two kinds with many games, beyond what their even shares explain."""
    if len(rows) != 2 or min(row.played for row in rows) < MANY:
        return []
    first, second = rows
    difference = first.share - second.share
    beyond = difference - (first.even - second.even) / 100
    played = first.played + second.played
    points = first.points + second.points
    squares = first.won + second.won + (first.drawn + second.drawn) / 4
    error = sqrt((squares / played - (points / played) ** 2) * (1 / first.played + 1 / second.played))
    # If the even shares turn the difference round, the two scores prove nothing.
    errors = min(abs(beyond), abs(difference)) / error if beyond * difference > 0 else 0
    words = {
        "first": first.percent,
        "second": second.percent,
        "games": _count(first.played),
        "others": _count(second.played),
    }
    return [_Found(errors, (when_first if difference > 0 else when_second) % words)]


def _against_even(rows: Sequence[ResultsRow]) -> list[_Found]:
    """Return how far the score in each number of players with many games is from an even share."""
    if len(rows) < 2:
        return []
    strong = _(
        "You are strong in games of %(players)s: %(percent)d%% in %(games)s; "
        "an even share would be %(even)d%%."
    )
    weak = _(
        "You are weak in games of %(players)s: %(percent)d%% in %(games)s; an even share would be %(even)d%%."
    )
    found = []
    for row in rows:
        if row.played >= MANY and 0 < row.even < 100:
            even = row.even / 100
            errors = abs(row.share - even) / sqrt(even * (1 - even) / row.played)
            words = {
                "players": row.label,
                "percent": row.percent,
                "games": _count(row.played),
                "even": row.even,
            }
            found.append(_Found(errors, (strong if row.share > even else weak) % words))
    return found


def _count(games: int) -> str:
    return ngettext("%(count)d game", "%(count)d games", games) % {"count": games}
