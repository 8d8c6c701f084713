"""Bots without a search, in plain Python: opponents to measure others by, and a fallback."""

import random

from games.novaluna.bots.gains import find_gains
from games.novaluna.engine import Place, Position, Refill, RefillRule, SoloPosition


def choose_at_random(position: Position, rng: random.Random) -> Place | Refill:
    """Return any legal action."""
    return rng.choice(list(position.legal_actions))


def choose_greedily(position: Position, rng: random.Random) -> Place | Refill:
    """Return the action that completes the most goals, at the lowest cost, with the most dots supplied.

    Refills if that is forced, or if no tile in reach completes a goal.
    """
    assert position.to_move is not None
    refill = Refill(position.to_move)
    if position.refill is RefillRule.FORCED:
        return refill
    options = find_gains(position)
    best = max((gain.goals, -gain.cost, gain.supplied) for gain in options)
    # In a solo game, the first phase should end as soon as its discs are placed, because its time counts
    # twice.
    is_solo = isinstance(position, SoloPosition)
    if position.refill is RefillRule.ALLOWED and (best[0] == 0 or is_solo):
        return refill
    return rng.choice([gain for gain in options if (gain.goals, -gain.cost, gain.supplied) == best]).action
