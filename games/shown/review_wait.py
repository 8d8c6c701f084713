"""How long a review takes, in words."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from math import ceil

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

# A judgement takes at most about a second if no other task is queued.
USUAL_TURN = timedelta(seconds=1)
FEW_ACTIONS = 10
# So many judgements say how long the others take. Fewer would make an estimate that grows later.
ENOUGH_TURNS = 3


def describe_duration(count: int) -> str:
    """Return how long the expert needs to judge this many actions, as a sentence."""
    if count <= FEW_ACTIONS:
        return _("The review takes a few seconds.")
    minutes = ceil(count * USUAL_TURN / timedelta(minutes=1))
    return ngettext(
        "The review takes about %(count)d minute.", "The review takes about %(count)d minutes.", minutes
    ) % {"count": minutes}


def describe_rest(judging: timedelta, turns: Sequence[Mapping[str, float]], count: int) -> str:
    """Return how long a review still takes, by how long `turns` took; empty while these are too few.

    `judging` is from the request to the last judgement. The first turn does not count, because it waited for
    others.

    >>> describe_rest(timedelta(seconds=160), [{"seconds": 60}] + 20 * [{}], 60)
    'About 4 minutes left.'
    """
    timed = len(turns) - 1
    if timed < ENOUGH_TURNS:
        return ""
    since_first = max(judging - timedelta(seconds=turns[0].get("seconds", 0)), timedelta(0))
    minutes = max(1, ceil(since_first / timed * (count - len(turns)) / timedelta(minutes=1)))
    return ngettext("About %(count)d minute left.", "About %(count)d minutes left.", minutes) % {
        "count": minutes
    }
