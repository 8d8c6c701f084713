"""Delivery of notifications: each is sent, postponed, retried, or dropped when it is no longer wanted.

Notifications that are due for one person on one channel at the same time are sent as one message.
"""

import logging
from collections.abc import Collection, Sequence
from contextlib import nullcontext
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import override

from accounts.languages import language_of
from accounts.mail_retries import LEASE, LONGEST_PAUSE, is_due, pause_after
from accounts.models import User
from accounts.outside.places import NoPlace, place_for
from games import metrics
from games.models import PRESENCE, Channel, Notification, are_apart, channels_of, seats_of, wanted_channels
from games.models.notifications import SET_UP, STORED
from games.notifications.channel import AddressRefused, Busy, MessageRefused, NotSent
from games.notifications.facts import Facts
from games.notifications.kind import Message
from games.notifications.registry import CHANNELS, KINDS
from games.notifications.together import write_together
from games.services import after_commit, uptime

logger = logging.getLogger(__name__)

PRESENCE_PAUSE = PRESENCE
ADDRESS_PAUSE = timedelta(minutes=10)
BUSY_PAUSE = timedelta(seconds=15)
# A mail server that fails may refuse every address for a while. So a notification is dropped only if its
# address is still refused this long after the first refusal.
LONGEST_REFUSAL = timedelta(days=1)
# Until the next daily email: a day, and up to two hours more when clocks are set back (Antarctica/Troll).
LONGEST_DAY = timedelta(hours=26)

# What happened to a notification whose row gets a value in this column.
OUTCOMES = {"sent_at": "sent", "dropped_at": "dropped", "attempts": "failed"}


def deliver(notification_id: int) -> None:
    """Send, postpone or drop a notification, and the others that are due with it.

    Do nothing if it is not due, another worker has claimed it, or deadlines move now because of an outage.
    """
    if uptime.is_giving_back():
        return
    ready = [one for one in _claim(notification_id) if _is_ready(one)]
    if not ready:
        return
    address = CHANNELS[ready[0].channel].address_of(ready[0].user)
    if address is None:
        _postpone(ready, ADDRESS_PAUSE)
    else:
        _send(ready, address)


def write_message(notifications: Sequence[Notification]) -> Message:
    """Return the message of notifications for one user on one channel, in the language of the user."""
    first = notifications[0]
    with override(language_of(first.user) or settings.LANGUAGE_CODE):
        if CHANNELS[first.channel].is_brief:
            return KINDS[first.kind].brief(Facts(first))
        if len(notifications) == 1 and first.channel != Channel.DIGEST:
            return KINDS[first.kind].message(Facts(first))
        return write_together(notifications)


def due_ids(channels: Collection[str] = tuple(Channel)) -> list[int]:
    """Return the ids of the notifications on these channels that are due, oldest first, at most 1000."""
    if uptime.is_giving_back():
        return []
    due = Notification.objects.pending().filter(_is_due(timezone.now()), channel__in=channels)
    return list(due.order_by("due_at").values_list("pk", flat=True)[:1000])


def _is_due(now: datetime) -> Q:
    """Return the condition that a notification is due. A daily email is not due a day before its hour."""
    tomorrow = Q(channel=Channel.DIGEST, due_at__gt=now, due_at__lte=now + LONGEST_DAY)
    return is_due(now) & ~tomorrow


def _claim(notification_id: int) -> list[Notification]:
    """Claim a notification, and those that are due for its user on its channel; return those claimed.

    Two workers never share the notifications of one person: a message has all that are due, or none.
    """
    rows = Notification.objects.pending()
    with transaction.atomic():
        # The row of the person is locked, so that rows that somebody else has locked need no wait.
        people = User.objects.select_for_update(no_key=True)
        user = people.filter(pk__in=rows.filter(pk=notification_id).values("user")).first()
        if user is None:
            return []
        now = timezone.now()
        due = rows.filter(_is_due(now), user=user).select_related("game__deal").order_by("pk")
        found = list(due.select_for_update(skip_locked=True, of=("self",)))
        first = next((one for one in found if one.pk == notification_id), None)
        if first is None:
            return []
        is_brief = CHANNELS[first.channel].is_brief
        claimed = [first] if is_brief else [one for one in found if one.channel == first.channel]
        lease = {"due_at": now + LEASE, "claimed_at": now}
        Notification.objects.filter(pk__in=[one.pk for one in claimed]).update(**lease)
    for one in claimed:
        one.user, one.due_at, one.claimed_at = user, lease["due_at"], now
    return claimed


def _is_ready(notification: Notification) -> bool:
    """Return whether to send a notification now; drop, postpone or retry it if not."""
    now = timezone.now()
    try:
        why = why_unwanted(notification)
    except Exception as error:
        # This is an error of the site, such as a game that it cannot read. The others must not wait for it.
        logger.exception("Cannot check whether notification %s is wanted.", notification.pk)
        _retry_later([notification], f"{type(error).__name__}: {error}")
        return False
    if why:
        _update([notification], dropped_at=now, why_dropped=why)
        return False
    # The daily email is one, even if its reader has one of the games open.
    is_daily = notification.channel == Channel.DIGEST
    seats = seats_of(notification.game)
    if not is_daily and any(seat.is_of(notification.user) and seat.is_here(now) for seat in seats):
        _postpone([notification], PRESENCE_PAUSE)
        return False
    return True


