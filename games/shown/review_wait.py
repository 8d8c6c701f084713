"""How long a review takes, in words."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from math import ceil

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

# A judgement takes at most about a second if no other task is queued.
USUAL_TURN = timedelta(seconds=1)
FEW_ACTIONS = 10


def describe_duration(count: int) -> str:
    """Return how long the expert needs to judge this many actions, as a sentence."""
    if count <= FEW_ACTIONS:
        return _("The review takes a few seconds.")
    minutes = ceil(count * USUAL_TURN / timedelta(minutes=1))
    return ngettext(
        "The review takes about %(count)d minute.", "The review takes about %(count)d minutes.", minutes
    ) % {"count": minutes}


def describe_rest(judging: timedelta, turns: Sequence[Mapping[str, float]], count: int) -> str:
    """Return how long a review still takes, by how long `turns` took; empty before the first one.

    `judging` is from the request to the last judgement. The first turn does not count, because it waited for
    others. Two turns of the usual length are added, so that one long turn says little.

    >>> describe_rest(timedelta(seconds=160), [{"seconds": 60}] + 20 * [{}], 60)
    'About 4 minutes left.'
    """
    if not turns:
        return ""
    since_first = max(judging - timedelta(seconds=turns[0].get("seconds", 0)), timedelta(0))
    a_turn = (since_first + 2 * USUAL_TURN) / (len(turns) + 1)
    minutes = ceil(a_turn * (count - len(turns)) / timedelta(minutes=1))
    return ngettext("About %(count)d minute left.", "About %(count)d minutes left.", minutes) % {
        "count": minutes
    }
