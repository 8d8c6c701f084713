"""Reports emails and other notifications that should have been sent."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from django.core.management.base import BaseCommand
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from accounts.models import AccountMail, PastMail
from games.models import Channel, Notification

# The sweep queues a notification that is due within seconds, and one email takes less than a minute.
TOLERANCE = timedelta(minutes=10)


class Command(BaseCommand):
    help = (
        "Report notifications and account mails that are overdue by more than ten minutes, for example "
        "because no worker runs, or that have failed for more than ten minutes, for example because the mail "
        "server is down. Exit with status 1 if there are any. What fails for one person while others get "
        "theirs, such as at a webhook that is gone, is no problem of the site."
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
    sent_since = PastMail.objects.filter(is_sent=True, ended_at__gt=OuterRef("created_at"))
    failing_mails = AccountMail.objects.filter(attempts__gt=0, created_at__lt=limit).exclude(
        Exists(sent_since)
    )
    if failing_mails.exists():
        yield f"{failing_mails.count()} account mails fail. Check the mail server and the worker's log."


def _failing(limit: datetime) -> QuerySet[Notification]:
    """Return the notifications that fail since before `limit`, also if others on their channel are sent.

    Those are left out whose failure comes from the webhook, the browsers or the address of one person.
    """
    others = Notification.objects.filter(
        channel=OuterRef("channel"), sent_at__gt=OuterRef("failing_since")
    ).exclude(user=OuterRef("user"))
    is_of_person = Q(channel__in=[Channel.PUSH, Channel.WEBHOOK]) | Q(refused_at__isnull=False)
    failing = Notification.objects.pending().filter(failing_since__lt=limit)
    return failing.exclude(is_of_person & Exists(others))


def _name(notification: Notification) -> str:
    return f"{notification.kind} by {notification.channel} to user {notification.user_id}"
