"""The channel for push messages to browsers.

They are sent by RFC 8030, encrypted by RFC 8291 and signed by RFC 8292.
"""

import base64
import hashlib
import json
import time
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from datetime import timedelta
from email.utils import parseaddr
from urllib.parse import urlsplit

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from django.db.models import QuerySet
from py_vapid import Vapid02

from accounts.guarded_client import Answer, Forbidden, NoAnswer, Occupied, send
from accounts.models import User
from games.models import Browser, Game, Kind
from games.notifications.channel import AddressRefused, Channel, NotSent
from games.notifications.kind import OF_A_TURN, Message
from games.queries.lists import count_turns
from games.services.channels import browsers

GONE = (404, 410)
# After these answers, a later try may succeed.
PASSING = (408, 425, 429)
A_DAY = 24 * 60 * 60
# Messages of these kinds say nothing about whose turn it is, so they replace no message that does.
BESIDE_A_TURN = (Kind.CHAT, Kind.LEFT, Kind.VOTE, Kind.SEAT)
# Safari withdraws the permission of a site that sends messages which show nothing.
SAFARI = "https://web.push.apple.com/"

# What came of a request: an answer, or why there is none.
Outcome = Answer | NoAnswer | Forbidden


class PushChannel(Channel):
    """Sends messages to all browsers of a user that asked for them."""

    is_brief = True

    def address_of(self, user: User) -> str | None:
        """Return the number of browsers as a word; None without one, or if the site has no key."""
        count = _browsers(user).count() if settings.PUSH_KEY else 0
        return str(count) if count else None

    def send(self, message: Message, user: User, address: str) -> None:
        """Send a message to each browser that has not got it yet.

        Raises NotSent if one of them may get it later, and AddressRefused if all refuse it.
        """
        waiting = _browsers(user).exclude(deliveries__notification=message.notification_id)
        topic = _topic(message.thread) if message.kind in OF_A_TURN else {}
        failures, pause = [], timedelta(0)
        for browser, answer in _push_to_all(waiting, _fields(message, user), topic):
            # Stored while other push servers hang, so that a killed worker repeats only what nobody answered.
            _note(browser, answer, message)
            if not _is_good(answer):
                failures.append(_describe(answer))
                pause = max(pause, answer.retry_after if isinstance(answer, Answer) else pause)
        words = ", ".join(failures)[:300]
        if waiting.all().exists():
            raise NotSent(words, pause)
        if not _browsers(user).exists():
            raise AddressRefused(words)

    def withdraw(self, message: Message, user: User) -> None:
        """Close what the browsers of a player show about a turn, and correct their badges.

        A push server that still has the message about the turn replaces it.
        """
        assert message.game is not None, "a withdrawal is about a game"
        fields = {"tag": message.thread, "closes": OF_A_TURN, "turns": count_turns(user)}
        to = list(_browsers(user).exclude(endpoint__startswith=SAFARI))
        # Checked last, because the next turn may have begun, and its message must not be replaced.
        if not Game.objects.waiting_for(user).filter(pk=message.game.pk).exists():
            list(_push_to_all(to, fields, _topic(message.thread)))


def _browsers(user: User) -> QuerySet[Browser]:
    return Browser.objects.filter(user=user, off_at=None)


def _note(browser: Browser, answer: Outcome, message: Message) -> None:
    """Store what came of a message to a browser."""
    if _is_good(answer):
        browsers.note_delivery(browser, message.notification_id)
    elif isinstance(answer, Answer) and answer.status not in PASSING and answer.status < 500:
        browsers.note_failure(browser, is_refused=True, is_gone=answer.status in GONE)
    elif not isinstance(answer, Occupied):
        browsers.note_failure(browser)


def _is_good(answer: Outcome) -> bool:
    return isinstance(answer, Answer) and answer.is_good


def _describe(answer: Outcome) -> str:
    return f"HTTP {answer.status}" if isinstance(answer, Answer) else str(answer)


def _fields(message: Message, user: User) -> dict[str, object]:
    """Return what the service worker reads: the words, the link, and how many games wait."""
    return {
        "title": message.subject,
        "body": message.text,
        "url": urlsplit(message.url).path,
        "tag": f"{message.thread}-{message.kind}" if message.kind in BESIDE_A_TURN else message.thread,
        "kind": message.kind,
        "turns": count_turns(user),
    }


def _push_to_all(
    to: Iterable[Browser], fields: Mapping[str, object], topic: Mapping[str, str]
) -> Iterator[tuple[Browser, Outcome]]:
    """Send a message to browsers; yield each with what came of it, as soon as that is known.

    They are sent at the same time, because each may take as long as a request may.
    """
    payload = json.dumps(fields).encode()
    with ThreadPoolExecutor(browsers.MOST_BROWSERS) as pool:
        pushes = {pool.submit(_push, browser, payload, topic): browser for browser in to}
        for push in as_completed(pushes):
            yield pushes[push], push.result()


def _topic(thread: str) -> dict[str, str]:
    """Return the header with which a message replaces an older one that was not delivered yet (RFC 8030)."""
    return {"Topic": hashlib.sha256(thread.encode()).hexdigest()[:32]}


def _push(browser: Browser, payload: bytes, topic: Mapping[str, str]) -> Outcome:
    """Send an encrypted message to a browser and return the answer, or what prevented one."""
    body = http_ece.encrypt(
        payload,
        private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=_decode(browser.public_key),
        auth_secret=_decode(browser.auth),
    )
    headers = {"Content-Encoding": "aes128gcm", "Content-Type": "application/octet-stream", "TTL": str(A_DAY)}
    try:
        return send("POST", browser.endpoint, body, {**headers, **topic, **_authorization(browser.endpoint)})
    except (NoAnswer, Forbidden) as error:
        return error


def _authorization(endpoint: str) -> dict[str, str]:
    """Return the header that proves to a push server that the site has sent the message."""
    parts = urlsplit(endpoint)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int(time.time()) + A_DAY // 2,
        "sub": f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}",
    }
    signed: dict[str, str] = Vapid02.from_raw(settings.PUSH_KEY.encode()).sign(claims)
    return signed


def _decode(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
