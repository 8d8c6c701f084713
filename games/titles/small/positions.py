"""Positions and steps of a small title, with what most titles do alike."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Generic, Self, TypeVar

from games.titles.actions import CANCELLED, Cancel, Resign, TakeBack
from games.titles.rules import IllegalAction
from games.titles.small.actions import SmallAction

Action = TypeVar("Action", bound=SmallAction)


@dataclass(frozen=True)
class SmallStep(Generic[Action]):
    """An action with the position after it and its events.

    If it `is_secret`, only the seat that acted sees the action and the events.
    """

    action: Action | Resign | Cancel | TakeBack | None
    seat: int | None
    position: SmallPosition[Action]
    events: tuple[Hashable, ...] = ()
    is_secret: bool = False

    def seen_by(self, seat: int | None) -> SmallStep[Action]:
        """Return the step as a seat sees it."""
        position = self.position.seen_by(seat)
        if self.is_secret and seat != self.seat:
            return replace(self, action=None, events=(), position=position)
        return replace(self, position=position)


@dataclass(frozen=True, kw_only=True)
class SmallPosition(ABC, Generic[Action]):
    """A position of a small title: a frozen dataclass, with fields for what is on the table.

    A title says who chooses, from what, what follows, what is hidden, and how many points each seat has. It
    replaces what it does otherwise: here a seat that leaves ends the game, and most points win.
    """

    seats: int
    left: tuple[int, ...] = ()
    ending: str | None = None

    @property
    @abstractmethod
    def choosers(self) -> Collection[int]:
        """The seats that may act now. Asked only while the game runs."""

    @abstractmethod
    def choices(self, seat: int) -> Sequence[Action]:
        """Return what a seat that may act can do: at least one action. A view is asked for its own seat."""

    @abstractmethod
    def play(self, action: Action) -> SmallStep[Action]:
        """Return the step of a legal action: make the position after it, and return its `step_of`.

        The last step of a game has a position with an `ending`, a word of up to 12 letters.
        """

    @abstractmethod
    def points(self, seat: int) -> int:
        """Return the points of a seat, which everybody may know."""

    @abstractmethod
    def seen_by(self, seat: int | None) -> Self:
        """Return what a seat may know, or a spectator (None): replace what is hidden by a value for that."""

    @abstractmethod
    def guess(self, seat: int, rng: Random) -> Self:
        """Return a whole position that fits what a seat knows, with random values for what it does not."""

    @property
    def known(self) -> int:
        """A number that grows when something is revealed. Titles with plans replace it."""
        return 0

    @property
    def sides(self) -> Sequence[int]:
        """The side of each seat, as in the rules."""
        return range(self.seats)

    def leave(self, seat: int) -> Self:
        """Return the position after a seat has left, which ends the game."""
        return replace(self, left=(*self.left, seat), ending="left")

    def step_of(
        self, action: Action | Resign | Cancel | TakeBack, *events: Hashable, is_secret: bool = False
    ) -> SmallStep[Action]:
        """Return the step of an action after which this is the position."""
        return SmallStep(action, action.seat, self, events, is_secret)

    @property
    def in_play(self) -> Collection[int]:
        """The seats that have not left."""
        return [seat for seat in range(self.seats) if seat not in self.left]

    @property
    def awaited(self) -> frozenset[int]:
        """The seats that may act now."""
        return frozenset(self.choosers if self.ending is None else ())

    @property
    def places(self) -> tuple[int, ...]:
        """The places by points. Sides of which a seat has left come last."""
        if self.ending in (None, CANCELLED):
            return ()
        gone = {self.sides[seat] for seat in self.left}
        worth = [(side not in gone, self.points(seat)) for seat, side in enumerate(self.sides)]
        ranked = [*zip(self.sides, worth, strict=True)]
        return tuple(1 + len({side for side, other in ranked if other > own}) for own in worth)

    def figures(self, seat: int) -> Mapping[str, int]:
        """Return the points of a seat."""
        return {"points": self.points(seat)}

    def legal(self, seat: int) -> Sequence[Action]:
        """Return the choices of an awaited seat."""
        return self.choices(seat) if seat in self.awaited else ()

    def is_legal(self, action: Action | Resign | Cancel) -> bool:
        """Return whether `apply` would accept an action."""
        match action:
            case Resign(seat):
                return self.ending is None and seat in self.in_play
            case Cancel():
                return self.ending is None
        return action in self.legal(action.seat)

    def forced(self, seat: int) -> Action | None:
        """Return the only choice of a seat; None if it has more, or is not awaited."""
        legal = self.legal(seat)
        return legal[0] if len(legal) == 1 else None

    def apply(self, action: Action | Resign | Cancel) -> SmallStep[Action]:
        """Return the step of a legal action. Raises IllegalAction."""
        if not self.is_legal(action):
            raise IllegalAction(f"{action} is not legal now.")
        match action:
            case Resign(seat):
                return self.leave(seat).step_of(action)
            case Cancel():
                return replace(self, ending=CANCELLED).step_of(action)
        return self.play(action)


AnySmallPosition = SmallPosition[Any]
