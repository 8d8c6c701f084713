"""Bots: given what a seat may know of a position, each level chooses an action."""

import random
from collections.abc import Callable, Mapping

from games.bots import easy, medium
from games.engine import Place, Position, Refill

Level = Callable[[Position, int, random.Random], Place | Refill]

# From the weakest to the strongest.
LEVELS: Mapping[str, Level] = {"easy": easy.choose, "medium": medium.choose}


def choose(position: Position, seat: int, level: str, rng: random.Random) -> Place | Refill:
    """Return what a bot of this level does with the turn of `seat`; the same for the same state of `rng`.

    `position` is `Position.public()`: a bot knows no more of the draw pile than a player. Raises KeyError for
    an unknown level, ValueError where it is not the turn of `seat`.
    """
    if position.to_move != seat:
        raise ValueError(f"It is not the turn of seat {seat}.")
    return LEVELS[level](position, seat, rng)


__all__ = ["LEVELS", "choose"]
