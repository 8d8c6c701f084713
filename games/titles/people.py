"""Who plays a game, as one viewer sees them, and what has changed about them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple


class Wording(NamedTuple):
    """Something about a player in words, in full, and as short as possible."""

    full: str
    brief: str


class SeatClock(NamedTuple):
    """The clock of a seat in a live game: the time left when the page is made, in whole seconds.

    In the turn of the seat, `ends_at` is when its time is up. `starts_at` is None unless the clock runs only
    from then on. A clock that `is_past` shows what was left at an earlier action.
    """

    left: timedelta
    ends_at: datetime | None = None
    starts_at: datetime | None = None
    is_past: bool = False

    @property
    def is_low(self) -> bool:
        """Whether less than a minute is left. `deadlines.js` marks a clock that runs from then on."""
        return self.left < timedelta(minutes=1)


@dataclass(frozen=True)
class Person:
    """The person or bot on a seat; `bot` is the level of a bot, empty for people.

    `caretaker` is the level of the bot that plays for a person now, `finished_by` of the one that played
    for them at the end. `pauses` says when their time does not count; `reliability` and `rating` are None
    where pages do not show them. After a rated game there is only `rating_change`, how the game has changed
    the rating. Bots and removed people have no profile. `clock` is None for bots and where the game is not
    live; where it has other clocks, `time_left` says in words how much time a person has. `is_here` is about
    other people who have a page of the running game open.
    `planned_number` is the viewer's own latest action that a plan made, and `unplanned_number` the latest
    that the house made because nothing in their plan was possible; None for others.
    """

    seat: int
    name: str
    bot: str = ""
    is_you: bool = False
    is_guest: bool = False
    has_profile: bool = False
    caretaker: str = ""
    finished_by: str = ""
    pauses: str = ""
    reliability: Wording | None = None
    rating: Wording | None = None
    rating_change: str = ""
    planned_number: int | None = None
    unplanned_number: int | None = None
    earlier: str = ""  # who has played the seat before them, in words
    clock: SeatClock | None = None
    time_left: str = ""
    is_here: bool = False


class ActionTime(NamedTuple):
    """How much of its player's time an action took, and what is left by seat after it.

    None for bots, also where one plays for a person, for people who have handed their seat over, and where it
    is not known.
    """

    took: timedelta | None = None
    left: tuple[timedelta | None, ...] = ()


class PastClocks(NamedTuple):
    """The clocks of a game, live or not, at the start and after each action, by its number."""

    is_live: bool
    times: tuple[ActionTime, ...]

    def after(self, number: int) -> ActionTime:
        """Return the clocks after an action; 0 is the start. They are unknown in lines that nobody played."""
        return self.times[number] if number < len(self.times) else ActionTime()


class SeatChange(NamedTuple):
    """From action `number` on, a bot plays the seat of a person, or the person again if `bot` is empty.

    `reason` is "time" if the time of the person was up, "call" if the others agreed on it, and "hand" if the
    person `former` handed the seat over to `player`.
    """

    seat: int
    number: int
    bot: str
    reason: str = ""
    player: str = ""
    former: str = ""


class Outage(NamedTuple):
    """The site was down before action `number`; `text` says how long."""

    number: int
    text: str
