"""The site's Celery application, with searches that hang or die, and less patience: `celery -A` this.

The easy one hangs in Python, where the soft time limit ends it; the medium one so that only the hard limit
does; and the hard one dies. The expert's, for hints and reviews, dies or hangs for all seats but the last.
"""

import os
import signal
import time
from collections.abc import Callable
from random import Random

from celery.signals import worker_init

from games.engine import Place, Position
from novaluna_site.celery import app

__all__ = ["app"]


def hang(position: Position, seat: int, level: str, rng: Random) -> Place:
    if level == "hard":
        os.kill(os.getpid(), signal.SIGKILL)  # as for want of memory
    if level == "medium":
        # As in compiled code, in which Python handles no signal.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
    while True:
        time.sleep(0.01)


def hang_for_most(position: Position, seat: int, rng: Random, *_: object) -> list[tuple[object, ...]]:
    if seat < 3:
        hang(position, seat, ("hard", "medium", "easy")[seat], rng)
    from games.bots import Chance, Estimate

    return [Estimate(action, Chance(0.5), 1000) for action in position.legal_actions]


def shorten_limits(set_to: Callable[[object, str, int], None] = setattr) -> None:
    """Let this process queue searches that have a second or two: a message brings its sender's limits."""
    from games import tasks

    for task in (tasks.take_bot_turn, tasks.compute_hint, tasks.judge):
        set_to(task, "soft_time_limit", 1)
        set_to(task, "time_limit", 2)


@worker_init.connect
def be_impatient(**_: object) -> None:
    from games import bots
    from games.bots import judging

    bots.choose = hang
    bots.estimates = judging.estimates = hang_for_most
    shorten_limits()
