"""Browsers to which people want push messages: added and removed."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.models import Browser, BrowserDelivery, Notification
from games.services.channels import LONGEST_FAILURE, fails_without_a_break
from games.services.errors import Conflict

MOST_BROWSERS = 5
# After the first refusal; a push server that fails may refuse everything for a while.
LONGEST_REFUSAL = timedelta(days=1)


def add(user: User, *, endpoint: str, public_key: str, auth: str, name: str) -> None:
    """Store a browser of `user`. It leaves the person who had it; of six, the oldest goes.

    It replaces those with the same name that are switched off, because it is probably one of them.
    """
    with transaction.atomic():
        Browser.objects.filter(user=user, name=name, off_at__isnull=False).delete()
        values: dict[str, object] = {"user": user, "public_key": public_key, "auth": auth, "name": name}
        values |= {"refused_at": None, "failing_since": None, "off_at": None}
        Browser.objects.update_or_create(endpoint=endpoint, defaults=values)
        kept = Browser.objects.filter(user=user).order_by("-pk")[:MOST_BROWSERS]
        Browser.objects.filter(user=user).exclude(pk__in=list(kept.values_list("pk", flat=True))).delete()


def renew(user: User, replaced: str, **subscription: str) -> None:
    """Store the new subscription of a browser of `user`, which had the endpoint `replaced` before.

    Raises Conflict if that was no browser of theirs: somebody else may have logged in there.
    """
    with transaction.atomic():
        deleted, _rows = Browser.objects.filter(user=user, endpoint=replaced).delete()
        if not deleted:
            raise Conflict(_("You have not asked for push messages in this browser."))
        add(user, **subscription)


def remove(user: User, pk: int) -> None:
    """Remove a browser of `user`."""
    Browser.objects.filter(user=user, pk=pk).delete()


def note_delivery(browser: Browser, notification_id: int) -> None:
    """Store that a browser has got a notification, so that it does not get it again.

    Either of them may have been removed while the message was sent.
    """
    with transaction.atomic():
        # Locked, so that neither is removed before the commit.
        notification = Notification.objects.select_for_update(no_key=True).filter(pk=notification_id).first()
        if notification and Browser.objects.select_for_update(no_key=True).filter(pk=browser.pk).first():
            BrowserDelivery.objects.get_or_create(browser=browser, notification=notification)
        Browser.objects.filter(pk=browser.pk).update(refused_at=None, failing_since=None)


def note_failure(browser: Browser, *, is_refused: bool = False, is_gone: bool = False) -> None:
    """Store that a message did not arrive.

    Switch off a browser that is gone, whose push server has refused messages for a day, or that has failed
    for days.
    """
    now = timezone.now()
    failing_since, refused_at = now, None
    if fails_without_a_break(browser, now):
        failing_since, refused_at = browser.failing_since or now, browser.refused_at
    if is_refused:
        refused_at = refused_at or now
    is_off = is_gone or now - failing_since >= LONGEST_FAILURE
    if is_refused and refused_at:
        is_off = is_off or now - refused_at >= LONGEST_REFUSAL
    Browser.objects.filter(pk=browser.pk).update(
        refused_at=refused_at,
        failing_since=failing_since,
        failed_at=now,
        off_at=now if is_off else None,
    )
