"""The channel for webhooks: posts in Discord or Slack, or JSON to a program of the person.

Requests are signed as Standard Webhooks says (https://www.standardwebhooks.com).
"""

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from urllib.parse import urlsplit, urlunsplit

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts.languages import language_of
from accounts.mail_retries import LEASE
from accounts.models import User
from accounts.outside import guarded_client
from accounts.outside.guarded_client import Answer, Forbidden, NoAnswer, Occupied, send
from games.models import Game, Webhook, WebhookPost
from games.notifications.channel import (
    AddressGone,
    AddressRefused,
    Busy,
    Channel,
    MessageRefused,
    NotSent,
    NotTried,
)
from games.notifications.kind import OF_A_TURN, Message
from games.notifications.webhook_answers import Verdict, describe, judge, pause_after
from games.services.channels import webhooks

LONGEST_POST = 2000  # characters in Discord
# Characters with a meaning in Discord's Markdown and in Slack's.
MARKUP = str.maketrans({one: f"\\{one}" for one in "\\*_~`|>#[]()<@"})
SLACK_MARKUP = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


class WebhookChannel(Channel):
    """Posts messages to the webhook of a user."""

    is_brief = True

    def address_of(self, user: User) -> str | None:
        """Return the address of the webhook; None if there is none, or it is switched off."""
        return Webhook.objects.filter(user=user, off_at=None).values_list("url", flat=True).first()

    def send(self, message: Message, user: User, address: str) -> None:
        """Post a message. In Discord, a post about a turn replaces the one about the turn before."""
        webhook = Webhook.objects.select_related("user").get(user=user)
        try:
            if webhook.format == Webhook.Format.DISCORD and message.kind in OF_A_TURN:
                _post_turn(webhook, message)
            else:
                _request(webhook, "POST", webhook.url, message)
        except MessageRefused as error:
            webhooks.note_refused_message(webhook, str(error))
            raise
        except NotTried:
            raise
        except (AddressRefused, NotSent) as error:
            webhooks.note_failure(webhook, str(error), is_gone=isinstance(error, AddressGone))
            raise
        webhooks.note_delivery(webhook)

    def withdraw(self, message: Message, user: User) -> None:
        """Edit the post in Discord about the game, if it says that it is the turn of `user`."""
        webhook = Webhook.objects.get(user=user)
        about_turn = WebhookPost.objects.filter(webhook=webhook, game=message.game, kind__in=OF_A_TURN)
        if not about_turn.exists():
            return
        failures = (AddressRefused, Busy, MessageRefused, NotSent)
        with suppress(*failures), _claimed_post(webhook, message) as (post, message_id):
            # Read within the claim, because a later message may have been posted just before it.
            is_waiting = Game.objects.waiting_for(user).filter(webhook_posts__in=post).exists()
            if message_id and about_turn.exists() and not is_waiting:
                _request(webhook, "PATCH", _with_path(webhook.url, f"/messages/{message_id}"), message)
                post.update(kind="")

    def switch_off(self, user: User, error: str, since: datetime) -> None:
        """Stop posting to the webhook of a user, if it has taken nothing since then; their pages say so."""
        webhooks.switch_off(user, error, since)


def send_test(webhook_id: int) -> None:
    """Send the test that the owner of a webhook has asked for, and store what came of it."""
    webhook = Webhook.objects.select_related("user").filter(pk=webhook_id, tested_at=None).first()
    # A queue may deliver a task twice. The claim leaves one of them.
    now = timezone.now()
    if webhook is None or not Webhook.objects.filter(pk=webhook_id, tested_at=None).update(tested_at=now):
        return
    with override(language_of(webhook.user) or settings.LANGUAGE_CODE):
        message = Message(
            id=f"test-{webhook.pk}-{int(now.timestamp())}",
            thread="test",
            subject=_("This is a test from %(site)s.") % {"site": settings.SITE_NAME},
            text=_("Your notifications will be posted here."),
            html="",
            unsubscribe_url="",
            url=settings.SITE_URL + "/",
        )
        error = ""
        try:
            _request(webhook, "POST", webhook.url, message)
        except Busy:
            webhooks.postpone_test(webhook)
            return
        except (AddressRefused, MessageRefused, NotSent) as failure:
            error = str(failure)
    webhooks.store_test(webhook, error)


