"""Celery tasks: each calls a service. A task may run twice or late."""

from collections.abc import Sequence

from celery import Task, shared_task
from celery.exceptions import TimeLimitExceeded, WorkerLostError
from celery.signals import task_failure

from accounts import deletion, mail_retries, outbox
from accounts.queueing import queue
from games.models import SitePart, today
from games.notifications import delivery, exports, webhook, withdrawal
from games.queries.notifications import EMAILS
from games.services import (
    after_commit,
    bots,
    hand_overs,
    hints,
    notifications,
    pruning,
    queues,
    reviews,
    seat_changes,
    training,
    uptime,
    votes,
)
from games.services.channels import webhooks
from games.services.private import exports as asked_exports
from games.services.projections import healing, outages, verification
from games.services.pruning import people
from games.services.solo import daily
from games.titles.registry import offers
from games.titles.talents import Talent

SWEEP_EVERY = 5.0  # seconds
LONGEST_WAIT = 90.0  # seconds, of a task behind turns
# Tasks that wait behind the turns of quick bots do not expire before those. So each of them runs after the
# first sweep that finds it, however many turns wait, and its copies find nothing to do.
BEHIND_TURNS = {
    after_commit.TIME_OUT,
    after_commit.END_CALL,
    after_commit.FINISH_HAND_OVER,
    after_commit.REMIND,
    deletion.REMOVE,
}


@shared_task(
    name=after_commit.BOT_TURN,
    acks_late=True,
    soft_time_limit=bots.SOFT_LIMIT,
    time_limit=bots.HARD_LIMIT,
)
def take_bot_turn(game_id: int, number: int, without_search: bool = False) -> None:
    bots.take_turn(game_id, number, task=after_commit.BOT_TURN, without_search=without_search)


@shared_task(
    name=after_commit.QUICK_TURN,
    acks_late=True,
    soft_time_limit=bots.SOFT_LIMIT,
    time_limit=bots.HARD_LIMIT,
)
def take_quick_turn(game_id: int, number: int, without_search: bool = False) -> None:
    bots.take_turn(game_id, number, task=after_commit.QUICK_TURN, without_search=without_search)


@shared_task(name=after_commit.BOT_ACTION, acks_late=True)
def play_chosen(game_id: int, number: int, payload: dict[str, object]) -> None:
    bots.play_chosen(game_id, number, payload)


@shared_task(
    name=after_commit.HINT, acks_late=True, soft_time_limit=hints.SOFT_LIMIT, time_limit=hints.HARD_LIMIT
)
def compute_hint(hint_id: int, without_search: bool = False) -> None:
    hints.compute(hint_id, without_search=without_search)


@shared_task(
    name=after_commit.JUDGE, acks_late=True, soft_time_limit=reviews.SOFT_LIMIT, time_limit=reviews.HARD_LIMIT
)
def judge(review_id: int, number: int, without_search: bool = False) -> None:
    reviews.judge_next(review_id, number, without_search=without_search)


@shared_task(
    name=after_commit.TRAIN,
    acks_late=True,
    soft_time_limit=training.SOFT_LIMIT,
    time_limit=training.HARD_LIMIT,
)
def judge_training(position_id: int, without_search: bool = False) -> None:
    training.judge(position_id, without_search=without_search)


SEARCHES = {
    after_commit.BOT_TURN,
    after_commit.QUICK_TURN,
    after_commit.HINT,
    after_commit.JUDGE,
    after_commit.TRAIN,
}


@task_failure.connect
def retry_without_search(sender: Task, exception: Exception, args: Sequence[int], **_: object) -> None:
    """Queue a task again without a search, if its process was killed by the hard limit or by a signal.

    If the process of the retry is killed too, the sweep queues the task later.
    """
    was_killed = isinstance(exception, TimeLimitExceeded | WorkerLostError)
    if was_killed and sender.name in SEARCHES and args[-1] is not True:
        queue(sender.name, *args, True)


@shared_task(
    name=after_commit.DELIVER,
    acks_late=True,
    soft_time_limit=mail_retries.SOFT_LIMIT,
    time_limit=mail_retries.HARD_LIMIT,
)
def deliver(notification_id: int) -> None:
    delivery.deliver(notification_id)


@shared_task(
    name=after_commit.DELIVER_OUTSIDE,
    acks_late=True,
    soft_time_limit=mail_retries.SOFT_LIMIT,
    time_limit=mail_retries.HARD_LIMIT,
)
def deliver_outside(notification_id: int) -> None:
    delivery.deliver(notification_id)


