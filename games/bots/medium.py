"""A steady player: completes the most goals it can, then takes the cheapest tile, where it promises most."""

import random

from games.bots.gains import gains
from games.engine import Place, Position, Refill, RefillRule, SoloPosition


def choose(position: Position, seat: int, rng: random.Random) -> Place | Refill:
    """Play the best gain at once; refill when forced, or when nothing in reach completes a goal."""
    if position.refill is RefillRule.FORCED:
        return Refill(seat)
    options = gains(position)
    best = max((gain.goals, -gain.cost, gain.promise) for gain in options)
    # Alone, the first phase is worth ending as soon as its discs are placed: its time counts twice.
    solo_phase_done = isinstance(position, SoloPosition)
    if position.refill is RefillRule.ALLOWED and (best[0] == 0 or solo_phase_done):
        return Refill(seat)
    return rng.choice([gain for gain in options if (gain.goals, -gain.cost, gain.promise) == best]).action
