"""Tune the policy's weights by the cross-entropy method, in games against the best weights so far.

Each generation draws a population of weights around a mean. All of them play the same deals on every seat,
and the best ones determine the next mean and spread. In solo games, the score counts.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from games.compiled.functions import compiled, new_random_state
from games.novaluna.bots.search.policy import Places, Policy, new_places, play_out, play_turn
from games.novaluna.bots.search.reading import read
from games.novaluna.bots.search.state import (
    DISCS,
    NO_TILE,
    ON_WHEEL,
    OVER,
    PHASE,
    PILE,
    PILE_COUNT,
    SEATS,
    SPACES,
    WHEEL,
    State,
    copy,
    leader,
    score,
    shuffle_pile,
    to_move,
)
from games.novaluna.engine import MOST_DISCS, SOLO_DISCS, TILES, Mode, Setup, start

DISC_WEIGHT = 0.01  # worth of one disc of difference, where a won game is worth 1
LEARNING_RATE = 0.7  # how far a generation moves towards the mean and spread of its best


@compiled
def deal_tiles(undealt: State, to: State, random: Any) -> None:
    """Write the start of a game with shuffled tiles to `to`; in `undealt`, all tiles are in the pile."""
    copy(undealt, to)
    n = to.n
    shuffle_pile(to, random)
    for space in range(1, SPACES):
        n[PILE_COUNT] -= 1
        n[WHEEL + space] = n[PILE + n[PILE_COUNT]]
    n[ON_WHEEL] = SPACES - 1


@compiled
def play_against(
    undealt: State, games: int, policy: Policy, others: Policy, places: Places, random: Any
) -> tuple[float, float]:
    """Play each deal once for every seat, with one policy on that seat and another on the rest.

    Returns the share of games won, and the mean difference in discs to the best of the others.
    """
    start = State(undealt.n.copy(), undealt.g.copy(), undealt.m.copy())
    s = State(undealt.n.copy(), undealt.g.copy(), undealt.m.copy())
    seats = undealt.n[SEATS]
    wins = 0
    margin = 0.0
    for _ in range(games):
        deal_tiles(undealt, start, random)
        for mine in range(seats):
            copy(start, s)
            while not s.n[OVER]:
                if to_move(s) == mine:
                    play_turn(s, policy, places, random)
                else:
                    play_turn(s, others, places, random)
            wins += leader(s) == mine
            best = 99
            for seat in range(seats):
                if seat != mine:
                    best = min(best, s.n[DISCS + seat])
            margin += best - s.n[DISCS + mine]
    return wins / (games * seats), margin / (games * seats)


@compiled
def play_solo(
    undealt: State, games: int, first: Policy, second: Policy, places: Places, random: Any
) -> float:
    """Play solo games with a policy for each phase; return the mean score."""
    s = State(undealt.n.copy(), undealt.g.copy(), undealt.m.copy())
    total = 0
    for _ in range(games):
        deal_tiles(undealt, s, random)
        while s.n[PHASE] == 1:
            play_turn(s, first, places, random)
        play_out(s, second, places, random)
        total += score(s)
    return total / games


def undealt_start(seats: int) -> State:
    """Return the start of a game with all tiles in the draw pile."""
    mode, discs = (Mode.SOLO, SOLO_DISCS) if seats == 1 else (Mode.MULTIPLAYER, MOST_DISCS)
    state = read(start(Setup(mode, seats, discs, tuple(range(seats)), tuple(TILES)))).state
    n = state.n
    n[WHEEL : WHEEL + SPACES] = NO_TILE
    n[ON_WHEEL] = 0
    n[PILE_COUNT] = len(TILES)
    n[PILE : PILE + len(TILES)] = range(len(TILES))
    return state


class Plan(NamedTuple):
    """The size of a tuning run."""

    generations: int = 40
    population: int = 48
    games: int = 250  # deals that each candidate plays in a generation
    seed: int = 1


Fitness = Callable[[Policy, int], float]  # of a policy and a seed; more is better


def fitness_against(best: Policy, seats: int, games: int) -> Fitness:
    """Return a function that measures a policy against the best so far, on the deals of a seed."""
    undealt, places = undealt_start(seats), new_places()

    def fitness(policy: Policy, seed: int) -> float:
        won, margin = play_against(undealt, games, policy, best, places, new_random_state(seed))
        return won + DISC_WEIGHT * margin

    return fitness


def solo_fitness(kind: str, other: Policy, games: int) -> Fitness:
    """Return a function that measures a policy for one phase by its solo scores.

    `other` plays the other phase.
    """
    undealt, places = undealt_start(1), new_places()

    def fitness(policy: Policy, seed: int) -> float:
        phases = (policy, other) if kind == "phase 1" else (other, policy)
        return -play_solo(undealt, games, *phases, places, new_random_state(seed))

    return fitness


def tune(kind: str, initial: Sequence[float], other: Policy | None, plan: Plan) -> Iterator[list[float]]:
    """Yield the mean weights of each generation, for a policy of `kind`, starting from the initial weights.

    `other` is the policy of the other phase, for solo games only. The same plan yields the same weights.
    """
    numbers = np.random.default_rng(plan.seed)
    mean = np.array(initial, float)
    best = mean.copy()
    spread = np.maximum(0.5 * np.abs(mean), 0.1)
    for generation in range(plan.generations):
        if other is None:
            fitness = fitness_against(Policy.from_weights(best), int(kind), plan.games)
        else:
            fitness = solo_fitness(kind, other, plan.games)
        candidates = numbers.normal(mean, spread, (plan.population, len(mean)))
        candidates[0] = mean
        seed = 1000 * plan.seed + generation
        values = np.array([fitness(Policy.from_weights(candidate), seed) for candidate in candidates])
        chosen = candidates[np.argsort(-values)[: max(4, plan.population // 8)]]
        mean = (1 - LEARNING_RATE) * mean + LEARNING_RATE * chosen.mean(0)
        spread = (1 - LEARNING_RATE) * spread + LEARNING_RATE * chosen.std(0)
        if generation < 0.7 * plan.generations:  # prevents premature convergence
            spread += 0.01 * np.maximum(np.abs(mean), 0.05)
        if generation % 3 == 2:
            best = mean.copy()
        yield [float(weight) for weight in mean]
