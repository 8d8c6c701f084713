"""The levels, from a friendly beginner to the strongest bot, and reference opponents to measure them by."""

import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence

from games.novaluna.bots.search import solo, tree
from games.novaluna.bots.search.reading import TooLarge
from games.novaluna.bots.simple import choose_at_random, choose_greedily
from games.novaluna.bots.thinking import (
    Effort,
    Estimate,
    choose_by_policy,
    estimate_actions,
    evaluate_for_all,
    evaluate_position,
    expect_line,
)
from games.novaluna.bots.worth import Worth
from games.novaluna.engine import (
    MOST_DISCS,
    SOLO_DISCS,
    TILES,
    Mode,
    MultiplayerPosition,
    Place,
    Position,
    Refill,
    RefillRule,
    Setup,
    start,
)
from games.titles.bots import Budget

Level = Callable[[Position, random.Random, Budget | None], Place | Refill]

# Share of turns that a beginner notices.
SHARE_BEGINNERS_NOTICE = 0.1

HARD = Effort(
    tree=tree.Settings(branches=8, root_branches=12, exploration=1.0, temperature=0.3, margin_share=0.3),
    rollouts=64,
    seconds=0.5,
    solo=solo.Settings(phase_1_width=12, ends=8, trial_width=2, phase_2_width=20),
    refill_trials=40,
)
EXPERT = Effort(
    tree=tree.Settings(branches=10, root_branches=20, exploration=1.0, temperature=0.3, margin_share=0.3),
    rollouts=30_000,
    seconds=1.0,
    solo=solo.Settings(phase_1_width=200, ends=60, trial_width=6, phase_2_width=1000),
    refill_trials=1500,
    decisive_lead=0.3,
)
# A search for the worth of a position must not stop when its choice is decided, because more rollouts still
# improve the estimate. A number of games bounds each one, so that reviews do not depend on the machine.
EVALUATION = EXPERT._replace(decisive_lead=math.inf, seconds=math.inf)
# A line needs a search for each action of a solo game, so these searches are narrower.
LINES = EVALUATION._replace(solo=HARD.solo, refill_trials=HARD.refill_trials)
# One of the many searches whose mean says how lucky a reveal was.
SHORT = EVALUATION._replace(
    rollouts=200,
    solo=EXPERT.solo._replace(phase_2_width=100),
    refill_trials=20,
)
# The common approach in other programs for this game: a plain tree search (UCT) in which the policy only
# plays games to their end and orders the turns. Wider trees and other values of `exploration` were weaker.
UCT_1024 = EXPERT._replace(
    tree=tree.Settings(
        branches=8,
        root_branches=12,
        exploration=0.25,
        temperature=1.0,
        margin_share=0.3,
        uses_priors=False,
    ),
    rollouts=1024,
    seconds=60.0,
    decisive_lead=1.0,
)


def _choose_as_beginner(position: Position, rng: random.Random, budget: Budget | None) -> Place | Refill:
    return choose_by_policy(position, rng, SHARE_BEGINNERS_NOTICE)


def _choose_by_policy(position: Position, rng: random.Random, budget: Budget | None) -> Place | Refill:
    return choose_by_policy(position, rng)


def _with_search(effort: Effort) -> Level:
    def choose(position: Position, rng: random.Random, budget: Budget | None) -> Place | Refill:
        if position.refill is RefillRule.FORCED:
            assert position.to_move is not None
            return Refill(position.to_move)
        return estimate_actions(position, rng, effort.with_budget(budget))[0].action

    return choose


def _without_search(choose: Callable[[Position, random.Random], Place | Refill]) -> Level:
    return lambda position, rng, budget: choose(position, rng)


