"""Webhooks of people: stored, tested, switched off and removed."""

from datetime import datetime, timedelta

from django.db import transaction
from django.dispatch import receiver
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.addresses import taken_back
from accounts.models import User
from games.models import Browser, Webhook, WebhookPost
from games.models.webhooks import new_secret
from games.services import after_commit
from games.services.channels.failures import LONGEST_FAILURE, fails_without_a_break
from games.services.errors import Conflict, TooOften

TEST_PAUSE = timedelta(seconds=20)


def store(user: User, url: str, format: str) -> str:
    """Store the webhook of `user` and switch it on.

    Return its secret if it begins to post JSON, whose receiver needs it; else nothing.
    """
    with transaction.atomic():
        before = Webhook.objects.select_for_update().filter(user=user).first()
        if before and (before.url, before.format, before.off_at) == (url, format, None):
            return ""
        values = {"url": url, "format": format, "failing_since": None, "off_at": None, "error": ""}
        webhook, _is_new = Webhook.objects.update_or_create(user=user, defaults=values)
        if before and (before.url, before.format) != (url, format):
            # The posts are at another address. A test of the old one says nothing about the new one.
            WebhookPost.objects.filter(webhook=webhook).delete()
            Webhook.objects.filter(pk=webhook.pk).update(tested_at=None, test_asked_at=None, arrived_at=None)
        posted_json = before is not None and before.format == Webhook.Format.JSON
        return webhook.secret if format == Webhook.Format.JSON and not posted_json else ""


def renew_secret(user: User) -> str:
    """Give the webhook of `user` another secret, and return it."""
    secret = new_secret()
    if not Webhook.objects.filter(user=user).update(secret=secret):
        raise Conflict(_("You have removed this webhook."))
    return secret


def remove(user: User) -> None:
    """Remove the webhook of `user`."""
    Webhook.objects.filter(user=user).delete()


def ask_for_test(user: User) -> None:
    """Queue a test of the webhook of `user`. Raises Conflict and TooOften."""
    now = timezone.now()
    with transaction.atomic():
        webhook = Webhook.objects.select_for_update().filter(user=user).first()
        if webhook is None:
            raise Conflict(_("You have removed this webhook."))
        if webhook.test_asked_at and abs(now - webhook.test_asked_at) < TEST_PAUSE:
            raise TooOften(_("You have just sent a test."), TEST_PAUSE)
        Webhook.objects.filter(pk=webhook.pk).update(test_asked_at=now, tested_at=None)
        after_commit.queue_webhook_test(webhook)


def untested_ids() -> list[int]:
    """Return the ids of the webhooks whose test was asked for and was lost on the way."""
    now, soon = timezone.now(), timedelta(seconds=5)
    waiting = Webhook.objects.filter(test_asked_at__isnull=False, tested_at=None)
    # A time far in the future is from before the clock was set back.
    waiting = waiting.exclude(test_asked_at__range=(now - soon, now + soon))
    return list(waiting.values_list("pk", flat=True))


def postpone_test(webhook: Webhook) -> None:
    """Store that a test could not be sent yet, so that the sweep queues it again."""
    Webhook.objects.filter(pk=webhook.pk).update(tested_at=None)


def store_test(webhook: Webhook, error: str) -> None:
    """Store what came of a test. A test that arrived switches the webhook on again."""
    if error:
        Webhook.objects.filter(pk=webhook.pk).update(error=error[:300])
    else:
        note_delivery(webhook)
        Webhook.objects.filter(pk=webhook.pk).update(off_at=None)


def note_delivery(webhook: Webhook) -> None:
    """Store that a message has arrived."""
    Webhook.objects.filter(pk=webhook.pk).update(arrived_at=timezone.now(), error="", failing_since=None)


def note_refused_message(webhook: Webhook, error: str) -> None:
    """Store why the webhook has not taken a message, which says nothing about others."""
    Webhook.objects.filter(pk=webhook.pk).update(error=error[:300])


def note_failure(webhook: Webhook, error: str, *, is_gone: bool = False) -> None:
    """Store that a message did not arrive. Stop posting if the webhook is gone, or has failed for days."""
    now = timezone.now()
    failing_since = (fails_without_a_break(webhook, now) and webhook.failing_since) or now
    Webhook.objects.filter(pk=webhook.pk).update(
        error=error[:300], failing_since=failing_since, failed_at=now
    )
    if is_gone or now - failing_since >= LONGEST_FAILURE:
        switch_off(webhook.user, error)


def switch_off(user: User, error: str, since: datetime | None = None) -> None:
    """Stop posting to the webhook of `user`, unless a message has arrived since then."""
    rows = Webhook.objects.filter(user=user, off_at=None)
    if since is not None:
        rows = rows.exclude(arrived_at__gt=since)
    rows.update(off_at=timezone.now(), error=error[:300])


@receiver(taken_back)
def forget_channels(user: User, **_signal: object) -> None:
    """Send nothing any more to places that a stranger may have chosen."""
    remove(user)
    Browser.objects.filter(user=user).delete()
