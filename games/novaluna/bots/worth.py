"""What an action or a position is worth to a seat: a chance to win, or the score of a solo game."""

from dataclasses import dataclass
from functools import total_ordering
from typing import ClassVar, Self

from games.novaluna.engine import Mode


@total_ordering
@dataclass(frozen=True)
class _Value:
    """A number that knows its unit and whether more or less of it is better.

    The better of two values compares as greater, so `max` returns the best. A loss, the difference of two
    values, is a value of the same type and never negative. Combining values of different types raises
    TypeError.
    """

    value: float

    # A smaller difference is within the noise of the search: both values count as equal.
    NOISE: ClassVar[float]
    # 1 if a greater number is better, -1 if a smaller number is better.
    SIGN: ClassVar[int]
    # A value times this is the number that pages show: per cent of a chance, or points of a score.
    SCALE: ClassVar[int]

    @property
    def whole(self) -> int:
        """The value as pages show it, rounded: in whole per cent or whole points."""
        return round(self.SCALE * self.value)

    def lead_over(self, other: "Worth") -> float:
        """Return how much better this value is than `other`; negative if it is worse."""
        self._check_type(other)
        return self.SIGN * (self.value - other.value)

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

    def after(self, loss: "Worth") -> Self:
        """Return what remains after a loss.

        It is computed from the whole numbers, so that the three numbers on a page add up.
        """
        self._check_type(loss)
        return type(self)((self.whole - self.SIGN * loss.whole) / self.SCALE)

    def _check_type(self, other: "Worth") -> None:
        if not isinstance(other, type(self)):
            raise TypeError(f"A {type(self).__name__} cannot be combined with a {type(other).__name__}.")


class Chance(_Value):
    """A chance to win, from 0 to 1. More is better. As a loss: the part of a chance that was given away."""

    NOISE = 0.05
    SIGN = 1
    SCALE = 100

    def for_opponent(self) -> "Chance":
        """Return the chance of the other player, in a game for two."""
        return Chance(1 - self.value)


class Score(_Value):
    """The expected score of a solo game, in points. Less is better. As a loss: the points that were added."""

    NOISE = 1.0
    SIGN = -1
    SCALE = 1


Worth = Chance | Score


def worth_from_float(mode: Mode, value: float) -> Worth:
    """Return a number (for example from the database) as the type of worth that games of this mode use."""
    return Score(value) if mode is Mode.SOLO else Chance(value)
