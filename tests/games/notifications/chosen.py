"""Notifications as people choose them, and their delivery."""

from django.core import mail
from django.utils import timezone

from accounts.models import User
from games.models import Channel, Kind, Notification, Seat, wanted_channels
from games.notifications import delivery

PAGE = "/account/notifications/"
FORM = {
    "digest_hour": "7",
    "time_zone": "Europe/Berlin",
    "turn": ["mail", "digest"],
    "over": "digest",
}


def wants_turn_mails(user: User) -> bool:
    return Channel.MAIL in wanted_channels(user)[Kind.TURN]


def deliver_all(kind: Kind | None = None) -> None:
    """Deliver every notification, or those of one kind, as if all were due and nobody had a page open."""
    Seat.objects.update(seen_at=None)
    Notification.objects.update(due_at=timezone.now())
    rows = Notification.objects.pending().order_by("pk")
    for one in rows.filter(kind=kind) if kind else rows:
        delivery.deliver(one.pk)


def subjects() -> list[str]:
    return [one.subject for one in mail.outbox]
