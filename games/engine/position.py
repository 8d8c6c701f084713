"""A position: everything that is known of a game between two actions, and what may be done in it.

Positions are values: applying an action gives a new one. What the two modes share is here.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from typing import NamedTuple, Self, TypeVar

from games.engine.actions import Action, Cancel, Place, Refill, Resign
from games.engine.display import Display
from games.engine.errors import (
    BadAction,
    CellNotAvailable,
    GameIsOver,
    HiddenDeck,
    IllegalAction,
    RefillNotAllowed,
    RefillRequired,
    TileNotAvailable,
    WrongSeat,
)
from games.engine.events import Ending, Event, GameOver, GoalsCompleted, SeatLeft, TilesRevealed, TileTaken
from games.engine.setup import LAID_OUT, Mode, Setup
from games.engine.tiles import TILES, Tile
from games.engine.wheel import Wheel

T = TypeVar("T")


class RefillRule(Enum):
    """What the seat to move may or must do about the moon wheel."""

    NOT_ALLOWED = "not allowed"
    ALLOWED = "allowed"
    FORCED = "forced"


class Step(NamedTuple):
    """An action, the position after it, and what it brought about."""

    action: Action
    position: "Position"
    events: tuple[Event, ...]


# A third faster than calling the class: listing is most of what random play and searches do.
_place: Callable[[tuple[int, str, int, int]], Place] = partial(tuple.__new__, Place)


class LegalActions:
    """The actions that the seat to move may choose from on its turn: places and refills.

    A lazy view: iterate it, take its length, ask whether it holds an action. Resigning is legal besides, at
    any time and for every seat in play: see `Position.is_legal`.
    """

    def __init__(self, position: "Position") -> None:
        """View the actions that are legal in `position`."""
        self._position = position

    def __iter__(self) -> Iterator[Place | Refill]:
        """Yield the refill first, then the places tile by tile clockwise."""
        position = self._position
        seat = position.to_move
        if seat is None:
            return
        if position.refill is not RefillRule.NOT_ALLOWED:
            yield Refill(seat)
        cells = position.displays[seat].cells
        for tile in position.in_reach:
            code = tile.code
            for x, y in cells:
                yield _place((seat, code, x, y))

    def __len__(self) -> int:
        """Count the actions without listing them."""
        position = self._position
        if position.to_move is None:
            return 0
        refills = position.refill is not RefillRule.NOT_ALLOWED
        return refills + len(position.wheel.in_reach) * len(position.displays[position.to_move].cells)

    def __contains__(self, action: object) -> bool:
        """Whether `action` is one of them."""
        return isinstance(action, Place | Refill) and self._position.is_legal(action)


@dataclass(frozen=True, slots=True, kw_only=True)
class Position(ABC):
    """What multiplayer and solo positions share.

    `revealed` is how many tiles of the deck have been laid out, `discs` how many goal discs each seat has
    left, and `left` the seats that have left, in that order.
    """

    setup: Setup
    wheel: Wheel
    revealed: int
    displays: tuple[Display, ...]
    discs: tuple[int, ...]
    left: tuple[int, ...] = ()
    ending: Ending | None = None

    @property
    def mode(self) -> Mode:
        """Whether the game is played with others or alone."""
        return self.setup.mode

    @property
    def seats(self) -> int:
        """How many seats the game began with."""
        return self.setup.seats

    @property
    def over(self) -> bool:
        """Whether the game has ended, for whatever reason: see `ending`."""
        return self.ending is not None

    @property
    def in_play(self) -> tuple[int, ...]:
        """The seats still in play."""
        return tuple(seat for seat in range(self.setup.seats) if seat not in self.left)

    @property
    def in_reach(self) -> tuple[Tile, ...]:
        """The tiles that may be taken, clockwise from the marker: three, or fewer where fewer are left."""
        return tuple(tile for space in self.wheel.in_reach if (tile := self.wheel.spaces[space]))

    @property
    def draw_pile(self) -> int:
        """How many tiles are in the draw pile."""
        return len(TILES) - self.revealed

    @property
    def refill_spaces(self) -> int:
        """How many tiles a refill would reveal."""
        return min(len(self.wheel.empty), self.draw_pile)

    @property
    @abstractmethod
    def to_move(self) -> int | None:
        """The seat to move; None when the game is over."""

    @property
    @abstractmethod
    def refill(self) -> RefillRule:
        """Whether the seat to move may or must refill the wheel."""

    @abstractmethod
    def state(self) -> dict[str, object]:
        """Return the position as the record format writes it."""

    def _shared_state(self) -> dict[str, object]:
        """Return what the records of both modes have."""
        return {
            "to_move": self.to_move,
            "marker": self.wheel.marker,
            "wheel": [tile and tile.code for tile in self.wheel.spaces],
            "draw_pile": self.draw_pile,
            "discs": list(self.discs),
            "completed": [display.placed for display in self.displays],
            "over": self.over,
        }

    @property
    def legal_actions(self) -> LegalActions:
        """What the seat to move may do on its turn."""
        return LegalActions(self)

    def is_legal(self, action: Action) -> bool:
        """Whether `apply` would take this action; of any kind, by any seat."""
        try:
            self._check(action)
        except IllegalAction:
            return False
        return True

    def apply(self, action: Action) -> Step:
        """Return the step that an action leads to.

        Raises the IllegalAction that the record format puts first, and HiddenDeck where tiles would be
        revealed that a cut deck does not name.
        """
        self._check(action)
        match action:
            case Place():
                after, events = self._place(action)
            case Refill(seat):
                after, events = self._refill(seat)
            case Resign(seat, reason):
                after, events = self._leave(seat)
                events = (SeatLeft(seat, reason), *events)
            case Cancel():
                after, events = self._ended(Ending.CANCELLED)
        return Step(action, after, events)

    def public(self) -> Self:
        """Return the position as any player may know it: without the undrawn tiles."""
        return replace(self, setup=replace(self.setup, deck=self.setup.deck[: self.revealed]))

    @abstractmethod
    def _place(self, action: Place) -> "tuple[Self, tuple[Event, ...]]": ...

    @abstractmethod
    def _refill(self, seat: int) -> "tuple[Self, tuple[Event, ...]]": ...

    @abstractmethod
    def _leave(self, seat: int) -> "tuple[Self, tuple[Event, ...]]": ...

    @abstractmethod
    def _game_over(self, ending: Ending) -> GameOver: ...

    def _check(self, action: Action) -> None:
        """Raise what is wrong with an action, in the order of the record format's table of errors."""
        if isinstance(action, Cancel):
            if self.over:
                raise GameIsOver("The game is over.")
            return
        if not 0 <= action.seat < self.setup.seats:
            raise BadAction(f"This game has the seats 0 to {self.setup.seats - 1}.")
        if isinstance(action, Place) and action.tile not in TILES:
            raise BadAction("There is no such tile.")
        if self.over:
            raise GameIsOver("The game is over.")
        if action.seat in self.left:
            raise WrongSeat(f"Seat {action.seat} has left the game.")
        if isinstance(action, Resign):
            return
        if action.seat != self.to_move:
            raise WrongSeat(f"It is the turn of seat {self.to_move}, not of seat {action.seat}.")
        if isinstance(action, Refill):
            if self.refill is RefillRule.NOT_ALLOWED:
                raise RefillNotAllowed("The moon wheel may not be refilled now.")
            return
        self._check_place(action)

    def _check_place(self, action: Place) -> None:
        if self.refill is RefillRule.FORCED:
            raise RefillRequired("The moon wheel is empty and must be refilled first.")
        if all(tile.code != action.tile for tile in self.in_reach):
            raise TileNotAvailable(f"{action.tile} is not among the next three tiles.")
        if action.cell not in self.displays[action.seat].cells:
            raise CellNotAvailable("That cell is taken, or shares no edge with a tile of the display.")

    def _take(self, action: Place, time_before: int) -> tuple[Wheel, Display, TileTaken]:
        """Return the wheel and the display after a tile was taken and placed."""
        tile = TILES[action.tile]
        space = self.wheel.spaces.index(tile)
        display = self.displays[action.seat].with_tile(tile, action.cell)
        taken = TileTaken(action.seat, tile.code, space, action.cell, time_before, time_before + tile.cost)
        return self.wheel.without(space), display, taken

    def _draw(self, seat: int) -> tuple[Wheel, TilesRevealed]:
        """Return the wheel after a refill."""
        codes = self.setup.deck[self.revealed : self.revealed + self.refill_spaces]
        if len(codes) < self.refill_spaces:
            raise HiddenDeck("A position record does not know the tiles that a refill would reveal.")
        revealed = TilesRevealed(seat, tuple(zip(self.wheel.empty, codes, strict=False)))
        return self.wheel.refilled([TILES[code] for code in codes]), revealed

    def _ended(self, ending: Ending) -> "tuple[Self, tuple[Event, ...]]":
        after = replace(self, ending=ending)
        return after, (after._game_over(ending),)


def cover(display: Display, discs: int, seat: int) -> tuple[Display, int, tuple[GoalsCompleted, ...]]:
    """Put discs on the goals that wait for one; return the display, the discs left, and what happened.

    Where discs are fewer than goals, the goals come in the order of x, then y, then their place on the tile.
    """
    goals = tuple(display.waiting[:discs])
    if not goals:
        return display, discs, ()
    return display.with_discs(goals), discs - len(goals), (GoalsCompleted(seat, goals),)


def first_wheel(setup: Setup) -> Wheel:
    """Return the wheel as a game starts."""
    return Wheel.laid_out([TILES[code] for code in setup.deck[:LAID_OUT]])


def swapped(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """Return `values` with another one at `index`."""
    return (*values[:index], value, *values[index + 1 :])
