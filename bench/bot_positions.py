"""Positions to measure bots on. They are from games of medium bots, and are the same in every run."""

import random
from collections.abc import Iterator

import novaluna_site.settings  # noqa: F401 - configures numba, which must be imported later
from games.novaluna.bots.face import choose
from games.novaluna.engine import Position, start
from tests.novaluna.engine.games import deal

SEED = 1_000_000


def positions(seats: int, seed: int) -> Iterator[Position]:
    """Yield an endless series of positions in which the seat to move has a choice."""
    while True:
        rng, position = random.Random(seed), start(deal(seats, seed))
        while position.to_move is not None:
            if position.wheel.tile_count and rng.random() < 0.25:
                yield position
            action = choose(position.public(), position.to_move, "medium", rng)
            position = position.apply(action).position
        seed += 1
