"""What follows a commit: news for open pages, and tasks for what became due.

Nothing here may fail the request whose work is stored already. What gets lost is found by `games.sweep`.
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


def tell_pages(game: Game) -> None:
    """Tell the open pages of a game, after the commit, that it has changed."""
    key = game.key
    transaction.on_commit(lambda: live.publish(key), robust=True)


def queue_bot_turn(game: Game) -> None:
    """Queue, after the commit, the turn of the bot whose seat is to move."""
    game_id, number = game.pk, game.version + 1
    transaction.on_commit(lambda: queue(BOT_TURN, game_id, number), robust=True)


def queue_hint(hint: Hint) -> None:
    """Queue, after the commit, the thinking about a hint."""
    hint_id = hint.pk
    transaction.on_commit(lambda: queue(HINT, hint_id), robust=True)


def queue_delivery(notification: Notification) -> None:
    """Queue the delivery of a notification after the commit."""
    notification_id = notification.pk
    transaction.on_commit(lambda: queue(DELIVER, notification_id), robust=True)


def queue(task: str, *args: object, expires: float | None = None, countdown: float | None = None) -> bool:
    """Hand a task to a worker; return whether that was possible.

    It is to run in `countdown` seconds, or at once, and to be forgotten after `expires` seconds, or never.

    If the broker is out of reach, the work is left to the sweep.
    """
    try:
        current_app.send_task(task, args=args, retry=False, expires=expires, countdown=countdown)
    except (OperationalError, OSError):
        logger.warning("The broker is out of reach: %s%s waits for the next sweep.", task, args)
        return False
    return True