def _post_turn(webhook: Webhook, message: Message) -> None:
    """Post whose turn it is in Discord, and delete the older post about the game.

    It is no edit, because Discord notifies nobody of an edit.
    """
    with _claimed_post(webhook, message) as (post, older):
        answer = _request(webhook, "POST", _with_path(webhook.url, query="wait=true"), message)
        message_id = ""
        with suppress(ValueError, KeyError, TypeError):
            message_id = str(int(json.loads(answer.body)["id"]))[:32]
        post.update(message_id=message_id, kind=message.kind)
        if older and older != message_id:
            # An older post that stays does no harm.
            with suppress(AddressRefused, MessageRefused, NotSent):
                _request(webhook, "DELETE", _with_path(webhook.url, f"/messages/{older}"))


@contextmanager
def _claimed_post(webhook: Webhook, message: Message) -> Iterator[tuple[QuerySet[WebhookPost], str]]:
    """Yield the row of the post about a game, and its id in Discord; empty if there is no post yet.

    Until the end, no other worker posts about the game: two would make two posts, and an earlier message
    could replace a later one. Raises Busy if one does.
    """
    row, _is_new = WebhookPost.objects.get_or_create(webhook=webhook, game=message.game)
    post, now = WebhookPost.objects.filter(pk=row.pk), timezone.now()
    is_claimed = Q(claimed_until__gt=now, claimed_until__lte=now + LEASE)
    if not post.exclude(is_claimed).update(claimed_until=now + LEASE):
        raise Busy("another message about this game is on its way")
    try:
        yield post, post.values_list("message_id", flat=True).first() or ""
    finally:
        post.update(claimed_until=None)


def _with_path(url: str, path: str = "", query: str = "") -> str:
    """Return an address with a longer path. Its query stays, such as the id of a thread."""
    parts = urlsplit(url)
    own = [one for one in parts.query.split("&") if one.partition("=")[0] != "wait"]
    queries = "&".join(filter(None, [*own, query]))
    return urlunsplit(parts._replace(path=parts.path.rstrip("/") + path, query=queries, fragment=""))


def _request(webhook: Webhook, method: str, url: str, message: Message | None = None) -> Answer:
    """Send a message to a webhook, or ask it to delete one, and return the answer that accepts that.

    Raises AddressRefused, Busy, MessageRefused and NotSent.
    """
    body = json.dumps(_body(webhook, message)).encode() if message else b""
    headers = {"Content-Type": "application/json", "User-Agent": "NovaLuna"}
    if message:
        headers |= signature(webhook.secret, message.id, body)
    try:
        answer = send(method, url, body, headers)
    except Forbidden as error:
        raise AddressRefused(str(error)) from error
    except Occupied as error:
        raise Busy(str(error)) from error
    except guarded_client.NotTried as error:
        raise NotTried(str(error)) from error
    except NoAnswer as error:
        raise NotSent(str(error)) from error
    words = describe(webhook.format, answer)
    match judge(webhook.format, answer):
        case Verdict.LATER:
            raise NotSent(words, pause_after(webhook.format, answer))
        case Verdict.MESSAGE_REFUSED:
            raise MessageRefused(words)
        case Verdict.ADDRESS_REFUSED:
            raise AddressRefused(words)
        case Verdict.ADDRESS_GONE:
            raise AddressGone(words)
    return answer


def _body(webhook: Webhook, message: Message) -> dict[str, object]:
    """Return what the service of the webhook expects. No part of it can mention or address anybody."""
    if webhook.format == Webhook.Format.DISCORD:
        link = f"\n<{message.url}>"
        words = f"**{message.subject.translate(MARKUP)}**\n{message.text.translate(MARKUP)}"
        # The link is whole, however long the names are.
        return {"content": words[: LONGEST_POST - len(link)] + link, "allowed_mentions": {"parse": []}}
    if webhook.format == Webhook.Format.SLACK:
        lines = (message.subject.translate(SLACK_MARKUP), message.text.translate(SLACK_MARKUP), message.url)
        return {"text": "\n".join(lines)}
    return {
        "type": f"notification.{message.kind or 'test'}",
        "timestamp": timezone.now().isoformat(),
        "data": {
            "title": message.subject,
            "text": message.text,
            "url": message.url,
            "game": message.game.key if message.game else None,
        },
    }


def signature(secret: str, id: str, body: bytes) -> dict[str, str]:
    """Return the headers with which a receiver checks who has sent the body, and that it is not a replay."""
    key, timestamp = base64.b64decode(secret.removeprefix("whsec_")), str(int(time.time()))
    digest = hmac.digest(key, f"{id}.{timestamp}.".encode() + body, hashlib.sha256)
    return {
        "webhook-id": id,
        "webhook-timestamp": timestamp,
        "webhook-signature": f"v1,{base64.b64encode(digest).decode()}",
    }
