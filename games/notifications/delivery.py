"""Delivery of notifications: each is sent, postponed, retried, or dropped when it is no longer wanted."""

import logging
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import F
from django.utils import timezone
from django.utils.translation import override

from accounts.languages import language_of
from accounts.mail_retries import LEASE, is_due, pause_after
from games.models import Notification
from games.notifications.channel import AddressRefused, Channel, NotSent
from games.notifications.kind import Message
from games.notifications.registry import KINDS, MAIL
from games.services import presence

logger = logging.getLogger(__name__)

PRESENCE_PAUSE = presence.TIMEOUT
ADDRESS_PAUSE = timedelta(minutes=10)
# A mail server that fails may refuse every address for a while. So a notification is dropped only if its
# address is still refused this long after the first refusal.
LONGEST_REFUSAL = timedelta(days=1)


def deliver(notification_id: int) -> None:
    """Send, postpone or drop a notification; do nothing if it is not due or another worker has claimed it."""
    now = timezone.now()
    due = Notification.objects.pending().filter(is_due(now), pk=notification_id)
    if not due.update(due_at=now + LEASE):
        return
    notification = Notification.objects.select_related("game__deal", "user").get(pk=notification_id)
    user, channel = notification.user, MAIL
    if why := KINDS[notification.kind].why_unwanted(notification):
        _update(notification, dropped_at=now, why_dropped=why)
    elif presence.is_here(notification.game.key, user.pk):
        _update(notification, due_at=now + PRESENCE_PAUSE)
    elif (address := channel.address_of(user)) is None:
        _update(notification, due_at=now + ADDRESS_PAUSE)
    else:
        _send(notification, channel, address)


def write_message(notification: Notification) -> Message:
    """Return the message of a notification, in the language of its user."""
    with override(language_of(notification.user) or settings.LANGUAGE_CODE):
        return KINDS[notification.kind].message(notification)


def due_ids() -> list[int]:
    """Return the ids of the notifications that are due, oldest first, at most 1000."""
    due = Notification.objects.pending().filter(is_due(timezone.now()))
    return list(due.order_by("due_at").values_list("pk", flat=True)[:1000])


def _send(notification: Notification, channel: Channel, address: str) -> None:
    try:
        message = write_message(notification)
    except Exception as error:
        # This is an error of the site, so its traceback is logged. An update may fix it before a retry.
        logger.exception("Cannot write the message of notification %s.", notification.pk)
        _retry_later(notification, f"{type(error).__name__}: {error}")
        return
    now = timezone.now()
    try:
        channel.send(message, notification.user, address)
    except AddressRefused as refused:
        refused_at = notification.refused_at or now
        if now - refused_at >= LONGEST_REFUSAL:
            _update(notification, dropped_at=now, why_dropped="address refused", error=str(refused))
        else:
            _retry_later(notification, str(refused), refused_at)
    except NotSent as error:
        _retry_later(notification, str(error))
    except Exception as error:
        logger.exception("Cannot send notification %s.", notification.pk)
        _retry_later(notification, f"{type(error).__name__}: {error}")
    else:
        _update(notification, sent_at=now, error="")


def _retry_later(notification: Notification, error: str, refused_at: datetime | None = None) -> None:
    """Postpone a notification. `refused_at` is when its address was first refused, if it is refused now."""
    pause = pause_after(notification.attempts)
    logger.warning("Notification %s failed. Next try in %s: %s", notification.pk, pause, error)
    due_at = timezone.now() + pause
    _update(notification, due_at=due_at, attempts=F("attempts") + 1, error=error, refused_at=refused_at)


def _update(notification: Notification, **values: object) -> None:
    Notification.objects.filter(pk=notification.pk).update(**values)
