"""Browsers to which people want push messages: added and removed."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.models import Browser

MOST_BROWSERS = 5
# After the first refusal; a push server that fails may refuse everything for a while.
LONGEST_REFUSAL = timedelta(days=1)


def add(user: User, *, endpoint: str, public_key: str, auth: str, name: str, replaced: str = "") -> None:
    """Store a browser of `user`. It leaves the person who had it; of six, the oldest goes.

    `replaced` is the endpoint that the same browser had before.
    """
    with transaction.atomic():
        Browser.objects.filter(user=user, endpoint=replaced).delete()
        values: dict[str, object] = {"user": user, "public_key": public_key, "auth": auth, "name": name}
        values |= {"last_message": "", "refused_at": None, "off_at": None}
        Browser.objects.update_or_create(endpoint=endpoint, defaults=values)
        kept = Browser.objects.filter(user=user).order_by("-pk")[:MOST_BROWSERS]
        Browser.objects.filter(user=user).exclude(pk__in=list(kept.values_list("pk", flat=True))).delete()


def remove(user: User, pk: int) -> None:
    """Remove a browser of `user`."""
    Browser.objects.filter(user=user, pk=pk).delete()


def note_delivery(browser: Browser, message: str) -> None:
    """Store that a browser has got the message with this id, so that it does not get it again."""
    Browser.objects.filter(pk=browser.pk).update(last_message=message[:80], refused_at=None)


def note_refusal(browser: Browser, *, is_gone: bool) -> None:
    """Switch off a browser that is gone, or whose push server has refused its messages for a day."""
    now = timezone.now()
    refused_at = browser.refused_at or now
    off_at = now if is_gone or now - refused_at >= LONGEST_REFUSAL else None
    Browser.objects.filter(pk=browser.pk).update(refused_at=refused_at, off_at=off_at)
