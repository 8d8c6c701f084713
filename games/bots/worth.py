"""What an action or a position is worth to a seat: a chance to win, or the score of a solo game."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import total_ordering
from typing import ClassVar, Self

from games.engine import Mode


@total_ordering
@dataclass(frozen=True)
class _Value(ABC):
    """A number that knows its unit and whether more or less of it is better.

    Of two values, the better one is the greater one: `max` returns the best. A loss, the difference of two
    values, is a value of the same type and never negative. To mix the types is a TypeError.
    """

    value: float

    # A smaller difference is within the noise of the search: both values count as equal.
    NOISE: ClassVar[float]

    @property
    @abstractmethod
    def whole(self) -> int:
        """The value as pages show it: in whole per cent or whole points."""

    @abstractmethod
    def _after(self, loss: Self) -> Self: ...

    def after(self, loss: "Worth") -> Self:
        """Return what remains after a loss.

        It is computed from the whole numbers, so that the three numbers on a page add up.
        """
        return self._after(self._same_type(loss))

    @abstractmethod
    def _lead_over(self, other: Self) -> float: ...

    def lead_over(self, other: "Worth") -> float:
        """Return by how much this value is better than `other`; negative if it is worse."""
        return self._lead_over(self._same_type(other))

    def __lt__(self, other: "Worth") -> bool:
        return self.lead_over(other) < 0

    def is_clearly_better_than(self, other: "Worth") -> bool:
        """Whether this value is better than `other` by more than noise."""
        return self.lead_over(other) >= self.NOISE

    def loss_with(self, other: "Worth") -> Self:
        """Return how much is lost with `other` in place of this value: zero if `other` is better."""
        return type(self)(max(0.0, self.lead_over(other)))

    def no_loss(self) -> Self:
        """Return the loss of zero."""
        return type(self)(0.0)

    def _same_type(self, other: "Worth") -> Self:
        if not isinstance(other, type(self)):
            raise TypeError(f"A {type(self).__name__} cannot be combined with a {type(other).__name__}.")
        return other


class Chance(_Value):
    """A chance to win, from 0 to 1. More is better. As a loss: the part of a chance that was given away."""

    NOISE = 0.05

    @property
    def whole(self) -> int:
        """The chance in per cent, rounded."""
        return round(100 * self.value)

    def for_opponent(self) -> "Chance":
        """Return the chance of the other player, in a game for two."""
        return Chance(1 - self.value)

    def _after(self, loss: "Chance") -> "Chance":
        return Chance((self.whole - loss.whole) / 100)

    def _lead_over(self, other: "Chance") -> float:
        return self.value - other.value


class Score(_Value):
    """The expected score of a solo game, in points. Less is better. As a loss: the points that were added."""

    NOISE = 1.0

    @property
    def whole(self) -> int:
        """The points, rounded."""
        return round(self.value)

    def _after(self, loss: "Score") -> "Score":
        return Score(float(self.whole + loss.whole))

    def _lead_over(self, other: "Score") -> float:
        return other.value - self.value


Worth = Chance | Score


def worth_from_float(mode: Mode, value: float) -> Worth:
    """Return a number, such as one read from the database, as the type that games of this mode use."""
    return Score(value) if mode is Mode.SOLO else Chance(value)
