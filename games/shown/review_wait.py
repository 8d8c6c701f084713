"""How long a review takes, in words."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from math import ceil

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

# A good action takes less than a second of a processor, a mistake several.
USUAL_TURN = timedelta(seconds=2)
FEW_SECONDS = timedelta(seconds=10)
# So many judgements say how long the others take. Fewer would make an estimate that grows later.
ENOUGH_TURNS = 3
# So many of the latest ones say how busy the site is now.
LATEST_TURNS = 6


def describe_duration(count: int) -> str:
    """Return how long the expert needs to judge this many actions, as a sentence."""
    if count * USUAL_TURN <= FEW_SECONDS:
        return _("The review usually takes a few seconds.")
    minutes = ceil(count * USUAL_TURN / timedelta(minutes=1))
    return ngettext(
        "The review usually takes about %(count)d minute.",
        "The review usually takes about %(count)d minutes.",
        minutes,
    ) % {"count": minutes}


def describe_rest(
    judging: timedelta, waiting: timedelta, turns: Sequence[Mapping[str, float]], count: int
) -> str:
    """Return how long a review still takes, if it goes on as since its first turn, or as lately if slower.

    `judging` is from the request to the last judgement, and `waiting` from there to now. Each turn has the
    `seconds` from the request to its judgement; reviews of earlier versions only the first one, which does
    not count, because it waited for others. While few turns are judged, the text is empty.

    >>> describe_rest(timedelta(seconds=160), timedelta(0), [{"seconds": 60}] + 20 * [{}], 60)
    'About 4 minutes left.'
    >>> quick_then_slow = [{"seconds": second} for second in (*range(20), 29, 39, 49, 59, 69)]
    >>> describe_rest(timedelta(seconds=69), timedelta(0), quick_then_slow, 61)
    'About 6 minutes left.'
    >>> describe_rest(timedelta(seconds=19), timedelta(seconds=46), quick_then_slow[:20], 56)
    'About 6 minutes left.'
    """
    timed = len(turns) - 1
    if timed < ENOUGH_TURNS:
        return ""
    judged, now = judging.total_seconds(), (judging + waiting).total_seconds()
    first = turns[0].get("seconds", 0)
    # The running judgement counts where that makes the others slower.
    rates = [(judged - first) / timed, (now - first) / (timed + 1)]
    latest = [turn["seconds"] for turn in turns[-LATEST_TURNS:] if "seconds" in turn]
    if len(latest) > ENOUGH_TURNS:
        rates += [(judged - latest[0]) / (len(latest) - 1), (now - latest[1]) / (len(latest) - 1)]
    rest = timedelta(seconds=max(rates)) * (count - len(turns))
    minutes = max(1, ceil(rest / timedelta(minutes=1)))
    return ngettext("About %(count)d minute left.", "About %(count)d minutes left.", minutes) % {
        "count": minutes
    }
