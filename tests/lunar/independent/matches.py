"""`python -m tests.lunar.independent.matches COMMAND`: a match of this player against a program.

Each deal is played twice, so that both have the same cards. A program answers each position record on a line
of its input with an action on a line of its output.
"""

import argparse
import json
import random
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from math import sqrt
from statistics import fmean, stdev
from typing import Any, NamedTuple

from tests.lunar.independent.cards import COPIES
from tests.lunar.independent.games import HOUSE_POINTS, Game, random_deal
from tests.lunar.independent.player import SAMPLES, Player

Choose = Callable[[dict[str, Any]], dict[str, Any]]
MOST_ROUNDS = 40


class Result(NamedTuple):
    """What the first player got on one deal: means of two games."""

    wins: float
    points: float  # by which it was ahead at the end


def random_record(seats: int, stars: str, rng: random.Random) -> dict[str, Any]:
    """Return the record of a game that has not begun, with the points of the house."""
    leads = [rng.choice(range(0, seats, 2)), rng.choice(range(1, seats, 2))]
    rng.shuffle(leads)
    deals = [random_deal(stars, rng) for _ in range(MOST_ROUNDS)]
    return {"seats": seats, "leads": leads, "points": HOUSE_POINTS, "stars": stars, "deals": deals}


def play_game(record: dict[str, Any], players: tuple[Choose, Choose]) -> Game:
    """Return the game at its end. Each player has one side. Raises ValueError for an illegal action."""
    game = Game(record)
    while game.awaited:
        seat = game.awaited[0]
        action = players[seat % 2](game.record_for(seat))
        if not game.is_legal(action):
            raise ValueError(f"{action} is illegal")
        game.act(action)
    return game


def play_match(
    players: tuple[Choose, Choose], seats: int, deals: int, seed: int, stars: str = "suits"
) -> Iterator[Result]:
    """Play each deal for both sides, and yield a result for each deal."""
    rng = random.Random(seed)
    for _ in range(deals):
        record = random_record(seats, stars, rng)
        games = [play_game(record, players), play_game(record, players[::-1])]
        ahead = [game.points[side] - game.points[1 - side] for side, game in enumerate(games)]
        yield Result(fmean(points > 0 for points in ahead), fmean(ahead))


def interval(values: list[float]) -> tuple[float, float]:
    """Return the mean and the half-width of its 95% interval."""
    width = 1.96 * stdev(values) / sqrt(len(values)) if len(values) > 1 else float("inf")
    return fmean(values), width


class Program:
    """A player in another process."""

    def __init__(self, command: str) -> None:
        self._process = subprocess.Popen(
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def choose(self, record: dict[str, Any]) -> dict[str, Any]:
        """Return the program's answer."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps(record) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def close(self) -> None:
        """End the program."""
        self._process.communicate()


def main() -> None:
    """Play the match, and print its figures after each deal."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command", help="of the other program")
    parser.add_argument("--seats", type=int, choices=(2, 4), default=2)
    parser.add_argument("--stars", choices=COPIES, default="suits")
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--samples", type=int, default=SAMPLES, help="rounds for each action of this player")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    program = Program(options.command)
    players = (Player(options.samples, options.seed).choose, program.choose)
    results: list[Result] = []
    for result in play_match(players, options.seats, options.deals, options.seed, options.stars):
        results.append(result)
        wins, wins_width = interval([result.wins for result in results])
        points, points_width = interval([result.points for result in results])
        sys.stdout.write(
            f"{len(results)} deals: this player won {wins:.1%} ± {wins_width:.1%} of the games, "
            f"by {points:+.1f} ± {points_width:.1f} points a game\n"
        )
        sys.stdout.flush()
    program.close()


if __name__ == "__main__":
    main()
