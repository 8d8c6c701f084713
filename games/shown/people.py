"""Who plays a game, as one viewer sees them, and what has changed about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from games.clocks import Reliability
from games.ratings import Rating
from games.shown.words import BOT_LEVELS


@dataclass(frozen=True)
class Person:
    """The person or bot on a seat; `bot` is the level of a bot, empty for people.

    `caretaker` is the level of the bot that plays for a person now, `pauses` says when their time does not
    count; `reliability` and `rating` are None where pages do not show them. After a rated game, `rating` is
    the one after it. Bots and removed people have no profile.
    `planned_number` is the viewer's own latest action that a plan made; None for others.
    """

    seat: int
    name: str
    bot: str = ""
    is_you: bool = False
    is_guest: bool = False
    has_profile: bool = False
    caretaker: str = ""
    pauses: str = ""
    reliability: Reliability | None = None
    rating: Rating | None = None
    rating_before: Rating | None = None  # only after a rated game
    planned_number: int | None = None
    earlier: str = ""  # who has played the seat before them, in words

    @property
    def level(self) -> str:
        """The level of a bot, in words."""
        return str(BOT_LEVELS.get(self.bot, self.bot))

    @property
    def caretaker_level(self) -> str:
        """The level of the bot that plays for a person now, in words."""
        return str(BOT_LEVELS.get(self.caretaker, self.caretaker))


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
