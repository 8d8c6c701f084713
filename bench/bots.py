"""Whether the bots' search is right, how fast it is, and how long a move takes: `python -m bench.bots`.

Thousands of random games are compared with the rules' engine, action by action. How fast the core is, is told
by the ratio to that engine in the same run. Moves are measured by processor time; what fresh processes and
two experts at a time take is for `bench.bot_starts` and `bench.bot_processes`, which run at the end.
"""

import random
import time
from collections.abc import Callable

import numpy as np

from bench import bot_processes, bot_starts
from bench.bot_positions import SEED, positions
from games.bots import LEVELS, choose, warm_up
from games.bots.search.compiled import seeded
from games.bots.search.policy import new_places, play_out
from games.bots.search.state import copy, shuffle_pile
from games.bots.search.tuning import blank_deal
from games.bots.search.tuning import deal as deal_in_core
from games.bots.search.weights import policy_named
from games.engine import start
from tests.bots.core import as_core_tells, as_engine_tells, play_both
from tests.engine.games import deal

GAMES = 500  # that are compared, of each number of players
PLAYOUTS = 4000
ENGINE_GAMES = 40
MOVES = 12  # that are timed, of each level and number of players


def compare() -> None:
    """Play random games in the core and in the engine; stop at the first difference."""
    games = actions = 0
    for seats in (1, 2, 3, 4):
        for seed in range(SEED, SEED + GAMES):
            resigning = 0.02 if seed % 5 == 0 else 0.0
            for position, reading in play_both(deal(seats, seed), random.Random(seed), resigning):
                told, truth = as_core_tells(reading, position), as_engine_tells(position)
                if told != truth:
                    raise SystemExit(f"{seats} players, seed {seed}: {told}\nbut the engine: {truth}")
                actions += 1
            games += 1
    print(f"{games} games of 1 to 4 players, {actions} positions: core and engine agree.")


def rate(work: Callable[[int], None], games: int) -> float:
    """Return how many games a second it gets through."""
    began = time.process_time()
    work(games)
    return games / (time.process_time() - began)


def play_in_core(games: int) -> None:
    """Play two-player games by the policy."""
    blank, random_numbers, places, policy = blank_deal(2), seeded(1), new_places(), policy_named("2")
    game, begin = blank_deal(2), blank_deal(2)
    deal_in_core(blank, begin, random_numbers)
    for _ in range(games):
        copy(begin, game)
        shuffle_pile(game, random_numbers)
        play_out(game, policy, places, random_numbers)


def play_in_engine(games: int) -> None:
    """Play two-player games at random."""
    for seed in range(games):
        rng, position = random.Random(seed), start(deal(2, seed))
        while not position.over:
            position = position.apply(rng.choice(list(position.legal_actions))).position


def times_of(level: str, seats: int) -> list[float]:
    """Return the milliseconds that the level's moves took of the processor."""
    taken = []
    for position, _number in zip(positions(seats, SEED), range(MOVES), strict=False):
        assert position.to_move is not None
        began = time.thread_time()
        choose(position.public(), position.to_move, level, random.Random(1))
        taken.append((time.thread_time() - began) * 1000)
    return taken


def main() -> None:
    """Print what was found."""
    warm_up()
    compare()
    fast, slow = rate(play_in_core, PLAYOUTS), rate(play_in_engine, ENGINE_GAMES)
    print(f"Games of two a second: {fast:.0f} by the policy, {fast / slow:.0f} times the engine's at random.")
    print(f"{'ms of processor time a move':<28}{'players':>8}{'mean':>8}{'worst':>8}")
    for level in LEVELS:
        for seats in (1, 2, 3, 4):
            taken = times_of(level, seats)
            print(f"{level:<28}{seats:>8}{np.mean(taken):>8.1f}{max(taken):>8.1f}")
    bot_starts.main()
    bot_processes.main()


if __name__ == "__main__":
    main()