LEVELS: Mapping[str, Level] = {
    "easy": _choose_as_beginner,
    "medium": _choose_by_policy,
    "hard": _with_search(HARD),
    "expert": _with_search(EXPERT),
}
# The share of the compilation that is done after these levels' first turns, by processor time.
SHARES_COMPILED = {
    (Mode.MULTIPLAYER, 0, "easy"): 0.11,
    (Mode.MULTIPLAYER, 0, "hard"): 0.43,
    (Mode.MULTIPLAYER, 1, "expert"): 0.48,
}
REFERENCES: Mapping[str, Level] = {
    "random": _without_search(choose_at_random),
    "greedy": _without_search(choose_greedily),
    "uct1024": _with_search(UCT_1024),
}


def choose(
    position: Position, seat: int, level: str, rng: random.Random, budget: Budget | None = None
) -> Place | Refill:
    """Return the action of a bot of this level, which plays `seat`.

    `position` is a `Position.public()`: a bot knows no more of the draw pile than a player does. The same
    state of `rng` leads to the same action, unless a limit in seconds ends the search; `budget.rollouts`
    removes that limit. The search releases Python's global lock. Raises KeyError for an unknown level, and
    ValueError if it is not the turn of `seat`.
    """
    choose_action = LEVELS[level] if level in LEVELS else REFERENCES[level]
    if position.to_move != seat:
        raise ValueError(f"It is not the turn of seat {seat}.")
    try:
        return choose_action(position, rng, budget)
    except TooLarge:
        return choose_greedily(position, rng)


def estimates(
    position: Position, seat: int, rng: random.Random, budget: Budget | None = None
) -> list[Estimate]:
    """Return the expert's estimates of the actions that it visited, best first.

    A forced refill is the only action in the list.

    Raises ValueError if it is not the turn of `seat`, and TooLarge (a ValueError) if a display does not fit
    on the search's grid.
    """
    if position.to_move != seat:
        raise ValueError(f"It is not the turn of seat {seat}.")
    return estimate_actions(position, rng, EXPERT.with_budget(budget))


def evaluate(position: Position, seat: int, rng: random.Random, budget: Budget | None = None) -> Worth:
    """Return the expert's estimate of a position for `seat`, which need not be the seat to move.

    If the game is over, this is its result. Raises TooLarge as `estimates` does.
    """
    return evaluate_position(position, seat, rng, EVALUATION.with_budget(budget))


def evaluate_shortly(position: Position, rng: random.Random) -> Sequence[Worth]:
    """Return an estimate of a position for each seat, by one of the many short searches that count luck.

    Near the end of a game with others, single turns decide more and games that are played on are shorter. So
    the fewer discs a player has left, the more of them are played. Raises TooLarge as `estimates` does.
    """
    effort = SHORT
    if isinstance(position, MultiplayerPosition) and not position.over:
        effort = SHORT._replace(rollouts=SHORT.rollouts * MOST_DISCS // max(1, min(position.discs)))
    return evaluate_for_all(position, rng, effort)


def expected_line(
    position: Position, length: int, rng: random.Random, budget: Budget | None = None
) -> list[Place | Refill]:
    """Return the next actions that the expert expects of all seats, at most `length`, up to the next refill.

    Raises TooLarge as `estimates` does.
    """
    return expect_line(position, rng, LINES.with_budget(budget), length)


def warm_up() -> None:
    """Load the search from numba's cache on disk. The first call compiles it."""
    for _share in warm_up_in_steps():
        pass


def warm_up_in_steps() -> Iterator[float]:
    """Do the work of `warm_up`, and yield after some steps the share of it that is done, if it compiles."""
    rng = random.Random(0)
    for mode, seats, discs in ((Mode.MULTIPLAYER, 2, MOST_DISCS), (Mode.SOLO, 1, SOLO_DISCS)):
        position = start(Setup(mode, seats, discs, tuple(range(seats)), tuple(TILES)))
        for turn in range(2):  # The second turn runs the code for a display that already has a tile.
            assert position.to_move is not None
            for level in LEVELS:
                action = choose(position.public(), position.to_move, level, rng, Budget(rollouts=1))
                if (mode, turn, level) in SHARES_COMPILED:
                    yield SHARES_COMPILED[mode, turn, level]
            position = position.apply(action).position
