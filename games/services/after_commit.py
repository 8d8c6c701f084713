"""Work that waits for a commit: updates of open pages, and queued tasks.

No function here fails the request, because the work of the request is stored already. `games.sweep` finds
lost tasks.
"""

import logging

from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError

from games import live
from games.models import Game, Hint, Notification

logger = logging.getLogger(__name__)

BOT_TURN = "games.bots.take_turn"
BOT_ACTION = "games.bots.play_chosen"
DELIVER = "games.deliver"
HINT = "games.bots.hint"
JUDGE = "games.bots.judge"


def update_open_pages(game: Game) -> None:
    """After the commit, signal the open pages of a game that it has changed."""
    key = game.key
    transaction.on_commit(lambda: live.publish(key), robust=True)


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
    try:
        current_app.send_task(task, args=args, retry=False, expires=expires, countdown=countdown)
    except (OperationalError, OSError):
        logger.warning("Cannot reach the broker: %s%s waits for the next sweep.", task, args)
        return False
    return True
