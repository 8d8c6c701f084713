"""Browsers to which people want push messages: added and removed."""

from datetime import timedelta
from enum import StrEnum

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.sessions import has_password_of, is_logged_in
from games.models import Browser, BrowserDelivery, Notification
from games.services.channels.failures import LONGEST_FAILURE, fails_without_a_break
from games.services.errors import Conflict

MOST_BROWSERS = 5
# After the first refusal; a push server that fails may refuse everything for a while.
LONGEST_REFUSAL = timedelta(days=1)


class State(StrEnum):
    """What a browser with a subscription is to do."""

    GOOD = "good"  # nothing
    RENEW = "renew"  # subscribe again: messages to this subscription do not arrive
    END = "end"  # end the subscription: the person has not asked for messages here


def add(
    user: User,
    *,
    endpoint: str,
    public_key: str,
    auth: str,
    name: str,
    session_key: str = "",
    site_key: str = "",
) -> None:
    """Store a browser of `user`. It leaves the person who had it; of six, the oldest goes.

    It replaces those with the same name that are switched off, because it is probably one of them.
    """
    with transaction.atomic():
        Browser.objects.filter(user=user, name=name, off_at__isnull=False).delete()
        values: dict[str, object] = {"user": user, "public_key": public_key, "auth": auth, "name": name}
        values |= {"session_key": session_key, "site_key": site_key, "kept_for": ""}
        values |= {"refused_at": None, "failing_since": None, "off_at": None, "why_off": ""}
        Browser.objects.update_or_create(endpoint=endpoint, defaults=values)
        kept = Browser.objects.filter(user=user).order_by("-pk")[:MOST_BROWSERS]
        Browser.objects.filter(user=user).exclude(pk__in=list(kept.values_list("pk", flat=True))).delete()


def check(user: User, endpoint: str, *, session_key: str, site_key: str) -> State:
    """Return what a browser is to do in which `user` is logged in now, and store that they are.

    A browser of somebody else leaves them, because another person uses it now.
    """
    with transaction.atomic():
        browser = Browser.objects.select_for_update().filter(endpoint=endpoint).first()
        if browser is None:
            return State.END
        if browser.user_id != user.pk:
            browser.delete()
            return State.END
        was_refused = browser.off_at is not None and browser.why_off == Browser.WhyOff.REFUSED
        if was_refused or browser.refused_at or not _has_key(browser, site_key):
            return State.RENEW
        browser.session_key, browser.kept_for, browser.off_at, browser.why_off = session_key, "", None, ""
        browser.save(update_fields=["session_key", "kept_for", "off_at", "why_off"])
        return State.GOOD


def log_out(user: User, session_key: str, *, keeps_messages: bool) -> None:
    """Remove the browser in which `user` logs out, unless they want to get messages there all the same.

    A new password ends these messages too.
    """
    here = Browser.objects.filter(user=user, session_key=session_key)
    if not session_key:
        return
    if keeps_messages:
        here.update(session_key="", kept_for=user.get_session_auth_hash())
    else:
        here.delete()


def is_still_asked(browser: Browser, site_key: str) -> bool:
    """Return whether a browser may show messages of its person; switch it off if not.

    Its session must last, and the key of the site must be the one to which its endpoint is bound.
    """
    if browser.session_key:
        is_here = is_logged_in(browser.session_key, browser.user)
    else:
        is_here = not browser.kept_for or has_password_of(browser.kept_for, browser.user)
    if is_here and _has_key(browser, site_key):
        return True
    why = Browser.WhyOff.OLD_KEY if is_here else Browser.WhyOff.LOGGED_OUT
    Browser.objects.filter(pk=browser.pk).update(off_at=timezone.now(), why_off=why)
    return False


def _has_key(browser: Browser, site_key: str) -> bool:
    return browser.site_key in ("", site_key)


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
        skip(browser, notification_id)
        Browser.objects.filter(pk=browser.pk).update(refused_at=None, failing_since=None)


def skip(browser: Browser, notification_id: int) -> None:
    """Store that a browser does not get a notification again, such as one that its push server can't take."""
    with transaction.atomic():
        # Locked, so that neither is removed before the commit.
        notification = Notification.objects.select_for_update(no_key=True).filter(pk=notification_id).first()
        if notification and Browser.objects.select_for_update(no_key=True).filter(pk=browser.pk).first():
            BrowserDelivery.objects.get_or_create(browser=browser, notification=notification)


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
        why_off=Browser.WhyOff.REFUSED,
    )
