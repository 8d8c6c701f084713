"""Positions: all that is known between two actions, with the legal actions.

A position is an immutable value: applying an action returns a new one. This module has the rules that the two
modes share.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property, partial
from random import Random
from typing import NamedTuple, Self, TypeVar, cast

from games.novaluna.engine.actions import Action, Place, Refill
from games.novaluna.engine.cells import Cell
from games.novaluna.engine.display import Display, GoalAt
from games.novaluna.engine.errors import (
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
from games.novaluna.engine.events import (
    Ending,
    Event,
    GameOver,
    GoalsCompleted,
    SeatLeft,
    TilesRevealed,
    TileTaken,
)
from games.novaluna.engine.setup import TILES_AT_START, Mode, Setup
from games.novaluna.engine.tiles import TILES, Tile
from games.novaluna.engine.wheel import Wheel
from games.titles.actions import Cancel, Resign

T = TypeVar("T")


class RefillRule(Enum):
    """Whether the seat to move may or must refill the moon wheel."""

    NOT_ALLOWED = "not allowed"
    ALLOWED = "allowed"
    FORCED = "forced"


class Step(NamedTuple):
    """An action with the position after it and its events."""

    action: Action
    position: "Position"
    events: tuple[Event, ...]

    @property
    def seat(self) -> int | None:
        """The seat that made the action; None for a cancel, which has no seat."""
        return None if isinstance(self.action, Cancel) else self.action.seat

    @property
    def tile_taken(self) -> TileTaken | None:
        """The event of the tile that a place took; None for other actions."""
        return next((event for event in self.events if isinstance(event, TileTaken)), None)

    @property
    def goals_covered(self) -> tuple[GoalAt, ...]:
        """The goals that the action gave discs to, in the order of the discs."""
        return tuple(
            goal for event in self.events if isinstance(event, GoalsCompleted) for goal in event.goals
        )

    @property
    def game_over(self) -> GameOver | None:
        """The event that ended the game; None if the game goes on."""
        return next((event for event in self.events if isinstance(event, GameOver)), None)

    def with_deal(self, dealt: Mapping[str, object]) -> "Step":
        """Return the step with the whole deck of its deal."""
        return self._replace(position=self.position.with_deal(dealt))

    def seen_by(self, _seat: int | None) -> "Step":
        """Return the step without the undrawn tiles, which is what every seat sees."""
        return self._replace(position=self.position.public())


# This is a third faster than calling the class. Random play and searches spend most of their time listing
# actions.
_place: Callable[[tuple[int, str, int, int]], Place] = partial(tuple.__new__, Place)


class LegalActions:
    """The legal place and refill actions of the seat to move.

    This is a lazy view with iteration, `len` and `in`. It does not contain resign and cancel, which are legal
    at any time: a resign for every seat in play, a cancel for the whole game. See `Position.is_legal`.
    """

    def __init__(self, position: "Position") -> None:
        """Make a view of the actions that are legal in `position`."""
        self._position = position

    def __iter__(self) -> Iterator[Place | Refill]:
        """Iterate over the refill first, then over the places of each tile, clockwise from the marker."""
        return iter(self._listed)

    def __len__(self) -> int:
        """Return the number of actions."""
        return len(self._listed)

    def __contains__(self, action: object) -> bool:
        """Whether `action` is one of these actions."""
        return isinstance(action, Place | Refill) and self._position.is_legal(action)

    @cached_property
    def _listed(self) -> list[Place | Refill]:
        position = self._position
        seat = position.to_move
        if seat is None:
            return []
        actions: list[Place | Refill] = []
        if position.refill is not RefillRule.NOT_ALLOWED:
            actions.append(Refill(seat))
        cells = position.displays[seat].free_cells
        for tile in position.in_reach:
            code = tile.code
            # A generator would take twice as long.
            actions += [_place((seat, code, x, y)) for x, y in cells]
        return actions


@dataclass(frozen=True, slots=True, kw_only=True)
class Position(ABC):
    """The part of a position that both modes share.

    `revealed_count` is the number of tiles of the deck that have been on the wheel. `discs` is the number of
    goal discs that each seat has left. `resigned_seats` are in the order in which they resigned.
    """

    setup: Setup
    wheel: Wheel
    revealed_count: int
    displays: tuple[Display, ...]
    discs: tuple[int, ...]
    resigned_seats: tuple[int, ...] = ()
    ending: Ending | None = None

    @property
    def mode(self) -> Mode:
        """The mode of the game: multiplayer or solo."""
        return self.setup.mode

    @property
    def seats(self) -> int:
        """The number of seats at the start of the game."""
        return self.setup.seats

    @property
    def over(self) -> bool:
        """Whether the game has ended. `ending` has the reason."""
        return self.ending is not None

    @property
    def in_play(self) -> tuple[int, ...]:
        """The seats still in play."""
        return tuple(seat for seat in range(self.setup.seats) if seat not in self.resigned_seats)

    @property
    def in_reach(self) -> tuple[Tile, ...]:
        """The tiles in reach, clockwise from the marker: three, or all that are left."""
        return tuple(tile for space in self.wheel.spaces_in_reach if (tile := self.wheel.spaces[space]))

    @property
    def draw_pile(self) -> int:
        """The number of tiles in the draw pile."""
        return len(TILES) - self.revealed_count

    @property
    def refill_size(self) -> int:
        """The number of tiles that a refill would reveal."""
        return min(len(self.wheel.empty_spaces), self.draw_pile)

    @property
    @abstractmethod
    def to_move(self) -> int | None:
        """The seat to move; None when the game is over."""

    @property
    def awaited(self) -> frozenset[int]:
        """The seat to move, as a set; empty when the game is over."""
        return frozenset() if self.to_move is None else frozenset((self.to_move,))

    @property
    @abstractmethod
    def places(self) -> tuple[int, ...]:
        """The place of each seat, from 1; several can tie. Empty without a result, and in a solo game."""

    @property
    def known(self) -> int:
        """The number of tiles that everybody has seen."""
        return self.revealed_count

    @abstractmethod
    def figures(self, seat: int) -> dict[str, int]:
        """Return the numbers of a seat that lists show: discs left and, with others, the time."""

    @property
    @abstractmethod
    def refill(self) -> RefillRule:
        """Whether the seat to move may or must refill the wheel."""

    @abstractmethod
    def state(self) -> dict[str, object]:
        """Return the position as a state of the record format."""

    def _shared_state(self) -> dict[str, object]:
        """Return the part of the state that both modes share."""
        return {
            "to_move": self.to_move,
            "marker": self.wheel.marker,
            "wheel": [tile and tile.code for tile in self.wheel.spaces],
            "draw_pile": self.draw_pile,
            "discs": list(self.discs),
            "completed": [display.discs_placed for display in self.displays],
            "over": self.over,
        }

    @property
    def legal_actions(self) -> LegalActions:
        """The legal place and refill actions of the seat to move."""
        return LegalActions(self)

    def legal(self, seat: int) -> Collection[Place | Refill]:
        """Return the legal place and refill actions of a seat; none if it is not the seat to move."""
        return self.legal_actions if seat == self.to_move else ()

    def forced(self, seat: int) -> Place | Refill | None:
        """Return the only legal action of a seat; None if it has a choice or is not to move."""
        if seat != self.to_move:
            return None
        if self.refill is RefillRule.FORCED:
            return Refill(seat)
        cells = self.displays[seat].free_cells
        has_choice = len(self.in_reach) * len(cells) > 1 or self.refill is RefillRule.ALLOWED
        return None if has_choice else next(iter(self.legal_actions))

    def is_legal(self, action: Action) -> bool:
        """Whether `apply` would accept this action, of any kind and by any seat."""
        try:
            self._check(action)
        except IllegalAction:
            return False
        return True

    def apply(self, action: Action) -> Step:
        """Return the step of an action.

        Raises IllegalAction; if several errors apply, the one that is first in `errors.py`. Raises
        HiddenDeck if a refill would reveal tiles that the cut deck of a position record does not have.
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
                after, events = self._end(Ending.CANCELLED)
        return Step(action, after, events)

    def public(self) -> Self:
        """Return the position without the undrawn tiles, as every player may see it."""
        return replace(self, setup=replace(self.setup, deck=self.setup.deck[: self.revealed_count]))

    def seen_by(self, _seat: int | None) -> Self:
        """Return what a seat or a spectator may know: no undrawn tile, and all else, as for everybody."""
        return self.public()

    def with_deal(self, dealt: Mapping[str, object]) -> Self:
        """Return the position with the whole deck of its deal."""
        deck = cast("Sequence[str]", dealt["deck"])
        return replace(self, setup=replace(self.setup, deck=tuple(deck)))

    def guess(self, _seat: int, rng: Random) -> Self:
        """Return the position with the tiles that nobody has seen in a random order."""
        seen = self.setup.deck[: self.revealed_count]
        hidden = sorted(TILES.keys() - set(seen))
        rng.shuffle(hidden)
        return replace(self, setup=replace(self.setup, deck=(*seen, *hidden)))

    def goals_covered_by(self, seat: int, tile: Tile, cell: Cell) -> tuple[GoalAt, ...]:
        """Return the goals that a seat covers if it places a tile on a cell; discs may not last for all."""
        waiting = self.displays[seat].with_tile(tile, cell).waiting_goals
        return tuple(waiting[: self.discs_for_goals(seat)])

    @abstractmethod
    def discs_for_goals(self, seat: int) -> int:
        """Return how many discs a seat has for the goals that its next tile fulfils."""

    @abstractmethod
    def _place(self, action: Place) -> "tuple[Self, tuple[Event, ...]]": ...

    @abstractmethod
    def _refill(self, seat: int) -> "tuple[Self, tuple[Event, ...]]": ...

    @abstractmethod
    def _leave(self, seat: int) -> "tuple[Self, tuple[Event, ...]]": ...

    @abstractmethod
    def _game_over(self, ending: Ending) -> GameOver: ...

    def _check(self, action: Action) -> None:
        """Raise an error if the action is illegal; if several apply, the one that is first in `errors.py`."""
        if isinstance(action, Cancel):
            if self.over:
                raise GameIsOver("The game is over.")
            return
        if not 0 <= action.seat < self.setup.seats:
            raise BadAction(f"The seats of this game are 0 to {self.setup.seats - 1}.")
        if isinstance(action, Place) and action.tile not in TILES:
            raise BadAction("There is no such tile.")
        if self.over:
            raise GameIsOver("The game is over.")
        if action.seat in self.resigned_seats:
            raise WrongSeat(f"Seat {action.seat} has left the game.")
        if isinstance(action, Resign):
            return
        if action.seat != self.to_move:
            raise WrongSeat(f"It is the turn of seat {self.to_move}, not of seat {action.seat}.")
        if isinstance(action, Refill):
            if self.refill is RefillRule.NOT_ALLOWED:
                raise RefillNotAllowed("The moon wheel cannot be refilled now.")
            return
        self._check_place(action)

    def _check_place(self, action: Place) -> None:
        if self.refill is RefillRule.FORCED:
            raise RefillRequired("The moon wheel is empty and must be refilled first.")
        if all(tile.code != action.tile for tile in self.in_reach):
            raise TileNotAvailable(f"{action.tile} is not one of the next three tiles.")
        if action.cell not in self.displays[action.seat].free_cells:
            raise CellNotAvailable("The cell is taken, or it shares no edge with a tile of the display.")

    def _take(self, action: Place, time_before: int) -> tuple[Wheel, Display, TileTaken]:
        """Return the wheel, the display and the event after a tile was taken and placed."""
        tile = TILES[action.tile]
        space = next(space for space in self.wheel.spaces_in_reach if self.wheel.spaces[space] == tile)
        display = self.displays[action.seat].with_tile(tile, action.cell)
        taken = TileTaken(action.seat, tile.code, space, action.cell, time_before, time_before + tile.cost)
        return self.wheel.without_tile_on(space), display, taken

    def _draw(self, seat: int) -> tuple[Wheel, TilesRevealed]:
        """Return the wheel and the event after a refill. Raises HiddenDeck if the deck is cut."""
        codes = self.setup.deck[self.revealed_count : self.revealed_count + self.refill_size]
        if len(codes) < self.refill_size:
            raise HiddenDeck("The deck has fewer tiles than the actions revealed.")
        revealed = TilesRevealed(seat, tuple(zip(self.wheel.empty_spaces, codes, strict=False)))
        return self.wheel.after_refill([TILES[code] for code in codes]), revealed

    def _end(self, ending: Ending) -> "tuple[Self, tuple[Event, ...]]":
        """Return the position after the game ended, and the event."""
        after = replace(self, ending=ending)
        return after, (after._game_over(ending),)


def cover(display: Display, discs: int, seat: int) -> tuple[Display, int, tuple[GoalsCompleted, ...]]:
    """Put discs on the waiting goals; return the display, the number of discs left, and the events.

    If there are fewer discs than goals, the goals get them in the order of x, y and number on the tile.
    """
    goals = tuple(display.waiting_goals[:discs])
    if not goals:
        return display, discs, ()
    return display.with_discs(goals), discs - len(goals), (GoalsCompleted(seat, goals),)


def first_wheel(setup: Setup) -> Wheel:
    """Return the wheel at the start of a game."""
    return Wheel.at_start([TILES[code] for code in setup.deck[:TILES_AT_START]])


def with_item(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """Return `values` with `value` at `index`."""
    return (*values[:index], value, *values[index + 1 :])
