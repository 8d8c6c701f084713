"""Celery tasks: each looks something up and calls a service, and may run twice or late."""

from celery import shared_task

from games.services import after_commit, bots, notifications, reviews

SWEEP_EVERY = 5.0  # seconds


@shared_task(name=after_commit.BOT_TURN, acks_late=True)
def take_bot_turn(game_id: int, number: int) -> None:
    bots.take_turn(game_id, number)


@shared_task(name=after_commit.JUDGE, acks_late=True, soft_time_limit=30)
def judge(review_id: int, number: int) -> None:
    reviews.judge_next(review_id, number)


@shared_task(name=after_commit.DELIVER, acks_late=True)
def deliver(notification_id: int) -> None:
    notifications.deliver(notification_id)


@shared_task(name="games.sweep", ignore_result=True)
def sweep() -> None:
    """Queue whatever is due and unqueued: after a lost broker, a killed worker, a restart.

    What no worker takes until the next sweep is forgotten, for that one finds it again.
    """
    due: list[tuple[str, tuple[int, ...]]] = [(after_commit.BOT_TURN, turn) for turn in bots.overdue_turns()]
    due += [(after_commit.JUDGE, turn) for turn in reviews.overdue()]
    due += [(after_commit.DELIVER, (pk,)) for pk in notifications.due_ids()]
    for task, args in due:
        if not after_commit.queue(task, *args, expires=SWEEP_EVERY):
            return
