"""Measure the time and memory of two experts that think at the same time: `python -m bench.bot_processes`.

The processes are like those of the unit `novaluna-bots`: one has Celery's application with all tasks and the
search in memory, and two are forked from it.
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
from bench.goals import report
from games.novaluna.bots.face import choose, estimates
from games.novaluna.engine import Position

ACTIONS = 12  # of each process, for each number of players
MOST_MEMORY = 250  # MB, the goal for each process
ADVICE = 6  # hints, and as many judged turns, of each process

_barrier: Barrier


class ActionTimes(NamedTuple):
    """The time of each action in milliseconds, and the memory of the process after them."""

    clock: list[float]
    processor: list[float]
    memory: proc.Memory


def main() -> None:
    """Run the measurement in a process without other benchmarks in its memory."""
    command = [sys.executable, "-c", "from bench import bot_processes; bot_processes.measure()"]
    subprocess.run(command, env=os.environ | {"DJANGO_SETTINGS_MODULE": "novaluna_site.settings"}, check=True)


def measure() -> None:
    """Become a worker's main process, fork two others, and print their time and memory."""
    import django

    django.setup()

    from novaluna_site.celery import app

    app.WorkController(queues="bots")  # imports the tasks and warms up the search
    context = multiprocessing.get_context("fork")
    with context.Pool(2, set_barrier, [context.Barrier(2)]) as pool:
        print_figures(pool)
        own = proc.memory(os.getpid())
        print(f"the worker's main process: {own}", flush=True)
        report("bots: memory of a worker's main process", own.most, "MB", at_most=MOST_MEMORY)


def print_figures(pool: Pool) -> None:
    """Print a line for each process: its actions for each number of players, then its hints and reviews."""
    row = "{:<30}{:>14}{:>18}   {}".format
    print(row("ms per action, mean / worst", "clock", "processor", "memory afterwards"), flush=True)
    for seats in (2, 3, 4, 1):
        name = f"{seats} players" if seats > 1 else "solo"
        for times in pool.map(measure_actions, [(seats, SEED), (seats, SEED + 1000)], chunksize=1):
            clock, processor = (f"{np.mean(ms):.0f} / {max(ms):.0f}" for ms in (times.clock, times.processor))
            print(row(f"one of two experts, {name}", clock, processor, times.memory), flush=True)
    memories = pool.map(advise, [SEED, SEED + 1000], chunksize=1)
    for memory in memories:
        print(row("hints and reviews", "", "", memory), flush=True)
    most = max(memory.most for memory in memories)
    report("bots: memory of a process that a worker forked", most, "MB", at_most=MOST_MEMORY)


def set_barrier(barrier: Barrier) -> None:
    """Set the barrier that makes both processes start and end at the same time."""
    global _barrier
    _barrier = barrier


def public_positions(seats: int, seed: int, count: int) -> list[Position]:
    """Return `count` positions as the seat to move sees them."""
    return [position.public() for position, _ in zip(positions(seats, seed), range(count), strict=False)]


def measure_actions(args: tuple[int, int]) -> ActionTimes:
    """Choose actions as the expert, at the same time as the other process."""
    seats, seed = args
    sample = public_positions(seats, seed, ACTIONS)
    clocks, processors = [], []
    _barrier.wait()
    for position in sample:
        assert position.to_move is not None
        clock, processor = time.perf_counter(), time.thread_time()
        choose(position, position.to_move, "expert", random.Random(1))
        clocks.append((time.perf_counter() - clock) * 1000)
        processors.append((time.thread_time() - processor) * 1000)
    _barrier.wait()
    return ActionTimes(clocks, processors, proc.memory(os.getpid()))


def advise(seed: int) -> proc.Memory:
    """Compute hints and judge turns; return the memory of the process afterwards."""
    from games.novaluna.bots.face import judge

    _barrier.wait()
    for seats in (2, 1):
        for position in public_positions(seats, seed, ADVICE):
            assert position.to_move is not None
            estimates(position, position.to_move, random.Random(1))
            action = choose(position, position.to_move, "easy", random.Random(1))
            judge(position, action, random.Random(1))
    _barrier.wait()
    return proc.memory(os.getpid())


if __name__ == "__main__":
    main()
