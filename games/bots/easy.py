"""A beginner: often sees a goal that can be completed at once, and otherwise plays on a whim."""

import random

from games.bots.gains import gains
from games.engine import Place, Position, Refill, RefillRule

SEES_IT = 0.6


def choose(position: Position, seat: int, rng: random.Random) -> Place | Refill:
    """Take a tile that completes goals where one is seen, else any in reach; refill only when forced."""
    if position.refill is RefillRule.FORCED:
        return Refill(seat)
    options = gains(position)
    if rng.random() < SEES_IT:
        best = max(gain.goals for gain in options)
        options = [gain for gain in options if gain.goals == best]
    return rng.choice(options).action
