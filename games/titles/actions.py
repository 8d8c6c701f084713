"""Actions of the house, for every title: a seat leaves or takes back, or the players cancel the game."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeVar

from games.titles.rules import AnyRules, Rules

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


class TakeBack(NamedTuple):
    """A seat takes back its last action, with all that followed: the position is the one after action `to`.

    Only logs have it: it stays in them with what was taken back. A record has neither, and no title reads or
    writes it.
    """

    seat: int
    to: int


class SeatAction(Protocol):
    """An action that a seat makes: one of its title, or `Resign`."""

    @property
    def seat(self) -> int:
        """The number of the seat."""
        ...


def on_seat(rules: Rules[Action], action: Action, seat: int) -> Action:
    """Return an action as another seat would make it, such as one from a form, which names no seat."""
    return rules.action_from_json({**rules.action_to_json(action), "seat": seat})


def entry_to_json(rules: AnyRules, action: Any) -> Any:
    """Return an entry of a log as JSON: an action as the title writes it, or a take-back."""
    if isinstance(action, TakeBack):
        return {"seat": action.seat, "do": "take_back", "to": action.to}
    return rules.action_to_json(action)


def entry_from_json(rules: AnyRules, value: object) -> Any:
    """Return the entry of a log that a stored JSON value describes. Raises IllegalAction if it is none."""
    match value:
        case {"do": "take_back", "seat": int(seat), "to": int(to)}:
            return TakeBack(seat, to)
    return rules.action_from_json(value)


def numbers_that_count(actions: Iterable[object]) -> list[int]:
    """Return the numbers of the actions of a log that led to its newest position, in their order.

    >>> numbers_that_count(["a", "b", "c", TakeBack(0, to=1), "d"])
    [1, 5]
    """
    counting: list[int] = []
    for number, action in enumerate(actions, 1):
        if isinstance(action, TakeBack):
            counting = [earlier for earlier in counting if earlier <= action.to]
        else:
            counting.append(number)
    return counting
