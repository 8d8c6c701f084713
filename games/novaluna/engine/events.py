"""Events: the results of an action."""

from dataclasses import dataclass
from enum import StrEnum

from games.novaluna.engine.cells import Cell
from games.novaluna.engine.display import GoalAt


class Ending(StrEnum):
    """Why a game is over."""

    DISCS = "discs"  # a player placed their last disc
    TILES = "tiles"  # no tile was left to take
    LEFT = "left"  # only one player remained, or the solo player resigned
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class TileTaken:
    """A seat took a tile from a space of the wheel and placed it on a cell.

    `time_before` and `time_after` are the total time of the seat. In a solo game, which has no moon track,
    they are the sum of the time costs on the display.
    """

    seat: int
    tile: str
    space: int
    cell: Cell
    time_before: int
    time_after: int


@dataclass(frozen=True, slots=True)
class GoalsCompleted:
    """Goals of one seat got their discs, in this order."""

    seat: int
    goals: tuple[GoalAt, ...]


@dataclass(frozen=True, slots=True)
class TilesRevealed:
    """A refill put tiles on the wheel. `tiles` are pairs (space, code) in the order of the draw pile."""

    seat: int
    tiles: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class PhaseEnded:
    """The first phase of a solo game ended with this score."""

    score: int


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """A player resigned. `reason` is the reason of the action."""

    seat: int
    reason: str | None


@dataclass(frozen=True, slots=True)
class GameOver:
    """The game ended.

    `winner` and `ranking` are None in a solo game and after a cancel. `score` is the score of a finished solo
    game, otherwise None.
    """

    winner: int | None
    ranking: tuple[int, ...] | None
    score: int | None
    reason: Ending


Event = TileTaken | GoalsCompleted | TilesRevealed | PhaseEnded | SeatLeft | GameOver
