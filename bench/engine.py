"""Measure how fast the engine is: `python -m bench.engine`.

The rates depend on the machine, so the bench also prints the ratio to a naive program that recomputes
everything after every action. Each rate is the best of several rounds, measured in processor time.
"""

import math
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from bench.goals import report
from games.novaluna.engine import read_record, replay, start
from tests.novaluna.engine.games import deal
from tests.novaluna.engine.naive import NaiveGame

ROUNDS = 9
GAMES = 60
NAIVE_GAMES = 5
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


def measure_rates(*works: Callable[[], Iterator[int]]) -> list[float]:
    """Return the games per second of each work. They alternate, so that the load meets all of them."""
    best = [math.inf] * len(works)
    for _round in range(ROUNDS):
        for nth, work in enumerate(works):
            start_time = time.process_time()
            games = sum(1 for _game in work())
            best[nth] = min(best[nth], (time.process_time() - start_time) / games)
    return [1 / seconds for seconds in best]


def main() -> None:
    """Print the rates and their ratio."""
    engine, naive, records = measure_rates(
        lambda: play_random_games(GAMES), lambda: play_naive_games(NAIVE_GAMES), replay_records
    )
    print(f"random two-player games    {engine:8.1f} per second")
    print(f"with the naive program     {naive:8.1f} per second")
    print(f"records read and replayed  {records:8.1f} per second")
    report(
        "random games: of 200/s, or of 5 times the naive program",
        max(engine / 200, engine / naive / 5),
        at_least=1,
    )
    report("replay of a record", 1000 / records, "ms", at_most=3)


if __name__ == "__main__":
    main()
