"""The levels, from a friendly beginner to the strongest bot, and a reference opponent to measure them by."""

from collections.abc import Callable, Iterator, Mapping
from random import Random

from games.lunar.bots.simple import choose_at_random
from games.lunar.bots.thinking import Effort, choose_by_policy, search
from games.lunar.engine import Action, Position, SeedDealer, Setup, Stage, Stars
from games.titles.bots import Budget

Level = Callable[[Position, int, Random, Budget | None], Action]

# Share of the moves that a beginner notices.
SHARE_BEGINNERS_NOTICE = 0.35

# The share of the compilation that is done after the first actions of a game of two, and of four.
SHARES_COMPILED = {2: 0.95, 4: 1.0}

HARD = Effort(rollouts=400, seconds=0.05, passes=12)
EXPERT = Effort(rollouts=8_000, seconds=0.9, passes=48)


def _with_search(effort: Effort) -> Level:
    return lambda position, seat, rng, budget: search(position, seat, rng, effort.within(budget))


LEVELS: Mapping[str, Level] = {
    "easy": lambda position, seat, rng, _budget: choose_by_policy(
        position, seat, rng, SHARE_BEGINNERS_NOTICE
    ),
    "medium": lambda position, seat, rng, _budget: choose_by_policy(position, seat, rng),
    "hard": _with_search(HARD),
    "expert": _with_search(EXPERT),
}
REFERENCES: Mapping[str, Level] = {
    "random": lambda position, seat, rng, _budget: choose_at_random(position, seat, rng),
}


def choose(position: Position, seat: int, level: str, rng: Random, budget: Budget | None = None) -> Action:
    """Return the action of a level for an awaited seat, given only what this seat knows.

    Raises KeyError for an unknown level, and ValueError if the seat is not awaited.
    """
    if seat not in position.awaited:
        raise ValueError(f"Seat {seat} is not awaited.")
    return {**LEVELS, **REFERENCES}[level](position.seen_by(seat), seat, rng, budget)


def warm_up_in_steps() -> Iterator[float]:
    """Call everything that is compiled, and yield the share of the work that is done, if it compiles."""
    rng = Random(0)
    for seats in (2, 4):
        position = Position.start(Setup(seats, (0, 1)), SeedDealer(b"warm up", Stars.SUITS))
        while position.stage is not Stage.PLAY:
            for seat in sorted(position.awaited):
                position = position.apply(choose(position, seat, "hard", rng, Budget(rollouts=2))).position
        for level in LEVELS:
            choose(position, min(position.awaited), level, rng, Budget(rollouts=2))
        yield SHARES_COMPILED[seats]


def warm_up() -> None:
    """Load the search from numba's cache on disk. The first call compiles it."""
    for _share in warm_up_in_steps():
        pass
