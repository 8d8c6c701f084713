"""Celery tasks: each looks something up and calls a service, and may run twice or late."""

from collections.abc import Sequence

from celery import Task, shared_task
from celery.exceptions import TimeLimitExceeded, WorkerLostError
from celery.signals import task_failure

from games.notifications import delivery
from games.services import after_commit, bots, hints, reviews

SWEEP_EVERY = 5.0  # seconds
# A bot's turn is given up after the first, in seconds, and its process killed after the second. Pools without
# processes know no such limits, so `make play` has none; there the search's own budget must be enough.
GIVES_UP = 10
KILLED = 15


@shared_task(name=after_commit.BOT_TURN, acks_late=True, soft_time_limit=GIVES_UP, time_limit=KILLED)
def take_bot_turn(game_id: int, number: int, without_search: bool = False) -> None:
    bots.take_turn(game_id, number, without_search=without_search)


@shared_task(name=after_commit.BOT_ACTION, acks_late=True)
def play_chosen(game_id: int, number: int, payload: dict[str, object]) -> None:
    bots.play_chosen(game_id, number, payload)


@shared_task(name=after_commit.HINT, acks_late=True, soft_time_limit=hints.GIVES_UP, time_limit=hints.KILLED)
def think_out_hint(hint_id: int, without_search: bool = False) -> None:
    hints.think_out(hint_id, without_search=without_search)


@shared_task(
    name=after_commit.JUDGE, acks_late=True, soft_time_limit=reviews.GIVES_UP, time_limit=reviews.KILLED
)
def judge(review_id: int, number: int, without_search: bool = False) -> None:
    reviews.judge_next(review_id, number, without_search=without_search)


SEARCHES = {after_commit.BOT_TURN, after_commit.HINT, after_commit.JUDGE}


@task_failure.connect
def do_plainly(sender: Task, exception: Exception, args: Sequence[int], **_: object) -> None:
    """Queue a task again, to be done without a search, where the search was killed or killed its process.

    One that is killed all the same is left to the sweep.
    """
    was_killed = isinstance(exception, TimeLimitExceeded | WorkerLostError)
    if was_killed and sender.name in SEARCHES and args[-1] is not True:
        after_commit.queue(sender.name, *args, True)


@shared_task(name=after_commit.DELIVER, acks_late=True)
def deliver(notification_id: int) -> None:
    delivery.deliver(notification_id)


@shared_task(name="games.sweep", ignore_result=True)
def sweep() -> None:
    """Queue whatever is due and unqueued: after a lost broker, a killed worker, a restart.

    What no worker takes until the next sweep is forgotten, for that one finds it again.
    """
    due: list[tuple[str, tuple[int, ...]]] = [(after_commit.BOT_TURN, turn) for turn in bots.overdue_turns()]
    due += [(after_commit.HINT, (pk,)) for pk in hints.overdue()]
    due += [(after_commit.JUDGE, turn) for turn in reviews.overdue()]
    due += [(after_commit.DELIVER, (pk,)) for pk in delivery.due_ids()]
    for task, args in due:
        if not after_commit.queue(task, *args, expires=SWEEP_EVERY):
            return
