"""Reliability in words, for seats and tables."""

from datetime import timedelta
from math import ceil

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.clocks import Reliability

# For the form of a new table, by the least reliability in percent.
RELIABILITY_LABELS = {
    0: gettext_lazy("It does not matter"),
    70: gettext_lazy("They finish 7 of 10 games"),
    80: gettext_lazy("They finish 8 of 10 games"),
    90: gettext_lazy("They finish 9 of 10 games"),
}
A_MINUTE, AN_HOUR, A_DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


def describe_reliability(reliability: Reliability) -> str:
    """Return how reliable a player is, as the others read it beside their name.

    >>> describe_reliability(Reliability(19, 20, timedelta(hours=5)))
    'Finishes 95% of games, answers in 5 hours'
    >>> describe_reliability(Reliability(2, 2, timedelta(seconds=40)))
    'New player, finished 2 of 2 games so far, answers in less than a minute'
    """
    words = {"percent": reliability.percent, "finished": reliability.finished}
    if not reliability.counted:
        return _("New player")
    if reliability.is_new:
        games = ngettext(
            "New player, finished %(finished)d of %(count)d game so far",
            "New player, finished %(finished)d of %(count)d games so far",
            reliability.counted,
        ) % {**words, "count": reliability.counted}
    else:
        games = _("Finishes %(percent)d%% of games") % words
    if reliability.median_answer is None:
        return games
    answer = describe_answer(reliability.median_answer)
    return _("%(games)s, answers in %(time)s") % {"games": games, "time": answer}


def brief_reliability(reliability: Reliability) -> str:
    """Return the same as `describe_reliability` as short as possible.

    >>> brief_reliability(Reliability(19, 20, timedelta(hours=5))), brief_reliability(Reliability(2, 2))
    ('95% finished · answers in 5 h', 'New player')
    """
    if reliability.is_new:
        return _("New player")
    games = _("%(percent)d%% finished") % {"percent": reliability.percent}
    return " · ".join([games, *_brief_answer(reliability.median_answer)])


def _brief_answer(time: timedelta | None) -> list[str]:
    if time is None:
        return []
    if time < 2 * AN_HOUR:
        return [_("answers in %(count)d min") % {"count": max(ceil(time / A_MINUTE), 1)}]
    if time < 2 * A_DAY:
        return [_("answers in %(count)d h") % {"count": round(time / AN_HOUR)}]
    return [_("answers in %(count)d d") % {"count": round(time / A_DAY)}]


def describe_minimum(least: int, own: Reliability | None) -> str:
    """Return who may join a table that asks for a reliability, and whether the reader may.

    `own` is the reader's reliability; None for visitors.

    >>> describe_minimum(90, Reliability(15, 20))
    "For players who finish 90% of their games. You finished 15 of your latest 20, so you can't join."
    """
    rule = _("For players who finish %(least)d%% of their games.") % {"least": least}
    if own is None:
        return rule + " " + _("New players may join too.")
    words = {"finished": own.finished, "counted": own.counted}
    if own.is_new:
        return rule + " " + _("You may join, because you are new: you have fewer than five games.")
    if own.meets(least):
        return (
            rule + " " + _("You finished %(finished)d of your latest %(counted)d, so you may join.") % words
        )
    return rule + " " + _("You finished %(finished)d of your latest %(counted)d, so you can't join.") % words


def describe_answer(time: timedelta) -> str:
    """Return how long an answer takes, rounded, in the largest unit of which there are at least two.

    >>> [describe_answer(timedelta(minutes=minutes)) for minutes in (1, 119, 47 * 60, 4 * 24 * 60)]
    ['1 minute', '119 minutes', '47 hours', '4 days']
    """
    if time < A_MINUTE:
        return _("less than a minute")
    if time < 2 * AN_HOUR:
        minutes = round(time / A_MINUTE)
        return ngettext("%(count)d minute", "%(count)d minutes", minutes) % {"count": minutes}
    if time < 2 * A_DAY:
        return _("%(count)d hours") % {"count": round(time / AN_HOUR)}
    return _("%(count)d days") % {"count": round(time / A_DAY)}