@shared_task(
    name=after_commit.TEST_WEBHOOK,
    acks_late=True,
    soft_time_limit=mail_retries.SOFT_LIMIT,
    time_limit=mail_retries.HARD_LIMIT,
)
def test_webhook(webhook_id: int) -> None:
    webhook.send_test(webhook_id)


@shared_task(
    name=after_commit.WITHDRAW, soft_time_limit=mail_retries.SOFT_LIMIT, time_limit=mail_retries.HARD_LIMIT
)
def withdraw(notification_id: int) -> None:
    withdrawal.withdraw(notification_id)


@shared_task(name=after_commit.TIME_OUT, acks_late=True)
def time_out(game_id: int) -> None:
    seat_changes.time_out(game_id)


@shared_task(name=after_commit.END_CALL, acks_late=True)
def end_call(game_id: int) -> None:
    votes.end_call(game_id)


@shared_task(name=after_commit.FINISH_HAND_OVER, acks_late=True)
def finish_hand_over(offer_id: int) -> None:
    hand_overs.finish(offer_id)


@shared_task(name=after_commit.REMIND, acks_late=True)
def remind(game_id: int) -> None:
    notifications.remind(game_id)


@shared_task(name=deletion.REMOVE, acks_late=True)
def remove_account(user_id: int) -> None:
    people.remove_account(user_id)


@shared_task(
    name=asked_exports.MAKE,
    acks_late=True,
    soft_time_limit=asked_exports.SOFT_LIMIT,
    time_limit=asked_exports.HARD_LIMIT,
)
def make_export(export_id: int) -> None:
    exports.make(export_id)


@shared_task(name="games.check_clocks", ignore_result=True)
def check_clocks() -> None:
    """Queue the games whose time is up. The sweep does it too, but players of a live game wait for it."""
    uptime.renew(SitePart.Name.SWEEP)
    for pk in seat_changes.due_ids():
        if not queue(after_commit.TIME_OUT, pk, expires=SWEEP_EVERY):
            return


@shared_task(name="games.sweep", ignore_result=True)
def sweep() -> None:
    """Note that the site is up, publish the deal of the day, and queue every overdue task.

    Tasks are overdue after a broker was down, a worker was killed or the site restarted.

    Most tasks expire before the next sweep, because that sweep queues them again. After an outage, clocks get
    its time back before anybody acts on a deadline.
    """
    uptime.renew(SitePart.Name.SWEEP)
    outages.give_back()
    healing.heal()
    if offers(Talent.DAILY):
        daily.publish(today())
    # People wait for the links in account mails, so these are first.
    due: list[tuple[str, tuple[int, ...]]] = [(outbox.DELIVER, (pk,)) for pk in outbox.due_ids()]
    due += [(deletion.REMOVE, (pk,)) for pk in deletion.due_ids()]
    due += [(after_commit.TIME_OUT, (pk,)) for pk in seat_changes.due_ids()]
    due += [(after_commit.END_CALL, (pk,)) for pk in votes.due_call_ids()]
    due += [(after_commit.FINISH_HAND_OVER, (pk,)) for pk in hand_overs.undisputed_ids()]
    due += [(after_commit.REMIND, (pk,)) for pk in notifications.due_reminders()]
    due += [(after_commit.DELIVER, (pk,)) for pk in delivery.due_ids(EMAILS)]
    due += [(after_commit.DELIVER_OUTSIDE, (pk,)) for pk in delivery.due_ids(after_commit.OUTSIDE)]
    due += [(after_commit.TEST_WEBHOOK, (pk,)) for pk in webhooks.untested_ids()]
    due += [(after_commit.HINT, (pk,)) for pk in hints.overdue_ids()]
    due += [(after_commit.JUDGE, turn) for turn in reviews.overdue_turns()]
    due += [(after_commit.TRAIN, (pk,)) for pk in training.overdue_ids()]
    due += [(asked_exports.MAKE, (pk,)) for pk in asked_exports.due_ids()]
    for task, args in due:
        expires = LONGEST_WAIT if task in BEHIND_TURNS else SWEEP_EVERY
        if not queue(task, *args, expires=expires):
            return
    bots.queue_waiting_turns()


@shared_task(name=queues.NOTE, acks_late=True)
def note_served(queue: str) -> None:
    queues.note_served(queue)


@shared_task(name="games.prune", ignore_result=True)
def prune() -> None:
    """Remove rows that nobody needs any more. A second run on the same day finds nothing left to do."""
    pruning.prune()


@shared_task(name=verification.VERIFY, ignore_result=True)
def verify_changed(verification_id: int | None = None) -> None:
    """Compare the games that have changed with their logs, some in each task."""
    verification.verify_changed(verification_id)
