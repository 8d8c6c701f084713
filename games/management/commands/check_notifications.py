"""Reports emails and other notifications that should have been sent."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from django.core.management.base import BaseCommand
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from accounts.models import AccountMail, PastMail
from games.models import Notification
from games.queries.notifications import EMAILS

# The sweep queues a notification that is due within seconds, and one email takes less than a minute.
TOLERANCE = timedelta(minutes=10)


class Command(BaseCommand):
    help = (
        "Report notifications and account mails that are overdue by more than ten minutes, for example "
        "because no worker runs, or that have failed for more than ten minutes, for example because the mail "
        "server is down. Exit with status 1 if there are any. What fails for one person while others get "
        "theirs, such as at a full mailbox or a webhook that is gone, is no problem of the site."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        problems = list(_problems(timezone.now() - TOLERANCE))
        for problem in problems:
            self.stdout.write(problem)
        if problems:
            raise SystemExit(1)
        self.stdout.write("No notification is overdue.")


def _problems(limit: datetime) -> Iterator[str]:
    """Yield what is overdue or fails since before `limit`, in words."""
    logs = "Check that novaluna-sweep and novaluna-worker run, and read their logs."
    overdue = Notification.objects.pending().filter(due_at__lt=limit)
    if oldest := overdue.order_by("due_at").first():
        yield (
            f"{overdue.count()} notifications are overdue. Oldest: {_name(oldest)}, due since "
            f"{oldest.due_at:%Y-%m-%d %H:%M} UTC. {logs}"
        )
    failing = _failing(limit)
    if first := failing.order_by("failing_since").first():
        yield (
            f"{failing.count()} notifications fail. First: {_name(first)}, since "
            f"{first.failing_since:%Y-%m-%d %H:%M} UTC: {first.error}"
        )
    late = AccountMail.objects.filter(due_at__lt=limit)
    if late.exists():
        yield f"{late.count()} account mails are overdue. {logs}"
    failing_mails = _failing_account_mails(limit)
    if failing_mails.exists():
        yield f"{failing_mails.count()} account mails fail. Check the mail server and the worker's log."


def _failing(limit: datetime) -> QuerySet[Notification]:
    """Return the notifications that fail since before `limit`, while nobody else gets any the same way.

    While others do, the failure comes from the webhook, the browsers or the mailbox of one person.
    """
    sent = Notification.objects.filter(sent_at__gt=OuterRef("failing_since")).exclude(user=OuterRef("user"))
    others_get_emails = Q(channel__in=EMAILS) & Exists(sent.filter(channel__in=EMAILS))
    failing = Notification.objects.pending().filter(failing_since__lt=limit)
    return failing.exclude(others_get_emails | Exists(sent.filter(channel=OuterRef("channel"))))


def _failing_account_mails(limit: datetime) -> QuerySet[AccountMail]:
    """Return the account mails that fail since before `limit`, while the mail server takes no other email."""
    sent = PastMail.objects.filter(is_sent=True, ended_at__gt=OuterRef("created_at"))
    sent_notifications = Notification.objects.filter(channel__in=EMAILS, sent_at__gt=OuterRef("created_at"))
    failing = AccountMail.objects.filter(attempts__gt=0, created_at__lt=limit)
    return failing.exclude(Exists(sent) | Exists(sent_notifications))


def _name(notification: Notification) -> str:
    return f"{notification.kind} by {notification.channel} to user {notification.user_id}"
