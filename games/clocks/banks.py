"""Paces and banks: how much time a seat has, turn by turn.

A bank with an increment is a Fischer clock with a maximum, as for correspondence games on online-go.com
("3d + 1d up to 1wk", https://forums.online-go.com/t/game-clock-rule/19432). The bank runs during the turns
of the seat. The increment is added when a turn ends, as in `Clock.scala` of lichess-org/scalachess. Vacation
starts by itself as on Little Golem (https://senseis.xmp.net/?TimeSystems), but a vacation day ends
at midnight and not after 24 hours.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import reduce
from typing import NamedTuple

from games.clocks.calendars import NO_PAUSES, Calendar
from games.clocks.counting import NO_TIME, counted, deadline, deadline_after_vacation


@dataclass(frozen=True, slots=True)
class Pace:
    """The pace of a game: the bank at the start, and the increment for each turn.

    In a live game all players are online, so nobody's pauses apply. The first seconds of a game don't count
    at the fast paces, because some players still come to its page; Lichess starts no clock before each side
    has moved (https://github.com/lichess-org/lila/issues/12749).
    """

    bank: timedelta
    increment: timedelta
    is_live: bool = False
    head_start: timedelta = NO_TIME

    @property
    def largest_bank(self) -> timedelta:
        """The bank never exceeds this: twice its start."""
        return 2 * self.bank


HEAD_START = timedelta(seconds=15)
# By the names that a game stores. A game without a clock has no pace.
PACES = {
    "live": Pace(timedelta(minutes=10), timedelta(seconds=30), is_live=True),
    "live5": Pace(timedelta(minutes=5), timedelta(seconds=10), is_live=True, head_start=HEAD_START),
    "live3": Pace(timedelta(minutes=3), timedelta(seconds=5), is_live=True, head_start=HEAD_START),
    "day": Pace(timedelta(days=1), timedelta(hours=12)),
    "slow": Pace(timedelta(days=7), timedelta(days=2)),
}
LIVE_PACES = frozenset(name for name, pace in PACES.items() if pace.is_live)


class Turn(NamedTuple):
    """The start and the end of one turn of a seat."""

    start: datetime
    end: datetime


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock of one seat: the pace of the game and the calendar of the player.

    If a game changes its pace, each seat starts a new clock with a new bank, and a turn in progress starts
    then. So `turns` are always those since the last change of the pace.
    """

    pace: Pace
    calendar: Calendar

    @property
    def counted_calendar(self) -> Calendar:
        """The calendar as far as it applies: in live games, all time counts in which the site was up."""
        return replace(NO_PAUSES, outages=self.calendar.outages) if self.pace.is_live else self.calendar

    def bank_after(self, turns: Iterable[Turn]) -> timedelta:
        """Return the bank after these turns, with which the next turn starts."""
        return reduce(self.bank_after_turn, turns, self.pace.bank)

    def bank_after_turn(self, bank: timedelta, turn: Turn) -> timedelta:
        """Return the bank after a turn that started with `bank`.

        A turn that took longer uses up the bank and no more: the next one has the increment.
        """
        return min(self.left(bank, turn.start, turn.end) + self.pace.increment, self.pace.largest_bank)

    def left(self, bank: timedelta, start: datetime, now: datetime) -> timedelta:
        """Return what is left now of the bank with which the current turn started."""
        return max(bank - counted(self.counted_calendar, start, now), NO_TIME)

    def deadline(self, bank: timedelta, start: datetime) -> datetime:
        """Return the deadline of a turn that started with `bank`."""
        return deadline(self.counted_calendar, start, bank)

    def deadline_after_vacation(self, bank: timedelta, start: datetime) -> datetime:
        """Return when the seat loses on time, after all vacation days that start by themselves."""
        return deadline_after_vacation(self.counted_calendar, start, bank)
