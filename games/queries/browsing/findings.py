"""What stands out in the results of a person, as sentences."""

from collections.abc import Mapping, Sequence

from games.marked import gettext as _
from games.queries.people.results import ENOUGH, ResultsRow

# A difference in points of the score is shown if there are enough games of both kinds.
NOTABLE = 10


def findings(rows: Mapping[str, Sequence[ResultsRow]]) -> list[str]:
    """Return the clear differences between kinds of games as sentences, the largest first.

    `rows` has the kinds of games by the key of their split; those of "time" have the latest games first.
    """
    found = [
        *_between_two(
            rows.get("time", ())[:2],
            _("You have done better lately: your score rose from %(less)d%% to %(more)d%%."),
            _("You used to do better: your score fell from %(more)d%% to %(less)d%%."),
        ),
        *_between_two(
            rows.get("turn", ()),
            _("You do better when you move first: %(more)d%%, against %(less)d%% when you move later."),
            _("You do better when you move later: %(more)d%%, against %(less)d%% when you move first."),
        ),
        *_between_two(
            rows.get("pace", ()),
            _("You do better in live games: %(more)d%%, against %(less)d%% in other games."),
            _("You do better in games that go on for days: %(more)d%%, against %(less)d%% in live games."),
        ),
        *_against_even(rows.get("players", ())),
    ]
    return [sentence for _size, sentence in sorted(found, key=lambda one: -one[0])]


def _between_two(rows: Sequence[ResultsRow], when_first: str, when_second: str) -> list[tuple[int, str]]:
    """Return the difference between two kinds, and a sentence; nothing if it is not clear."""
    if len(rows) < 2 or min(row.played for row in rows) < ENOUGH:
        return []
    difference = rows[0].percent - rows[1].percent
    if abs(difference) < NOTABLE:
        return []
    less, more = sorted(row.percent for row in rows)
    return [(abs(difference), (when_first if difference > 0 else when_second) % {"more": more, "less": less})]


def _against_even(rows: Sequence[ResultsRow]) -> list[tuple[int, str]]:
    """Return the number of players with which the score is furthest from an even share, and a sentence."""
    known = [row for row in rows if row.played >= ENOUGH]
    if len(rows) < 2 or not known:
        return []
    row = max(known, key=lambda one: abs(one.percent - one.even))
    difference = row.percent - row.even
    if abs(difference) < NOTABLE:
        return []
    sentence = (
        _(
            "You are strong in games of %(players)s: your score is %(percent)d%%, "
            "and an even share would be %(even)d%%."
        )
        if difference > 0
        else _(
            "You are weak in games of %(players)s: your score is %(percent)d%%, "
            "and an even share would be %(even)d%%."
        )
    )
    return [(abs(difference), sentence % {"players": row.label, "percent": row.percent, "even": row.even})]
