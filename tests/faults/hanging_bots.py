"""The site's Celery application with bots that hang or crash, and with short limits.

The easy bot hangs in Python code, which the soft limit ends. The medium bot blocks that signal, so only the
hard limit ends it. The hard bot kills its process. For hints and reviews, the expert's behaviour depends on
the seat: on seat 0 like the hard bot, on 1 like medium, on 2 like easy. On seat 3 it works.

Start a worker with `celery -A tests.faults.hanging_bots worker`.
"""

import os
import signal
import time
from collections.abc import Callable
from random import Random

from celery.signals import worker_init

from games.novaluna.engine import Place, Position
from novaluna_site.celery import app

__all__ = ["app"]


def hang_or_crash(position: Position, seat: int, level: str, rng: Random) -> Place:
    if level == "hard":
        os.kill(os.getpid(), signal.SIGKILL)  # As the kernel does when memory runs out.
    if level == "medium":
        # As during compiled code, when Python cannot handle signals.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
    while True:
        time.sleep(0.01)


def estimates(position: Position, seat: int, rng: Random, *_: object) -> list[tuple[object, ...]]:
    if seat < 3:
        hang_or_crash(position, seat, ("hard", "medium", "easy")[seat], rng)
    from games.novaluna.bots.face import Chance, Estimate

    return [Estimate(action, Chance(0.5), 1000) for action in position.legal_actions]


def shorten_limits(set_attribute: Callable[[object, str, int], None] = setattr) -> None:
    """Set short limits for the searches that this process queues. A task carries its sender's limits."""
    from games import tasks

    for task in (tasks.take_bot_turn, tasks.take_quick_turn, tasks.compute_hint, tasks.judge):
        set_attribute(task, "soft_time_limit", 1)
        set_attribute(task, "time_limit", 2)


@worker_init.connect
def replace_bots(**_: object) -> None:
    from games.novaluna.bots import face as bots
    from games.novaluna.bots import judging

    bots.choose = hang_or_crash
    bots.estimates = judging.estimates = estimates
    shorten_limits()
