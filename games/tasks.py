"""Celery tasks: each looks something up and calls a service, and may run twice or late."""

from celery import shared_task

from games.services import after_commit, bots, notifications


@shared_task(name=after_commit.BOT_TURN, acks_late=True)
def take_bot_turn(game_id: int, number: int) -> None:
    bots.take_turn(game_id, number)


@shared_task(name=after_commit.DELIVER, acks_late=True)
def deliver(notification_id: int) -> None:
    notifications.deliver(notification_id)


@shared_task(name="games.sweep", ignore_result=True)
def sweep() -> None:
    """Queue whatever is due and unqueued: after a lost broker, a killed worker, a restart."""
    for game_id, number in bots.overdue_turns():
        after_commit.queue(after_commit.BOT_TURN, game_id, number)
    for notification_id in notifications.due_ids():
        after_commit.queue(after_commit.DELIVER, notification_id)
