"""Measure levels on duplicate deals, which both play on each side: points, wins, and what rounds are like.

python -m tests.lunar.bots.strength --levels hard,medium --seats 4 --deals 400

With `--rollouts`, every action is searched in that many rounds, however long they take on a busy machine.
"""

import argparse
import sys
import time
from collections import Counter
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import NamedTuple

from games.lunar.bots.levels import choose
from games.lunar.engine import Position, SeedDealer, Setup, Stars, draw_leads
from games.titles.bots import Budget


class Game(NamedTuple):
    """The end of a game, the side of the first level, and the processor time of its actions."""

    last: Position
    side: int
    actions: int
    seconds: list[float]

    @property
    def lead(self) -> int:
        """By how many points the first level leads."""
        return self.last.points[self.side] - self.last.points[1 - self.side]


class Player(NamedTuple):
    """A level, and the limits of its search if they are not its own."""

    level: str
    budget: Budget | None = None


def play(players: tuple[Player, Player], seats: int, seed: str, side: int) -> Game:
    """Return a game in which the first player has a side."""
    dealt, rng = Random(seed).randbytes(32), Random(f"{seed}/{side}")
    position = Position.start(Setup(seats, draw_leads(dealt, seats)), SeedDealer(dealt, Stars.SUITS))
    actions, seconds = 0, []
    while position.awaited:
        seat = min(position.awaited)
        is_first = seat % 2 == side
        began = time.thread_time()
        player = players[not is_first]
        action = choose(position.seen_by(seat), seat, player.level, rng, player.budget)
        if is_first:
            seconds.append(time.thread_time() - began)
        position = position.apply(action).position
        actions += 1
    return Game(position, side, actions, seconds)


def interval(values: list[float]) -> str:
    """Return the mean with the half-width of its 95% interval."""
    width = 1.96 * stdev(values) / sqrt(len(values)) if len(values) > 1 else float("inf")
    return f"{fmean(values):+.2f} ± {width:.2f}"


def report(levels: tuple[str, str], seats: int, deals: list[list[Game]]) -> str:
    """Return the figures of a match."""
    games = [game for deal in deals for game in deal]
    leads = interval([fmean(game.lead for game in deal) for deal in deals])
    wins = interval([100 * fmean(game.lead > 0 for game in deal) for deal in deals])
    times = sorted(seconds for game in games for seconds in game.seconds)
    tricks = Counter(count for game in games for result in game.last.rounds for count in result.tricks)
    low, high = (sum(tricks[count] for count in counts) for counts in ((1, 2, 3), (7, 8)))
    return (
        f"{levels[0]} against {levels[1]}, {seats} players, {len(deals)} deals: {leads} points a game, "
        f"won {wins} %; rounds {fmean(len(game.last.rounds) for game in games):.2f}, actions "
        f"{fmean(game.actions for game in games):.0f}, low {low / tricks.total():.1%}, high "
        f"{high / tricks.total():.1%}; ms {1000 * fmean(times):.1f}, 99% "
        f"{1000 * times[int(len(times) * 0.99)]:.0f}, worst {1000 * times[-1]:.0f}\n"
    )


def main() -> None:
    """Play the match, and print its figures after every tenth deal."""
    parser = argparse.ArgumentParser(description="Measure levels of LUNAR's bots.")
    parser.add_argument("--levels", default="hard,medium")
    parser.add_argument("--seats", type=int, choices=(2, 4), default=4)
    parser.add_argument("--deals", type=int, default=400)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--rollouts", help="of both levels, as 8000,400")
    options = parser.parse_args()
    first, second = options.levels.split(",")
    budgets: list[Budget | None] = [None, None]
    if options.rollouts:
        budgets = [Budget(rollouts=int(rounds)) for rounds in options.rollouts.split(",")]
    players = Player(first, budgets[0]), Player(second, budgets[1])
    deals: list[list[Game]] = []
    for number in range(options.deals):
        seed = f"{options.seed}/{number}"
        deals.append([play(players, options.seats, seed, side) for side in (0, 1)])
        if len(deals) % 10 == 0 or len(deals) == options.deals:
            sys.stdout.write(report((first, second), options.seats, deals))
            sys.stdout.flush()


if __name__ == "__main__":
    main()
