"""The levels, from a friendly beginner to the strongest there is, and opponents to measure them against."""

import math
import random
from collections.abc import Callable, Mapping

from games.bots import plain
from games.bots.search import alone, tree
from games.bots.search.reading import TooLarge
from games.bots.thinking import Budget, Effort, Estimate, by_policy, think, worth
from games.engine import (
    MOST_DISCS,
    SOLO_DISCS,
    TILES,
    Mode,
    Place,
    Position,
    Refill,
    RefillRule,
    Setup,
    start,
)

Level = Callable[[Position, random.Random, Budget | None], Place | Refill]

# How many of the turns a beginner looks at.
BEGINNERS_SIGHT = 0.1

HARD = Effort(
    tree=tree.Settings(branches=8, root_branches=12, trust=1.0, temperature=0.3, margin=0.3),
    rollouts=64,
    seconds=0.5,
    alone=alone.Settings(width=12, ends=8, tries_width=2, finish_width=20),
    tries=40,
)
EXPERT = Effort(
    tree=tree.Settings(branches=10, root_branches=20, trust=1.0, temperature=0.3, margin=0.3),
    rollouts=30_000,
    seconds=2.0,
    alone=alone.Settings(width=200, ends=60, tries_width=6, finish_width=1000),
    tries=1500,
    lead=0.3,
)
# There is nothing to choose, so that no choice may end the search: the more games, the surer the estimate.
VALUING = EXPERT._replace(lead=math.inf)
# What others have built for this game: a plain tree in which the policy only plays out and orders the turns.
# Wider trees and other bounds were weaker.
UCT_1024 = EXPERT._replace(
    tree=tree.Settings(branches=8, root_branches=12, trust=0.25, temperature=1.0, margin=0.3, plain=True),
    rollouts=1024,
    seconds=60.0,
    lead=1.0,
)


def _beginner(position: Position, rng: random.Random, budget: Budget | None) -> Place | Refill:
    return by_policy(position, rng, BEGINNERS_SIGHT)


def _policy(position: Position, rng: random.Random, budget: Budget | None) -> Place | Refill:
    return by_policy(position, rng)


def _thinking(effort: Effort) -> Level:
    def choose(position: Position, rng: random.Random, budget: Budget | None) -> Place | Refill:
        if position.refill is RefillRule.FORCED:
            assert position.to_move is not None
            return Refill(position.to_move)
        return think(position, rng, effort.within(budget))[0].action

    return choose


def _plain(choose: Callable[[Position, random.Random], Place | Refill]) -> Level:
    return lambda position, rng, budget: choose(position, rng)


LEVELS: Mapping[str, Level] = {
    "easy": _beginner,
    "medium": _policy,
    "hard": _thinking(HARD),
    "expert": _thinking(EXPERT),
}
REFERENCES: Mapping[str, Level] = {
    "random": _plain(plain.anything),
    "greedy": _plain(plain.greedy),
    "uct1024": _thinking(UCT_1024),
}


def choose(
    position: Position, seat: int, level: str, rng: random.Random, budget: Budget | None = None
) -> Place | Refill:
    """Return what a bot of this level does with the turn of `seat`; the same for the same state of `rng`.

    `position` is `Position.public()`: a bot knows no more of the draw pile than a player. What depends on
    time repeats only with `budget.rollouts`. Runs without Python's global lock while it searches. Raises
    KeyError for an unknown level, ValueError where it is not the turn of `seat`.
    """
    chooser = LEVELS[level] if level in LEVELS else REFERENCES[level]
    if position.to_move != seat:
        raise ValueError(f"It is not the turn of seat {seat}.")
    try:
        return chooser(position, rng, budget)
    except TooLarge:
        return plain.greedy(position, rng)


def estimates(
    position: Position, seat: int, rng: random.Random, budget: Budget | None = None
) -> list[Estimate]:
    """Return the expert's view of the actions that it looked at, best first; a forced refill alone is one.

    Raises ValueError where it is not the turn of `seat`, TooLarge (a ValueError) where a display has no room
    on the search's grid.
    """
    if position.to_move != seat:
        raise ValueError(f"It is not the turn of seat {seat}.")
    return think(position, rng, EXPERT.within(budget))


def value(position: Position, seat: int, rng: random.Random, budget: Budget | None = None) -> float:
    """Return the expert's view of a position: the chance of `seat` to win, whoever is to move.

    Alone, the score that is to be expected. Of a game that is over, what came of it. Raises TooLarge as
    `estimates` does.
    """
    return worth(position, seat, rng, VALUING.within(budget))


def warm_up() -> None:
    """Load the search from numba's cache on disk, or compile it: about half a minute, the first time."""
    rng = random.Random(0)
    for mode, seats, discs in ((Mode.MULTIPLAYER, 2, MOST_DISCS), (Mode.SOLO, 1, SOLO_DISCS)):
        position = start(Setup(mode, seats, discs, tuple(range(seats)), tuple(TILES)))
        for _turn in range(2):  # a display with a tile on it is read by code that an empty one does without
            assert position.to_move is not None
            for level in LEVELS:
                action = choose(position.public(), position.to_move, level, rng, Budget(rollouts=1))
            position = position.apply(action).position
