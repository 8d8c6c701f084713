"""Parts of the site that work in this process: a thread renews their rows, whether or not somebody visits.

A process that is killed, stopped or frozen renews nothing, and neither does a machine that sleeps.
"""

import logging
import threading
import time
from collections.abc import Collection

from django.db import close_old_connections

from games.services import uptime

logger = logging.getLogger(__name__)

RENEWED_EVERY = 1.0  # seconds; a clock that ran out waits for that (`acts_until`)


def start(*names: str) -> None:
    """Note that these parts of the site start now."""
    for name in names:
        uptime.renew(name, is_start=True)


def keep_renewed(*names: str) -> None:
    """Note every second that these parts of the site work, until the process ends."""
    threading.Thread(target=_keep_renewed, args=(names,), name="parts", daemon=True).start()


def _keep_renewed(names: Collection[str]) -> None:
    while True:
        try:
            for name in names:
                uptime.renew(name)
            close_old_connections()
        except Exception:
            # Catches any error: if this thread ended, the part would count as down, and no clock would run.
            logger.exception("Cannot note that parts of the site work: %s", ", ".join(names))
        time.sleep(RENEWED_EVERY)
