"""Actions that the house makes for every title: a seat leaves, or the players cancel the game."""

from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeVar

from games.titles.rules import Rules

Action = TypeVar("Action")

ANY_SEAT = -1  # of an action from a form, until `on_seat` sets the seat
CANCELLED = "cancelled"  # the ending of a game after a cancel


class Resign(NamedTuple):
    """A seat leaves the game, which is legal at any time while it is in play.

    The title decides what follows: the others play on, or the side of the seat loses. `reason` is empty if
    the player chose to leave; "time" if their time was up, and "absent" if the others agreed on it.
    """

    seat: int
    reason: str | None = None


# Not a named tuple, because a tuple without fields is falsy.
@dataclass(frozen=True, slots=True)
class Cancel:
    """All players have agreed to cancel the game, which ends without a result."""

    @property
    def seat(self) -> None:
        """No seat makes this action."""
        return


class SeatAction(Protocol):
    """An action that a seat makes: one of its title, or `Resign`."""

    @property
    def seat(self) -> int:
        """The number of the seat."""
        ...


def on_seat(rules: Rules[Action], action: Action, seat: int) -> Action:
    """Return an action as another seat would make it, such as one from a form, which names no seat."""
    return rules.action_from_json({**rules.action_to_json(action), "seat": seat})
