"""How fast the engine is: `python -m bench.engine`.

Rates depend on the machine; what they are worth is told by the ratio to a naive program that recomputes
everything at every step, measured in the same run. They are the best of several rounds, by processor time.
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
    """Play two-player games by listing the legal actions and applying one; yield the actions of each."""
    for seed in range(games):
        rng, position, actions = random.Random(seed), start(deal(2, seed)), 0
        while not position.over:
            position = position.apply(rng.choice(list(position.legal_actions))).position
            actions += 1
        yield actions


def play_naive_games(games: int) -> Iterator[int]:
    """Play random two-player games with the naive program; yield the actions of each."""
    for seed in range(games):
        rng, game, actions = random.Random(seed), NaiveGame(deal(2, seed)), 0
        while legal := game.legal():
            game.play(rng.choice(legal))
            actions += 1
        yield actions


def replay_records() -> Iterator[int]:
    """Read and replay the recorded games; yield the actions of each."""
    for data in [path.read_bytes() for path in sorted(RECORDS.glob("*.json"))]:
        yield sum(1 for _step in replay(*read_record(data)))


def rate(what: str, work: Callable[[], Iterator[int]], rounds: int = ROUNDS) -> float:
    """Print and return how many games a second `work` gets through, and what an action takes."""
    best = None
    for _round in range(rounds):
        began = time.process_time()
        lengths = list(work())
        seconds = time.process_time() - began
        best = min(best or seconds, seconds)
    assert best is not None
    per_action = best / sum(lengths) * 1e6
    print(f"{what:<32} {len(lengths) / best:8.1f} a second {per_action:8.1f} µs an action")
    return len(lengths) / best


def main() -> None:
    """Print the rates and their ratio."""
    fast = rate("random two-player games", lambda: play_random_games(GAMES))
    slow = rate("the same, recomputed naively", lambda: play_naive_games(NAIVE_GAMES))
    rate("records read and replayed", replay_records)
    print(f"The engine plays {fast / slow:.1f} times as fast as the naive program.")


if __name__ == "__main__":
    main()
