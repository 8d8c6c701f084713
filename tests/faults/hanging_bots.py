"""The site's Celery application, with bots whose search hangs or dies, and less patience: `celery -A` this.

The easy one hangs in Python, where the soft time limit ends it; the medium one so that only the hard limit
does; and the hard one dies.
"""

import os
import signal
import time
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


@worker_init.connect
def be_impatient(**_: object) -> None:
    import games.bots
    from games.tasks import take_bot_turn

    games.bots.choose = hang
    take_bot_turn.soft_time_limit, take_bot_turn.time_limit = 0.3, 1
