"""Judge the turns of the trainer: what each action is worth, by four times the expert's usual search."""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from games.compiled.time_limit import part_of_time
from games.novaluna.bots.judging import ENOUGH_VISITS, line_after, with_random_deck
from games.novaluna.bots.levels import EVALUATION, EXPERT
from games.novaluna.bots.thinking import Estimate, estimate_actions, evaluate_position
from games.novaluna.bots.worth import Worth
from games.novaluna.engine import Place, Position, Refill, SoloPosition
from games.titles.bots import Budget

DEPTH = 4  # times the expert's usual search
DEEP = EVALUATION._replace(
    rollouts=DEPTH * EXPERT.rollouts,
    seconds=DEPTH * EXPERT.seconds,
    solo=EXPERT.solo._replace(phase_2_width=DEPTH * EXPERT.solo.phase_2_width),
    refill_trials=DEPTH * EXPERT.refill_trials,
)
# Two actions that are compared by searches of their own share the budget.
HALF = Budget(seconds=DEEP.seconds / 2, rollouts=DEEP.rollouts // 2)
DECKS = 8  # random refills over which the worth of a refill is averaged
# The share of the time by the clock for the second of two searches. The line after it gets the rest.
NEARLY_ALL = 0.9


@dataclass(frozen=True)
class Comparison:
    """What the actions of a position are worth to the seat to move.

    `worths` has the best action first, and only actions that the search has looked at often enough. `line`
    has the actions that the expert expects after the best one, up to the next refill.
    """

    worths: Sequence[tuple[Place | Refill, Worth]]
    line: Sequence[Place | Refill]


def compare(position: Position, played: Place | Refill, rng: random.Random) -> Comparison:
    """Return what the actions of a position are worth, `played` among them.

    `position` must not contain undrawn tiles. Raises TooLarge if a display does not fit on the search's grid.
    """
    with part_of_time(1 / 2):
        found = estimate_actions(position, rng, DEEP)
    best = found[0]
    worths = [(one.action, one.worth) for one in found if one is best or _is_sure(one, position)]
    if played not in dict(worths):
        worths.append((played, worth_beside(position, best.action, best.worth, played, rng)))
    return Comparison(worths, line_after(position, best.action, rng))


def worth_beside(
    position: Position, best: Place | Refill, worth: Worth, action: Place | Refill, rng: random.Random
) -> Worth:
    """Return what an action is worth that the search has hardly visited, on the scale of the best one.

    Searches of different positions differ a little, so the best action gets a search of its own too. Raises
    TooLarge as `compare` does.
    """
    better = worth
    with part_of_time(1 / 2):
        own = _worth_after(position, action, rng)
    if isinstance(best, Place) and isinstance(action, Place):
        with part_of_time(NEARLY_ALL):
            better = _worth_after(position, best, rng)
    return type(worth)(worth.value - worth.SIGN * better.loss_with(own).value)


def _is_sure(estimate: Estimate, position: Position) -> bool:
    is_whole = isinstance(position, SoloPosition) or isinstance(estimate.action, Refill)
    return is_whole or estimate.visits >= ENOUGH_VISITS


def _worth_after(position: Position, action: Place | Refill, rng: random.Random) -> Worth:
    """Return what the position after an action is worth to its seat; for a refill, the mean of several."""
    effort = DEEP.with_budget(HALF)
    if isinstance(action, Place):
        return evaluate_position(position.apply(action).position.public(), action.seat, rng, effort)
    effort = DEEP.with_budget(Budget(effort.seconds / DECKS, math.ceil(effort.rollouts / DECKS)))
    worths = []
    for left in range(DECKS, 0, -1):
        after = with_random_deck(position, rng).apply(action).position.public()
        with part_of_time(1 / left):
            worths.append(evaluate_position(after, action.seat, rng, effort))
    return type(worths[0])(sum(worth.value for worth in worths) / DECKS)
