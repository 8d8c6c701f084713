"""What two experts at a time take of time and memory: `python -m bench.bot_processes`.

In processes like those of the unit `novaluna-bots`: one that has Celery's application with all tasks and the
search in memory, and two forked from it.
"""

import multiprocessing
import os
import random
import subprocess
import sys
import time
from multiprocessing.pool import Pool
from multiprocessing.synchronize import Barrier
from typing import NamedTuple

import numpy as np

from bench import proc
from bench.bot_positions import SEED, positions
from games.bots import choose, estimates
from games.engine import Position

MOVES = 12  # that each of the two takes, of each number of players
ADVICE = 6  # hints, and turns of a review

_both: Barrier


class Moves(NamedTuple):
    """The milliseconds that moves took, and the memory of the process after them."""

    clock: list[float]
    processor: list[float]
    memory: proc.Memory


def main() -> None:
    """Measure in a process that has nothing else of the benchmarks in memory."""
    command = [sys.executable, "-c", "from bench import bot_processes; bot_processes.work()"]
    subprocess.run(command, env=os.environ | {"DJANGO_SETTINGS_MODULE": "novaluna_site.settings"}, check=True)


def work() -> None:
    """Become a worker's main process, fork the two, and print what they took."""
    import django

    django.setup()

    from novaluna_site.celery import app

    app.WorkController(queues="bots")  # which imports the tasks and warms up the search
    context = multiprocessing.get_context("fork")
    with context.Pool(2, meet_with, [context.Barrier(2)]) as pool:
        tell(pool)
        print(f"the worker's main process: {proc.memory(os.getpid())}", flush=True)


def tell(pool: Pool) -> None:
    """Print two lines, one for each process, about moves with so many players, and about advice."""
    row = "{:<30}{:>14}{:>18}   {}".format
    print(row("ms a move, mean / worst", "by the clock", "of the processor", "memory then"), flush=True)
    for seats in (2, 3, 4, 1):
        name = f"{seats} players" if seats > 1 else "solo"
        for moves in pool.map(experts_moves, [(seats, SEED), (seats, SEED + 1000)], chunksize=1):
            clock, processor = (f"{np.mean(ms):.0f} / {max(ms):.0f}" for ms in (moves.clock, moves.processor))
            print(row(f"one of two experts, {name}", clock, processor, moves.memory), flush=True)
    for memory in pool.map(advise, [SEED, SEED + 1000], chunksize=1):
        print(row("hints and reviews", "", "", memory), flush=True)


def meet_with(barrier: Barrier) -> None:
    """Keep what makes the two begin and end at a time."""
    global _both
    _both = barrier


def some(seats: int, seed: int, count: int) -> list[Position]:
    """Return positions as the seat to move sees them."""
    return [position.public() for position, _ in zip(positions(seats, seed), range(count), strict=False)]


def experts_moves(args: tuple[int, int]) -> Moves:
    """Choose as the expert while the other process does."""
    seats, seed = args
    asked = some(seats, seed, MOVES)
    clocks, processors = [], []
    _both.wait()
    for position in asked:
        assert position.to_move is not None
        clock, processor = time.perf_counter(), time.thread_time()
        choose(position, position.to_move, "expert", random.Random(1))
        clocks.append((time.perf_counter() - clock) * 1000)
        processors.append((time.thread_time() - processor) * 1000)
    _both.wait()
    return Moves(clocks, processors, proc.memory(os.getpid()))


def advise(seed: int) -> proc.Memory:
    """Think out hints, and judge turns; return what memory the process holds after them."""
    from games.judging import judge

    _both.wait()
    for seats in (2, 1):
        for position in some(seats, seed, ADVICE):
            assert position.to_move is not None
            estimates(position, position.to_move, random.Random(1))
            action = choose(position, position.to_move, "easy", random.Random(1))
            judge(position, action, random.Random(1))
    _both.wait()
    return proc.memory(os.getpid())


if __name__ == "__main__":
    main()
