"""The clocks of earlier actions in words: how long an action took, and what was left after it."""

from dataclasses import replace
from datetime import timedelta
from typing import NamedTuple

from django.utils.translation import gettext as _

from games.shown.clocks import clock_face, describe_time_left
from games.shown.reliability import describe_answer
from games.titles.people import PastClocks, Person, SeatClock
from games.titles.view import AnyView

A_SECOND, A_MINUTE = timedelta(seconds=1), timedelta(minutes=1)
AN_HOUR, A_DAY = timedelta(hours=1), timedelta(days=1)
# At a pace of days.
LONG = timedelta(hours=12)


class Time(NamedTuple):
    """What a clock showed after an action and how long the action took, briefly, and both in words.

    In live games, it always says something; at other paces, it does if the action took long, or if little was
    left.
    """

    left: str
    took: str
    time: str
    says_something: bool = True


NO_TIME = Time("", "", "", says_something=False)


def action_time(number: int, view: AnyView) -> Time | None:
    """Return the time of an action; None if no clock ran, and in a line that nobody played."""
    seat, clocks = view.steps[number - 1].seat, view.clocks
    if clocks is None or seat is None or view.is_try or view.followed:
        return None
    known = clocks.after(number)
    left = known.left[seat] if known.left else None
    if known.took is None or left is None:
        return None
    took = describe_seconds(known.took) if clocks.is_live else describe_answer(known.took)
    words = _("took %(took)s, %(left)s") % {"took": took, "left": describe_left(left, clocks)}
    if clocks.is_live:
        return Time(clock_face(left), took, words)
    says_something = known.took >= LONG or left < LONG
    return Time(describe_briefly(left), describe_briefly(known.took), words, says_something)


def describe_left(left: timedelta, clocks: PastClocks) -> str:
    """Return what is left of a player's time, in words.

    >>> describe_left(timedelta(seconds=281), PastClocks(is_live=True, times=()))
    '4:41 left'
    >>> describe_left(timedelta(hours=30), PastClocks(is_live=False, times=()))
    '30 hours left'
    """
    return _("%(time)s left") % {"time": clock_face(left)} if clocks.is_live else describe_time_left(left)


def describe_seconds(time: timedelta) -> str:
    """Return how long an action took in a live game.

    >>> describe_seconds(timedelta(seconds=8.9)), describe_seconds(timedelta(seconds=72))
    ('8 s', '1:12 min')
    """
    if time < A_MINUTE:
        return _("%(count)d s") % {"count": time // A_SECOND}
    return _("%(time)s min") % {"time": clock_face(time)}


def describe_briefly(time: timedelta) -> str:
    """Return a time as short as possible, rounded, in the largest unit of which there are at least two.

    >>> [describe_briefly(timedelta(minutes=minutes)) for minutes in (0.5, 119, 47 * 60, 4 * 24 * 60)]
    ['<1 min', '119 min', '47 h', '4 d']
    """
    if time < A_MINUTE:
        return _("<1 min")
    if time < 2 * AN_HOUR:
        return _("%(count)d min") % {"count": round(time / A_MINUTE)}
    if time < 2 * A_DAY:
        return _("%(count)d h") % {"count": round(time / AN_HOUR)}
    return _("%(count)d d") % {"count": round(time / A_DAY)}


def with_clock_after(person: Person, number: int, clocks: PastClocks, *, is_over: bool) -> Person:
    """Return a player with the clock that they had after an action, without the present one.

    After the last action of a game that `is_over`, no clock looks as if it ran: their time is in words.
    """
    known = clocks.after(number).left
    left = known[person.seat] if known else None
    if left is None:
        return replace(person, clock=None, time_left="")
    if clocks.is_live and not is_over:
        return replace(person, clock=SeatClock(left // A_SECOND * A_SECOND, is_past=True), time_left="")
    words = describe_left(left, clocks)
    return replace(person, clock=None, time_left=words if is_over else _("%(left)s then") % {"left": words})
