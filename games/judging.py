"""What the expert thinks of one action of a game that is over: what was best, and how much was given away."""

import random
from dataclasses import dataclass, replace

from games.bots import Budget, TooLarge, estimates, value
from games.engine import TILES, Action, Place, Position, Refill, RefillRule, SoloPosition

# Counted in rollouts, not in seconds, so that a review says the same on a slow machine.
WITH_OTHERS = Budget(rollouts=3_000)
ALONE = Budget(rollouts=15_000)

# An action that the search looked at less often than this is searched by itself.
ENOUGH_VISITS = 400
# A refill is as good as the tiles that might have come, not as those that came: so many decks are tried.
DECKS = 6

# Smaller differences are chance, not choice: in chances to win, and in points.
ALIKE = 0.02
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
    budget = ALONE if isinstance(position, SoloPosition) else WITH_OTHERS
    try:
        return _judged(position, action, rng, budget)
    except TooLarge:
        return Judgement()


def _judged(position: Position, action: Place | Refill, rng: random.Random, budget: Budget) -> Judgement:
    seen = estimates(position, action.seat, rng, budget)
    best = seen[0]
    if action == best.action or position.refill is RefillRule.FORCED:
        return Judgement(action, best.value, 0.0)
    own = next((one for one in seen if one.action == action), None)
    if own is not None and (own.visits >= ENOUGH_VISITS or isinstance(position, SoloPosition)):
        lost = best.value - own.value
    else:
        # Like is compared with like: the position after the one action and after the other.
        lost = _after(position, best.action, rng, budget) - _after(position, action, rng, budget)
    if isinstance(position, SoloPosition):
        lost = -lost
    alike = ALIKE_ALONE if isinstance(position, SoloPosition) else ALIKE
    if lost < alike:
        return Judgement(action, best.value, 0.0)
    return Judgement(best.action, best.value, min(lost, best.value))


def _after(position: Position, action: Place | Refill, rng: random.Random, budget: Budget) -> float:
    """Return what the position after an action is worth to its seat, whatever tiles a refill may bring."""
    if isinstance(action, Place):
        return value(position.apply(action).position, action.seat, rng, budget)
    assert budget.rollouts is not None
    share = Budget(rollouts=budget.rollouts // DECKS)
    return (
        sum(
            value(_with_a_deck(position, rng).apply(action).position.public(), action.seat, rng, share)
            for _deck in range(DECKS)
        )
        / DECKS
    )


def _with_a_deck(position: Position, rng: random.Random) -> Position:
    """Return the position with the tiles that nobody has seen in an order drawn by chance."""
    seen = position.setup.deck[: position.revealed]
    hidden = [code for code in TILES if code not in seen]
    rng.shuffle(hidden)
    return replace(position, setup=replace(position.setup, deck=(*seen, *hidden)))
