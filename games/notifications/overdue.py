"""Emails and other notifications that should have been sent, and parts of the site that do not work."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from accounts.models import AccountMail, PastMail
from games.models import Notification, SitePart
from games.queries.notifications import EMAILS
from games.services import queues

# The sweep queues a notification that is due within seconds, and one email takes less than a minute.
TOLERANCE = timedelta(minutes=10)
# What a part of the site needs.
UNITS: dict[str, str] = {
    SitePart.Name.SWEEP: "novaluna-beat and novaluna-sweep",
    SitePart.Name.WEB: "novaluna-web and the proxy",
    SitePart.Name.MAILS: "novaluna-worker and Redis",
    SitePart.Name.QUICK: "novaluna-quick and Redis",
}

# A queue in which a task waits longer is served by nobody, or by too few processes.
LONGEST_QUEUE = timedelta(minutes=3)
UNITS_OF_QUEUES = {
    "default": "novaluna-worker",
    "outside": "novaluna-outside",
    "quick": "novaluna-quick",
    "bots": "novaluna-bots",
}


def problems() -> Iterator[str]:
    """Yield what is overdue, fails or does not work for longer than a site that is well needs, in words."""
    limit = timezone.now() - TOLERANCE
    yield from _parts_that_are_down(limit)
    yield from _queues_without_worker(timezone.now() - LONGEST_QUEUE)
    yield from _late_messages(limit)


def _parts_that_are_down(limit: datetime) -> Iterator[str]:
    """Yield which parts of the site were not seen since before `limit`, in words."""
    for part in SitePart.objects.filter(seen_at__lt=limit).order_by("seen_at"):
        yield (
            f"The site is down: {part.get_name_display()}, since {part.seen_at:%Y-%m-%d %H:%M} UTC. "
            f"Nobody loses on time until it works. Check that {UNITS[part.name]} run, and read their logs. "
            "If this site has no such part any more, delete it in the admin (parts of the site)."
        )


def _queues_without_worker(limit: datetime) -> Iterator[str]:
    """Yield which queues nobody has served since before `limit`, in words."""
    for queue, since in queues.unserved_since(limit, list(UNITS_OF_QUEUES)).items():
        unit = UNITS_OF_QUEUES[queue]
        when = f"{since:%Y-%m-%d %H:%M} UTC" if since else "this version was installed"
        yield f"Nobody serves the queue {queue} since {when}. Check that {unit} runs, and restart it."


def _late_messages(limit: datetime) -> Iterator[str]:
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
