"""The Celery task of accounts. It may run twice or late."""

from celery import shared_task

from accounts import mail_retries, outbox


@shared_task(
    name=outbox.DELIVER,
    acks_late=True,
    soft_time_limit=mail_retries.SOFT_LIMIT,
    time_limit=mail_retries.HARD_LIMIT,
)
def deliver(mail_id: int) -> None:
    outbox.deliver(mail_id)
