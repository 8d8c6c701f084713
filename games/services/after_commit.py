"""Work that waits for a commit: updates of open pages, and queued tasks.

No function here fails the request, because the work of the request is stored already. `games.sweep` finds
lost tasks.
"""

import logging
import time
from collections.abc import Callable

import redis
from celery import current_app
from django.conf import settings
from django.db import transaction
from kombu import pools
from kombu.exceptions import OperationalError

from games import live
from games.models import Game, Hint, Notification

logger = logging.getLogger(__name__)

BOT_TURN = "games.bots.take_turn"
BOT_ACTION = "games.bots.play_chosen"
DELIVER = "games.deliver"
HINT = "games.bots.hint"
JUDGE = "games.bots.judge"

# Seconds for which this process leaves Redis alone after a failure, so that one request, and the next ones,
# do not wait for several timeouts.
PAUSE_AFTER_FAILURE = 5.0
_paused_until = 0.0  # by time.monotonic()


def update_open_pages(game: Game) -> None:
    """After the commit, signal the open pages of a game that it has changed."""
    key = game.key
    transaction.on_commit(lambda: _send(lambda: live.publish(key), f"Updates of game {key}"), robust=True)


def queue_bot_turn(game: Game) -> None:
    """After the commit, queue the turn of the bot that is to move."""
    game_id, number = game.pk, game.version + 1
    transaction.on_commit(lambda: queue(BOT_TURN, game_id, number), robust=True)


def queue_hint(hint: Hint) -> None:
    """After the commit, queue the search for a hint."""
    hint_id = hint.pk
    transaction.on_commit(lambda: queue(HINT, hint_id), robust=True)


def queue_delivery(notification: Notification) -> None:
    """After the commit, queue the delivery of a notification."""
    notification_id = notification.pk
    transaction.on_commit(lambda: queue(DELIVER, notification_id), robust=True)


def queue(task: str, *args: object, expires: float | None = None, countdown: float | None = None) -> bool:
    """Queue a task, and return whether the broker took it. If it did not, the sweep queues the task later.

    A worker runs the task after `countdown` seconds, or immediately. It skips a task that has waited longer
    than `expires` seconds.
    """

    def send() -> None:
        connection = current_app.connection_for_write(transport_options=settings.QUEUEING_OPTIONS)
        with pools.producers[connection].acquire(block=True) as producer:
            current_app.send_task(
                task, args=args, retry=False, expires=expires, countdown=countdown, producer=producer
            )

    return _send(send, f"{task}{args}")


def _send(send: Callable[[], object], what: str) -> bool:
    """Call `send` unless Redis has just failed, and return whether Redis took what it sends."""
    global _paused_until
    if time.monotonic() < _paused_until:
        return False
    try:
        send()
    except (OperationalError, redis.RedisError, OSError) as error:
        _paused_until = time.monotonic() + PAUSE_AFTER_FAILURE
        logger.warning(
            "Cannot reach Redis (%s). %s, and all that follows within %s s, waits for the next sweep.",
            error,
            what,
            PAUSE_AFTER_FAILURE,
        )
        return False
    return True
