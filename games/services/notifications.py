"""Notifications: a row with the action that caused it, sent after the commit, retried until it is moot."""

import logging
from datetime import timedelta
from smtplib import SMTPException, SMTPRecipientsRefused

from django.db.models import F
from django.utils import timezone

from accounts.addresses import confirmed_address
from accounts.models import User
from games.models import Game, Notification
from games.services import after_commit, presence
from games.services.mails import turn_mail

logger = logging.getLogger(__name__)

# `due_at` of a claimed row is the end of its lease: whoever claimed it and died is followed by another.
LEASE = timedelta(minutes=5)
LOOK_AGAIN = presence.LASTS
ASK_AGAIN_FOR_ADDRESS = timedelta(minutes=10)
LONGEST_PAUSE = timedelta(hours=1)


def owe_turn(game: Game, user: User) -> None:
    """Note, in the caller's transaction, that `user` is to be told of the turn that begins now."""
    notification = Notification.objects.create(
        game=game, user=user, kind=Notification.Kind.TURN, version=game.version, due_at=timezone.now()
    )
    after_commit.queue_delivery(notification)


def deliver(notification_id: int) -> None:
    """Send what is owed, put it off, or drop it because it is moot; do nothing if another worker has it."""
    now = timezone.now()
    mine = (
        Notification.objects.pending().filter(pk=notification_id, due_at__lte=now).update(due_at=now + LEASE)
    )
    if not mine:
        return
    notification = Notification.objects.select_related("game__deal", "user").get(pk=notification_id)
    game, user = notification.game, notification.user
    if why := _why_moot(notification):
        _update(notification, dropped_at=now, why_dropped=why)
    elif presence.is_here(game.key, user.pk):
        _update(notification, due_at=now + LOOK_AGAIN)
    elif (address := confirmed_address(user)) is None:
        _update(notification, due_at=now + ASK_AGAIN_FOR_ADDRESS)
    else:
        _send(notification, address)


def due_ids() -> list[int]:
    """Return the notifications that are due, oldest first."""
    due = Notification.objects.pending().filter(due_at__lte=timezone.now())
    return list(due.order_by("due_at").values_list("pk", flat=True)[:1000])


def _why_moot(notification: Notification) -> str:
    """Return why nobody needs this notification any more, or nothing if it is still wanted."""
    game, user = notification.game, notification.user
    if not user.is_active or not user.turn_mails:
        return "unwanted"
    if not Game.objects.waiting_for(user).filter(pk=game.pk).exists():
        return "turn over"
    later = Notification.objects.filter(
        game=game, user=user, kind=notification.kind, version__gt=notification.version
    )
    return "newer turn" if later.exists() else ""


def _send(notification: Notification, address: str) -> None:
    now = timezone.now()
    try:
        turn_mail(notification.game, notification.user, address, notification.version).send()
    except SMTPRecipientsRefused as refused:
        if all(code >= 500 for code, _reason in refused.recipients.values()):
            _update(notification, dropped_at=now, why_dropped="address refused", error=str(refused))
            return
        _put_off(notification, refused)
    except (SMTPException, OSError) as error:
        _put_off(notification, error)
    except Exception as error:
        # A fault of ours: told to the log, and tried again like any other, for it may be mended by then.
        logger.exception("The mail for notification %s could not be made.", notification.pk)
        _put_off(notification, error)
    else:
        _update(notification, sent_at=now, error="")


def _put_off(notification: Notification, error: Exception) -> None:
    pause = min(timedelta(seconds=15) * 2 ** min(notification.attempts, 10), LONGEST_PAUSE)
    logger.warning("Mail for notification %s failed, next try in %s: %s", notification.pk, pause, error)
    _update(
        notification,
        due_at=timezone.now() + pause,
        attempts=F("attempts") + 1,
        error=f"{type(error).__name__}: {error}",
    )


def _update(notification: Notification, **values: object) -> None:
    Notification.objects.filter(pk=notification.pk).update(**values)
