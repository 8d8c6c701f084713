"""Bots in plain Python that look one turn ahead: to measure by, and for when a search cannot help."""

import random

from games.bots.gains import gains
from games.engine import Place, Position, Refill, RefillRule, SoloPosition


def anything(position: Position, rng: random.Random) -> Place | Refill:
    """Play any legal action."""
    return rng.choice(list(position.legal_actions))


def greedy(position: Position, rng: random.Random) -> Place | Refill:
    """Complete the most goals, then take the cheapest tile, where it promises most.

    Refills when forced, or when nothing in reach completes a goal.
    """
    assert position.to_move is not None
    refill = Refill(position.to_move)
    if position.refill is RefillRule.FORCED:
        return refill
    options = gains(position)
    best = max((gain.goals, -gain.cost, gain.promise) for gain in options)
    # Alone, the first phase is worth ending as soon as its discs are placed: its time counts twice.
    solo_phase_done = isinstance(position, SoloPosition)
    if position.refill is RefillRule.ALLOWED and (best[0] == 0 or solo_phase_done):
        return refill
    return rng.choice([gain for gain in options if (gain.goals, -gain.cost, gain.promise) == best]).action
