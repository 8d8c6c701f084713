"""What the bots of a title can do, other than playing: give hints, judge finished games, and train players.

Values of actions and positions are numbers of the title, such as chances to win. Its pages put them into
words. As in `bots.py`, positions are as the seat that acts sees them, and everything can be pickled.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, NamedTuple, Protocol, runtime_checkable


class Estimate(NamedTuple):
    """An action and its value for the seat that acts."""

    action: Any
    value: float


@dataclass(frozen=True)
class Judgement:
    """An action of a finished game compared with the best one.

    `value` is the value of the best action, and `lost` is how much of it was given away, never negative. All
    three are None without an estimate. After a mistake, `line` has the actions that the expert expects after
    the best one.
    """

    best: Any = None
    value: float | None = None
    lost: float | None = None
    line: Sequence[Any] = ()

    @property
    def is_mistake(self) -> bool:
        """Whether the action gave something away."""
        return bool(self.lost)

    def with_best(self, action: Any) -> Judgement:
        """Return this judgement with `action` as the best one, so that nothing was given away."""
        return replace(self, best=action, lost=0.0, line=())


@dataclass(frozen=True)
class Luck:
    """Something that was revealed, with its mean value for each seat before and after it.

    `errors` are the standard errors of the differences. They do not contain what the search gets wrong.
    """

    before: Sequence[float]
    after: Sequence[float]
    errors: Sequence[float]

    @property
    def gains(self) -> Sequence[float]:
        """What was added to the value for each seat."""
        return [after - before for before, after in zip(self.before, self.after, strict=True)]


@dataclass(frozen=True)
class Comparison:
    """The values of the actions of a position for the seat that acts, the best action first.

    `line` has the actions that the expert expects after the best one.
    """

    values: Sequence[tuple[Any, float]]
    line: Sequence[Any]


@runtime_checkable
class Adviser(Protocol):
    """Bots of a title with the talent HINTS."""

    def advise(self, position: Any, seat: int, rng: Random) -> Estimate | None:
        """Return the best action of an awaited seat; None if a search cannot tell."""
        ...


@runtime_checkable
class Judge(Protocol):
    """Bots of a title with the talent REVIEWS."""

    # Of the way in which luck is counted, because a review must not add up luck of two kinds.
    luck_version: int

    def judge(self, position: Any, action: Any, rng: Random) -> Judgement:
        """Return how good an action of the log was."""
        ...

    def luck_of_deal(self, start: Any, rng: Random) -> Luck | None:
        """Return the luck of the deal; None if the title does not count it, or cannot."""
        ...

    def luck_of_action(self, before: Any, action: Any, after: Any, rng: Random) -> Luck | None:
        """Return the luck of what an action revealed; None if it revealed nothing, or without an estimate."""
        ...


@runtime_checkable
class Trainer(Protocol):
    """Bots of a title with the talent TRAINER, which needs REVIEWS."""

    def least_loss(self, seats: int) -> float:
        """Return the least loss of an action that is worth training, in a game with this many seats."""
        ...

    def is_solved(self, best: float, value: float, seats: int) -> bool:
        """Return whether an action with this value is about as good as the best one."""
        ...

    def compare(self, position: Any, played: Any, rng: Random) -> Comparison | None:
        """Return the values of actions, `played` among them; None if it gave nothing away after all."""
        ...

    def value_beside(self, position: Any, best: Estimate, action: Any, rng: Random) -> float:
        """Return the value of an action that `compare` has left out, on the scale of the best one."""
        ...
