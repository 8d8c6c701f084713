"""Measure how fast the engine is: `python -m bench.engine`.

The rates depend on the machine, so the bench also prints the ratio to a naive program that recomputes
everything after every action. Each rate is the best of several rounds, measured in processor time.
"""

import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from games.engine import read_record, replay, start
from tests.engine.games import deal
from tests.engine.naive import NaiveGame

ROUNDS = 5
GAMES = 60
NAIVE_GAMES = 3
RECORDS = Path(__file__).parents[1] / "tests" / "records"


def play_random_games(games: int) -> Iterator[int]:
    """Play random two-player games with the engine; yield the number of actions of each game."""
    for seed in range(games):
        rng, position, actions = random.Random(seed), start(deal(2, seed)), 0
        while not position.over:
            position = position.apply(rng.choice(list(position.legal_actions))).position
            actions += 1
        yield actions


def play_naive_games(games: int) -> Iterator[int]:
    """Play random two-player games with the naive program; yield the number of actions of each game."""
    for seed in range(games):
        rng, game, actions = random.Random(seed), NaiveGame(deal(2, seed)), 0
        while legal := game.legal():
            game.play(rng.choice(legal))
            actions += 1
        yield actions


def replay_records() -> Iterator[int]:
    """Read and replay the recorded games; yield the number of actions of each game."""
    for data in [path.read_bytes() for path in sorted(RECORDS.glob("*.json"))]:
        yield sum(1 for _step in replay(*read_record(data)))


def measure_rate(label: str, work: Callable[[], Iterator[int]], rounds: int = ROUNDS) -> float:
    """Return the games per second that `work` plays. Print them with the microseconds per action."""
    best = None
    for _round in range(rounds):
        start_time = time.process_time()
        lengths = list(work())
        seconds = time.process_time() - start_time
        best = min(best or seconds, seconds)
    assert best is not None
    per_action = best / sum(lengths) * 1e6
    print(f"{label:<32} {len(lengths) / best:8.1f} per second {per_action:8.1f} µs per action")
    return len(lengths) / best


def main() -> None:
    """Print the rates and their ratio."""
    engine = measure_rate("random two-player games", lambda: play_random_games(GAMES))
    naive = measure_rate("the same with the naive program", lambda: play_naive_games(NAIVE_GAMES))
    measure_rate("records read and replayed", replay_records)
    print(f"The engine plays {engine / naive:.1f} times as fast as the naive program.")


if __name__ == "__main__":
    main()