def why_unwanted(notification: Notification) -> str:
    """Return why the notification is dropped, in at most 20 characters; empty if it is not."""
    user, game = notification.user, notification.game
    if not user.is_active or user.is_suspended:
        return "unwanted"
    # An email is wanted or not, whatever else its reader has set up.
    stored = STORED if notification.channel in SET_UP else {"choices"}
    if notification.channel not in wanted_channels(user, stored)[notification.kind]:
        return "unwanted" if notification.channel in channels_of(user) else "no receiver"
    if any(seat.is_of(user) and seat.is_silent for seat in seats_of(game)):
        return "silent game"
    kind = KINDS[notification.kind]
    sender = kind.sender_of(notification)
    if sender is not None and are_apart(user.pk, [sender]):
        return "apart"
    return kind.why_unwanted(notification)


def _send(notifications: Sequence[Notification], address: str) -> None:
    first = notifications[0]
    try:
        message = write_message(notifications)
    except Exception as error:
        # This is an error of the site, so its traceback is logged. An update may fix it before a retry.
        logger.exception("Cannot write the message of notification %s.", first.pk)
        good = _without_bad_ones(notifications)
        bad = [one for one in notifications if one not in good]
        _retry_later(bad, f"{type(error).__name__}: {error}")
        if good:
            _send(good, address)
        return
    # The servers of one account must not take every process.
    is_outside = first.channel in after_commit.OUTSIDE
    try:
        with place_for(f"account {first.user.pk}") if is_outside else nullcontext():
            CHANNELS[first.channel].send(message, first.user, address)
    except (Busy, NoPlace):
        _postpone(notifications, BUSY_PAUSE)
    except AddressRefused as refused:
        _count_refusal(notifications, str(refused))
    except MessageRefused as refused:
        _update(notifications, dropped_at=timezone.now(), why_dropped="message refused", error=str(refused))
    except NotSent as error:
        _retry_later(notifications, str(error), pause=error.pause)
    except Exception as error:
        logger.exception("Cannot send notification %s.", first.pk)
        _retry_later(notifications, f"{type(error).__name__}: {error}")
    else:
        _update(notifications, sent_at=timezone.now(), error="")


def _without_bad_ones(notifications: Sequence[Notification]) -> Sequence[Notification]:
    """Return the notifications that can be written without the others of their message; none if all can."""
    good = [one for one in notifications if _can_be_written(one)]
    return good if len(good) < len(notifications) else []


def _can_be_written(notification: Notification) -> bool:
    """Return whether a notification can be a part of a message for several."""
    try:
        with override(language_of(notification.user) or settings.LANGUAGE_CODE):
            write_together([notification])
    except Exception:
        return False
    return True


def _count_refusal(notifications: Sequence[Notification], error: str) -> None:
    """Retry notifications whose address is refused, and drop those whose address was refused a day ago."""
    now = timezone.now()
    for one in notifications:
        refused_at = one.refused_at or now
        if now - refused_at >= LONGEST_REFUSAL:
            _update([one], dropped_at=now, why_dropped="address refused", error=error)
            CHANNELS[one.channel].switch_off(one.user, error, refused_at)
        else:
            _retry_later([one], error, refused_at)


def _retry_later(
    notifications: Sequence[Notification],
    error: str,
    refused_at: datetime | None = None,
    pause: timedelta = timedelta(0),
) -> None:
    """Postpone notifications.

    `refused_at` is when their address was first refused, if it is refused now, and `pause` the shortest one
    for which the server asks; it gets no more than the longest pause between tries.
    """
    for one in notifications:
        next_pause = max(pause_after(one.attempts), min(pause, LONGEST_PAUSE))
        logger.warning("Notification %s failed. Next try in %s: %s", one.pk, next_pause, error)
        now = timezone.now()
        _update(
            [one],
            due_at=now + next_pause,
            attempts=F("attempts") + 1,
            error=error,
            refused_at=refused_at,
            failing_since=Coalesce(F("failing_since"), now),
        )


def _postpone(notifications: Sequence[Notification], pause: timedelta) -> None:
    """Make notifications due after a pause. Nothing was tried, so they are neither claimed nor failing."""
    _update(notifications, due_at=timezone.now() + pause, claimed_at=None, failing_since=None)


def _update(notifications: Sequence[Notification], **values: object) -> None:
    for outcome in [OUTCOMES[name] for name in values if name in OUTCOMES]:
        for one in notifications:
            metrics.NOTIFICATIONS.labels(one.channel, outcome).inc()
    Notification.objects.filter(pk__in=[one.pk for one in notifications]).update(**values)
