"""What the expert thinks of one action of a game that is over: what was best, and how much was given away."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from games.bots import Budget, Estimate, TooLarge, estimates, value
from games.engine import TILES, Action, Place, Position, Refill, RefillRule, SoloPosition

# Counted in rollouts, not in seconds, so that a review says the same on a slow machine.
WITH_OTHERS = Budget(rollouts=3_000)
ALONE = Budget(rollouts=15_000)
# What looks like a mistake then is looked at again.
AGAIN = Budget(rollouts=8_000)

# What the search looked at less often than this has an estimate that says little.
ENOUGH_VISITS = 400

# Smaller differences are chance, not choice: in chances to win, and in points.
ALIKE = 0.05
ALIKE_ALONE = 1.0


@dataclass(frozen=True)
class Judgement:
    """What an action was worth beside the best one.

    `value` is the best action's: the chance of the seat to win, from 0 to 1; alone, the score to expect.
    `lost` is how much of it was given away, never negative. Both are None where the search gives no estimate,
    and for what is no choice of a turn.
    """

    best: Place | Refill | None = None
    value: float | None = None
    lost: float | None = None


def judge(position: Position, action: Action, rng: random.Random) -> Judgement:
    """Return what `action` gave away in `position`, which holds no undrawn tile."""
    if not isinstance(action, Place | Refill):
        return Judgement()
    judged = _judged_alone if isinstance(position, SoloPosition) else _judged_with_others
    try:
        return judged(position, action, rng)
    except TooLarge:
        return Judgement()


def _judged_alone(position: Position, action: Place | Refill, rng: random.Random) -> Judgement:
    seen = estimates(position, action.seat, rng, ALONE)
    best, own = seen[0], _of(seen, action)
    if own:
        lost = own.value - best.value
    else:
        lost = _after(position, action, rng, ALONE) - _after(position, best.action, rng, ALONE)
    if lost < ALIKE_ALONE:
        return Judgement(action, best.value, 0.0)
    return Judgement(best.action, best.value, lost)


def _judged_with_others(position: Position, action: Place | Refill, rng: random.Random) -> Judgement:
    seen = estimates(position, action.seat, rng, WITH_OTHERS)
    best, own = seen[0], _of(seen, action)
    if action == best.action or position.refill is RefillRule.FORCED:
        return Judgement(action, best.value, 0.0)
    if own and own.visits >= ENOUGH_VISITS and best.value - own.value < ALIKE:
        return Judgement(action, best.value, 0.0)
    ours, theirs = _again(position, best.action, action, rng)
    if ours - theirs < ALIKE:
        return Judgement(action, max(ours, theirs), 0.0)
    return Judgement(best.action, ours, ours - theirs)


def _again(
    position: Position, best: Place | Refill, action: Place | Refill, rng: random.Random
) -> tuple[float, float]:
    """Return what two actions are worth by a second look, for the best of many seems too good by chance.

    A refill is worth what the search of the position before it says, which averages over the tiles that may
    come; so is what it is compared with.
    """
    if isinstance(best, Place) and isinstance(action, Place):
        return _after(position, best, rng, AGAIN), _after(position, action, rng, AGAIN)
    seen = estimates(position, action.seat, rng, AGAIN)
    ours, theirs = (_of(seen, one) for one in (best, action))
    return (
        ours.value if ours else _after(position, best, rng, AGAIN),
        theirs.value if theirs else _after(position, action, rng, AGAIN),
    )


def _of(seen: Sequence[Estimate], action: Place | Refill) -> Estimate | None:
    return next((one for one in seen if one.action == action), None)


def _after(position: Position, action: Place | Refill, rng: random.Random, budget: Budget) -> float:
    """Return what the position after an action is worth to its seat, whatever tiles a refill may bring."""
    if isinstance(action, Refill):
        position = _with_a_deck(position, rng)
    return value(position.apply(action).position.public(), action.seat, rng, budget)


def _with_a_deck(position: Position, rng: random.Random) -> Position:
    """Return the position with the tiles that nobody has seen in an order drawn by chance."""
    seen = position.setup.deck[: position.revealed]
    hidden = [code for code in TILES if code not in seen]
    rng.shuffle(hidden)
    return replace(position, setup=replace(position.setup, deck=(*seen, *hidden)))
