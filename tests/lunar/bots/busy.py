"""Measure whether a busy machine changes what a level chooses, and how much processor time an action takes.

python -m tests.lunar.bots.busy --seats 2 --actions 80

The level chooses in the positions of games that `hard` plays: on the machine as it is, beside two processes
that use all that they get of a processor, and with as many rounds as the level has at most, however long they
take. Forced actions are left out.
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from random import Random
from statistics import fmean
from typing import NamedTuple

from games.lunar.bots.levels import EXPERT, HARD, choose, warm_up
from games.lunar.engine import Action, Position, SeedDealer, Setup, Stars, draw_leads
from games.titles.bots import Budget

ROLLOUTS = {"hard": HARD.rollouts, "expert": EXPERT.rollouts}


class Run(NamedTuple):
    """The actions that a level chose, and the processor time of each."""

    actions: list[Action]
    seconds: list[float]

    def __str__(self) -> str:
        return f"mean {fmean(self.seconds):.2f} s, at most {max(self.seconds):.2f} s of processor time"

    def same(self, other: "Run") -> str:
        """Return in how many positions both runs chose the same action."""
        same = sum(one == another for one, another in zip(self.actions, other.actions, strict=True))
        return f"the same in {same} of {len(self.actions)}"


def positions(seats: int, seed: str) -> Iterator[tuple[Position, int]]:
    """Return what the seat that chooses sees, again and again."""
    rng = Random(seed)
    while True:
        dealt = rng.randbytes(32)
        position = Position.start(Setup(seats, draw_leads(dealt, seats)), SeedDealer(dealt, Stars.SUITS))
        while position.awaited:
            seat = min(position.awaited)
            if position.forced(seat) is None:
                yield position.seen_by(seat), seat
            position = position.apply(choose(position.seen_by(seat), seat, "hard", rng)).position


def run(level: str, chosen_in: list[tuple[Position, int]], budget: Budget | None = None) -> Run:
    """Return what a level chooses in these positions, with the same random numbers each time."""
    actions, seconds = [], []
    for number, (position, seat) in enumerate(chosen_in):
        began = time.thread_time()
        actions.append(choose(position, seat, level, Random(number), budget))
        seconds.append(time.thread_time() - began)
    return Run(actions, seconds)


@contextmanager
def busy_processes(count: int) -> Iterator[None]:
    """Run processes that never wait until the context ends."""
    processes = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _number in range(count)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--level", choices=ROLLOUTS, default="expert")
    parser.add_argument("--seats", type=int, choices=(2, 4), default=2)
    parser.add_argument("--actions", type=int, default=80)
    parser.add_argument("--seed", default="2026")
    args = parser.parse_args()
    warm_up()
    chosen_in = list(islice(positions(args.seats, args.seed), args.actions))
    quiet = run(args.level, chosen_in)
    with busy_processes(2):
        busy = run(args.level, chosen_in)
    whole = run(args.level, chosen_in, Budget(rollouts=ROLLOUTS[args.level]))
    sys.stdout.write(
        f"Quiet: {quiet}.\nBusy: {busy}; {busy.same(quiet)} as quiet.\n"
        f"All rounds: {whole}; {whole.same(quiet)} as quiet, {whole.same(busy)} as busy.\n"
    )


if __name__ == "__main__":
    main()
