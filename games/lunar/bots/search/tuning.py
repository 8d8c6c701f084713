"""Tune the weights of open cards by the cross-entropy method, in rounds against the best weights so far.

    python -m games.lunar.bots.search.tuning --seats 4

Each generation draws a population of weights around a mean. All of them play the same deals on both sides,
with open cards, and the best ones determine the next mean and spread.
"""

import argparse
import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from games.compiled.functions import new_random_state
from games.lunar.bots.search.race import table_of_points
from games.lunar.bots.search.rounds import new_room, play_rounds
from games.lunar.bots.search.stakes import new_stakes
from games.lunar.bots.search.state import deck_of
from games.lunar.bots.search.weights import OPEN_WEIGHTS, open_weights_for, weights_for

HOUSE_POINTS = (5, 10, 10, 10, 2, 3, 5, 10, 10, 0, 0, 0, 0)
POPULATION = 32
ELITE = 8
FIRST_SPREAD = 0.15
LEAST_SPREAD = 0.03
SMOOTHING = 0.7  # how much of a new mean and spread counts


class Generation(NamedTuple):
    """The mean of the weights after a generation, and its lead over the weights before all of them."""

    number: int
    mean: Any
    lead: float


def tune(seats: int, generations: int, rounds: int, seed: int) -> Iterator[Generation]:
    """Yield generations; in each, every weights of the population play this many deals on both sides."""
    rng = np.random.default_rng(seed)
    first = open_weights_for(seats)
    mean, spread = first.copy(), np.full(OPEN_WEIGHTS, FIRST_SPREAD)
    opponent = first
    for number in range(generations):
        population = mean + spread * rng.standard_normal((POPULATION, OPEN_WEIGHTS))
        leads = [_lead(seats, own, opponent, rounds, seed + number) for own in population]
        best = population[np.argsort(leads)[-ELITE:]]
        mean = SMOOTHING * best.mean(axis=0) + (1 - SMOOTHING) * mean
        spread = np.maximum(LEAST_SPREAD, SMOOTHING * best.std(axis=0) + (1 - SMOOTHING) * spread)
        if _lead(seats, mean, opponent, 4 * rounds, seed - 1 - number) > 0:
            opponent = mean
        yield Generation(number, mean, _lead(seats, mean, first, 4 * rounds, seed - 1))


def _lead(seats: int, own: Any, other: Any, rounds: int, seed: int) -> float:
    """Return by how many points a round the first weights lead, on deals that both play on either side."""
    table = table_of_points(HOUSE_POINTS)
    both, found, lead = (
        (new_stakes(table, own), new_stakes(table, other)),
        np.zeros((rounds, 2), np.int64),
        0.0,
    )
    for side in (0, 1):
        players, random = (both[side], both[1 - side]), new_random_state(seed)
        deck = deck_of("suits")
        play_rounds(deck, seats, table.points, *players, weights_for(seats), random, new_room(), found)
        lead += float((found[:, side] - found[:, 1 - side]).mean()) / 2
    return lead


def main() -> None:
    """Print the generations that the command line asks for."""
    parser = argparse.ArgumentParser(description="Tune the weights of open cards.")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--generations", type=int, default=18)
    parser.add_argument("--rounds", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for one in tune(options.seats, options.generations, options.rounds, options.seed):
        numbers = ", ".join(f"{weight:.2f}" for weight in one.mean)
        sys.stdout.write(f"{one.number}: {one.lead:+.2f} points a round\n    {numbers}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
