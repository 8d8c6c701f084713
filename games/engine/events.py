"""What an action brought about, by name."""

from dataclasses import dataclass
from enum import StrEnum

from games.engine.cells import Cell
from games.engine.display import GoalAt


class Ending(StrEnum):
    """Why a game is over."""

    DISCS = "discs"  # somebody placed the last disc
    TILES = "tiles"  # no tile was left to take
    LEFT = "left"  # one player was left, or the solo player resigned
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class TileTaken:
    """A tile went from a space of the wheel to a cell; the times are the seat's total before and after.

    In solo, where there is no moon track, they are the sum of the display's time costs.
    """

    seat: int
    tile: str
    space: int
    cell: Cell
    time_before: int
    time_after: int


@dataclass(frozen=True, slots=True)
class GoalsCompleted:
    """Goals got their discs."""

    seat: int
    goals: tuple[GoalAt, ...]


@dataclass(frozen=True, slots=True)
class TilesRevealed:
    """A refill laid tiles out: (space, code) each, in the order in which they were drawn."""

    seat: int
    tiles: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class PhaseEnded:
    """The first phase of a solo game ended with this score."""

    score: int


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """A player is out; `reason` is as the action gave it."""

    seat: int
    reason: str | None


@dataclass(frozen=True, slots=True)
class GameOver:
    """The game ended.

    `winner` and `ranking` are None in solo and after a cancel; `score` is a finished solo game's.
    """

    winner: int | None
    ranking: tuple[int, ...] | None
    score: int | None
    reason: Ending


Event = TileTaken | GoalsCompleted | TilesRevealed | PhaseEnded | SeatLeft | GameOver
