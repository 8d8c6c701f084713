"""Delivery: each notification is sent after the commit, retried, or dropped when nobody needs it any more."""

import logging
from datetime import timedelta
from smtplib import SMTPException

from django.conf import settings
from django.db.models import F
from django.utils import timezone
from django.utils.translation import override

from accounts.languages import language_of
from games.models import Notification
from games.notifications.channel import AddressRefused, Channel
from games.notifications.kind import Message
from games.notifications.registry import KINDS, MAIL
from games.services import presence

logger = logging.getLogger(__name__)

# The `due_at` of a claimed row is the end of its lease: another worker follows one that claimed it and died.
LEASE = timedelta(minutes=5)
PRESENCE_PAUSE = presence.TIMEOUT
ADDRESS_PAUSE = timedelta(minutes=10)
LONGEST_RETRY_PAUSE = timedelta(hours=1)


def deliver(notification_id: int) -> None:
    """Send a notification, postpone it, or drop it; do nothing if it is not due or another worker has it."""
    now = timezone.now()
    due = Notification.objects.pending().filter(pk=notification_id, due_at__lte=now)
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
    """Return what a notification says, in the language of the person that it is for."""
    with override(language_of(notification.user) or settings.LANGUAGE_CODE):
        return KINDS[notification.kind].message(notification)


def due_ids() -> list[int]:
    """Return the notifications that are due, oldest first, at most 1000."""
    due = Notification.objects.pending().filter(due_at__lte=timezone.now())
    return list(due.order_by("due_at").values_list("pk", flat=True)[:1000])


def _send(notification: Notification, channel: Channel, address: str) -> None:
    now, user = timezone.now(), notification.user
    try:
        channel.send(write_message(notification), user, address)
    except AddressRefused as refused:
        _update(notification, dropped_at=now, why_dropped="address refused", error=str(refused))
    except (SMTPException, OSError) as error:
        _retry_later(notification, error)
    except Exception as error:
        # A fault of ours is logged with its traceback, and retried: an update may have mended it by then.
        logger.exception("Notification %s could not be written.", notification.pk)
        _retry_later(notification, error)
    else:
        _update(notification, sent_at=now, error="")


def _retry_later(notification: Notification, error: Exception) -> None:
    pause = min(timedelta(seconds=15) * 2 ** min(notification.attempts, 10), LONGEST_RETRY_PAUSE)
    logger.warning("Notification %s failed, next try in %s: %s", notification.pk, pause, error)
    _update(
        notification,
        due_at=timezone.now() + pause,
        attempts=F("attempts") + 1,
        error=f"{type(error).__name__}: {error}",
    )


def _update(notification: Notification, **values: object) -> None:
    Notification.objects.filter(pk=notification.pk).update(**values)
