"""Tuning the policy's weights by the cross-entropy method, in games against the best weights so far.

Of a population drawn around a mean, each plays the same deals in every seat; the best of them make the next
mean and spread. Alone, the score counts.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from games.bots.search.compiled import compiled, seeded
from games.bots.search.policy import Places, Policy, new_places, play_out, play_turn
from games.bots.search.reading import read
from games.bots.search.state import (
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
from games.engine import MOST_DISCS, SOLO_DISCS, TILES, Mode, Setup, start

MARGIN = 0.01  # what a disc of difference is worth beside a won game
HASTE = 0.7  # how far a generation moves towards its best


@compiled
def deal(blank: State, to: State, random: Any) -> None:
    """Make `to` the start of a game on shuffled tiles; `blank` is such a start with all tiles in the pile."""
    copy(blank, to)
    n = to.n
    shuffle_pile(to, random)
    for space in range(1, SPACES):
        n[PILE_COUNT] -= 1
        n[WHEEL + space] = n[PILE + n[PILE_COUNT]]
    n[ON_WHEEL] = SPACES - 1


@compiled
def versus(
    blank: State, games: int, policy: Policy, others: Policy, places: Places, random: Any
) -> tuple[float, float]:
    """Play each of so many deals with a policy in every seat in turn, and another in the rest.

    Returns the share of games won, and the mean difference in discs to the best of the others.
    """
    start = State(blank.n.copy(), blank.g.copy(), blank.m.copy())
    s = State(blank.n.copy(), blank.g.copy(), blank.m.copy())
    seats = blank.n[SEATS]
    wins = 0
    margin = 0.0
    for _ in range(games):
        deal(blank, start, random)
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
def alone(blank: State, games: int, first: Policy, second: Policy, places: Places, random: Any) -> float:
    """Play solo games by a policy for each phase; return the mean score."""
    s = State(blank.n.copy(), blank.g.copy(), blank.m.copy())
    total = 0
    for _ in range(games):
        deal(blank, s, random)
        while s.n[PHASE] == 1:
            play_turn(s, first, places, random)
        play_out(s, second, places, random)
        total += score(s)
    return total / games


def blank_deal(seats: int) -> State:
    """Return the start of a game for so many seats with all tiles in the pile."""
    mode, discs = (Mode.SOLO, SOLO_DISCS) if seats == 1 else (Mode.MULTIPLAYER, MOST_DISCS)
    state = read(start(Setup(mode, seats, discs, tuple(range(seats)), tuple(TILES)))).state
    n = state.n
    n[WHEEL : WHEEL + SPACES] = NO_TILE
    n[ON_WHEEL] = 0
    n[PILE_COUNT] = len(TILES)
    n[PILE : PILE + len(TILES)] = range(len(TILES))
    return state


class Plan(NamedTuple):
    """How much is tried."""

    generations: int = 40
    population: int = 48
    games: int = 250  # deals that each plays in a generation
    seed: int = 1


Fitness = Callable[[Policy, int], float]


def fitness_against(best: Policy, seats: int, games: int) -> Fitness:
    """Return how well a policy does against the best so far, on the deals of a seed."""
    blank, places = blank_deal(seats), new_places()

    def fitness(policy: Policy, seed: int) -> float:
        won, margin = versus(blank, games, policy, best, places, seeded(seed))
        return won + MARGIN * margin

    return fitness


def fitness_alone(kind: str, other: Policy, games: int) -> Fitness:
    """Return how low a policy for one phase scores with another in the other phase."""
    blank, places = blank_deal(1), new_places()

    def fitness(policy: Policy, seed: int) -> float:
        phases = (policy, other) if kind == "phase 1" else (other, policy)
        return -alone(blank, games, *phases, places, seeded(seed))

    return fitness


def tune(kind: str, begin: Sequence[float], other: Policy | None, plan: Plan) -> Iterator[list[float]]:
    """Yield the mean of each generation: for `kind` of policy, from weights to begin with.

    `other` is the policy of the other phase, alone. The same plan yields the same weights.
    """
    numbers = np.random.default_rng(plan.seed)
    mean = np.array(begin, float)
    best = mean.copy()
    spread = np.maximum(0.5 * np.abs(mean), 0.1)
    for generation in range(plan.generations):
        if other is None:
            fitness = fitness_against(Policy.of(best), int(kind), plan.games)
        else:
            fitness = fitness_alone(kind, other, plan.games)
        candidates = numbers.normal(mean, spread, (plan.population, len(mean)))
        candidates[0] = mean
        seed = 1000 * plan.seed + generation
        values = np.array([fitness(Policy.of(candidate), seed) for candidate in candidates])
        chosen = candidates[np.argsort(-values)[: max(4, plan.population // 8)]]
        mean = (1 - HASTE) * mean + HASTE * chosen.mean(0)
        spread = (1 - HASTE) * spread + HASTE * chosen.std(0)
        if generation < 0.7 * plan.generations:  # keeps it from settling too soon
            spread += 0.01 * np.maximum(np.abs(mean), 0.05)
        if generation % 3 == 2:
            best = mean.copy()
        yield [float(weight) for weight in mean]
