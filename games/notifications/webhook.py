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
from urllib.parse import urlsplit, urlunsplit

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts.guarded_client import Answer, Forbidden, NoAnswer, send
from accounts.languages import language_of
from accounts.mail_retries import LEASE
from accounts.models import User
from games.models import Game, Webhook, WebhookPost
from games.notifications.channel import AddressRefused, Busy, Channel, NotSent
from games.notifications.kind import OF_A_TURN, Message
from games.services.channels import webhooks

# These answers say that a later try may succeed, though the server refuses now.
PASSING = (408, 425, 429)
GONE = (404, 410)
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
        """Post a message; in Discord, edit the post about the same game if there is one."""
        webhook = Webhook.objects.select_related("user").get(user=user)
        try:
            if webhook.format == Webhook.Format.DISCORD and message.game is not None:
                _post_once_a_game(webhook, message)
            else:
                _checked(_request(webhook, "POST", webhook.url, message))
        except (AddressRefused, NotSent) as error:
            webhooks.note_failure(webhook, str(error))
            raise
        webhooks.note_delivery(webhook)

    def withdraw(self, message: Message, user: User) -> None:
        """Edit the post in Discord about the game, if it says that it is the turn of `user`."""
        webhook = Webhook.objects.get(user=user)
        about_turn = WebhookPost.objects.filter(webhook=webhook, game=message.game, kind__in=OF_A_TURN)
        if not about_turn.exists():
            return
        with suppress(AddressRefused, Busy, NotSent), _claimed_post(webhook, message) as (post, message_id):
            # Read within the claim, because a later message may have been posted just before it.
            is_waiting = Game.objects.waiting_for(user).filter(webhook_posts__in=post).exists()
            if message_id and about_turn.exists() and not is_waiting:
                _checked(_edit(webhook, message_id, message))
                post.update(kind="")

    def switch_off(self, user: User, error: str) -> None:
        """Stop posting to the webhook of a user; their pages say so."""
        webhooks.switch_off(user, error)


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
            subject=_("This is a test from Nova Luna."),
            text=_("Your notifications will be posted here."),
            html="",
            unsubscribe_url="",
            url=settings.SITE_URL + "/",
        )
        error = ""
        try:
            _checked(_request(webhook, "POST", webhook.url, message))
        except (AddressRefused, NotSent) as failure:
            error = str(failure)
    webhooks.store_test(webhook, error)


def _post_once_a_game(webhook: Webhook, message: Message) -> None:
    """Edit the post about a game in Discord; make one if there is none, or if somebody deleted it."""
    with _claimed_post(webhook, message) as (post, message_id):
        answer = _edit(webhook, message_id, message) if message_id else None
        if answer is not None and answer.status not in GONE:
            _checked(answer)
        else:
            answer = _checked(_request(webhook, "POST", _with_path(webhook.url, query="wait=true"), message))
            with suppress(ValueError, KeyError, TypeError):
                post.update(message_id=str(int(json.loads(answer.body)["id"]))[:32])
        post.update(kind=message.kind)


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


def _edit(webhook: Webhook, message_id: str, message: Message) -> Answer:
    """Replace a post in Discord by a message, and return the answer. Raises AddressRefused and NotSent."""
    return _request(webhook, "PATCH", _with_path(webhook.url, f"/messages/{message_id}"), message)


def _with_path(url: str, path: str = "", query: str = "") -> str:
    """Return an address with a longer path. Its query stays, such as the id of a thread."""
    parts = urlsplit(url)
    queries = "&".join(filter(None, [parts.query, query]))
    return urlunsplit(parts._replace(path=parts.path.rstrip("/") + path, query=queries, fragment=""))


def _request(webhook: Webhook, method: str, url: str, message: Message) -> Answer:
    """Send a message to a webhook and return the answer. Raises AddressRefused and NotSent."""
    body = json.dumps(_body(webhook, message)).encode()
    headers = {"Content-Type": "application/json", "User-Agent": "NovaLuna"}
    try:
        return send(method, url, body, headers | signature(webhook.secret, message.id, body))
    except Forbidden as error:
        raise AddressRefused(str(error)) from error
    except NoAnswer as error:
        raise NotSent(str(error)) from error


def _checked(answer: Answer) -> Answer:
    """Return an answer that accepts the message. Raises AddressRefused and NotSent for others."""
    if answer.is_good:
        return answer
    words = f"HTTP {answer.status}"
    if 300 <= answer.status < 500 and answer.status not in PASSING:
        raise AddressRefused(words)
    raise NotSent(words, answer.retry_after)


def _body(webhook: Webhook, message: Message) -> dict[str, object]:
    """Return what the service of the webhook expects. No part of it can mention or address anybody."""
    if webhook.format == Webhook.Format.DISCORD:
        content = (
            f"**{message.subject.translate(MARKUP)}**\n{message.text.translate(MARKUP)}\n<{message.url}>"
        )
        return {"content": content[:2000], "allowed_mentions": {"parse": []}}
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
