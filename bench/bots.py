"""Check that the bots' search is correct, and measure its speed: `python -m bench.bots`.

Thousands of random games are compared with the rules' engine, action by action. The speed of the search's
core is given as a ratio to that engine in the same run. The time of actions is processor time. At the end,
`bench.bot_starts` and `bench.bot_processes` measure new processes, and two experts that think at the same
time.
"""

import random
import time
from collections.abc import Callable

import numpy as np

from bench import bot_processes, bot_starts
from bench.bot_positions import SEED, positions
from games.compiled.functions import new_random_state
from games.novaluna.bots.face import LEVELS, choose, warm_up
from games.novaluna.bots.search.policy import new_places, play_out
from games.novaluna.bots.search.state import copy, shuffle_pile
from games.novaluna.bots.search.tuning import deal_tiles, undealt_start
from games.novaluna.bots.search.weights import policy_named
from games.novaluna.engine import start
from tests.novaluna.bots.core import facts_from_core, facts_from_engine, play_both
from tests.novaluna.engine.games import deal

GAMES = 500  # compared, for each number of players
PLAYOUTS = 4000
ENGINE_GAMES = 40
ACTIONS = 12  # measured, for each level and number of players


def compare() -> None:
    """Play random games in the core and in the engine; stop at the first difference."""
    games = actions = 0
    for seats in (1, 2, 3, 4):
        for seed in range(SEED, SEED + GAMES):
            resign_chance = 0.02 if seed % 5 == 0 else 0.0
            for position, reading in play_both(deal(seats, seed), random.Random(seed), resign_chance):
                found, expected = facts_from_core(reading, position), facts_from_engine(position)
                if found != expected:
                    raise SystemExit(f"{seats} players, seed {seed}: {found}\nbut the engine: {expected}")
                actions += 1
            games += 1
    print(f"{games} games of 1 to 4 players, {actions} positions: core and engine agree.")


def rate(work: Callable[[int], None], games: int) -> float:
    """Return how many games per second a function plays."""
    began = time.process_time()
    work(games)
    return games / (time.process_time() - began)


def play_in_core(games: int) -> None:
    """Play two-player games with the policy."""
    undealt, random_state, places, policy = (
        undealt_start(2),
        new_random_state(1),
        new_places(),
        policy_named("2"),
    )
    game, first = undealt_start(2), undealt_start(2)
    deal_tiles(undealt, first, random_state)
    for _ in range(games):
        copy(first, game)
        shuffle_pile(game, random_state)
        play_out(game, policy, places, random_state)


def play_in_engine(games: int) -> None:
    """Play two-player games at random."""
    for seed in range(games):
        rng, position = random.Random(seed), start(deal(2, seed))
        while not position.over:
            position = position.apply(rng.choice(list(position.legal_actions))).position


def times_of(level: str, seats: int) -> list[float]:
    """Return the processor time of each of a level's actions, in milliseconds."""
    taken = []
    for position, _number in zip(positions(seats, SEED), range(ACTIONS), strict=False):
        assert position.to_move is not None
        began = time.thread_time()
        choose(position.public(), position.to_move, level, random.Random(1))
        taken.append((time.thread_time() - began) * 1000)
    return taken


def main() -> None:
    """Print the figures."""
    warm_up()
    compare()
    fast, slow = rate(play_in_core, PLAYOUTS), rate(play_in_engine, ENGINE_GAMES)
    print(f"Two-player games per second, played by the policy in the core: {fast:.0f}")
    print(f"Ratio to random games in the engine: {fast / slow:.0f}")
    print(f"{'ms of processor time per action':<32}{'players':>8}{'mean':>8}{'worst':>8}")
    for level in LEVELS:
        for seats in (1, 2, 3, 4):
            taken = times_of(level, seats)
            print(f"{level:<32}{seats:>8}{np.mean(taken):>8.1f}{max(taken):>8.1f}")
    bot_starts.main()
    bot_processes.main()


if __name__ == "__main__":
    main()
