"""The channel for push messages to browsers.

They are sent by RFC 8030, encrypted by RFC 8291 and signed by RFC 8292.
"""

import base64
import json
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from datetime import timedelta
from urllib.parse import urlsplit

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from django.db.models import QuerySet

from accounts.models import User
from accounts.outside import vapid
from accounts.outside.guarded_client import Answer, Forbidden, NoAnswer, NotTried, send
from games.models import Browser, Game, Kind
from games.notifications.channel import AddressRefused, Channel, MessageRefused, NotSent
from games.notifications.kind import OF_A_TURN, Message
from games.notifications.push_headers import headers_of, headers_of_withdrawal
from games.queries.lists import count_waiting
from games.services.channels import browsers

GONE = (404, 410)
# After these answers, a later try may succeed. Windows says with 406 that a site sends too much.
PASSING = (406, 408, 425, 429)
TOO_LONG = 413
# Bytes before encryption; a push server must take 4096 after it (RFC 8291, section 4).
LONGEST_PAYLOAD = 3993
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

        Raises NotSent if one of them may get it later, AddressRefused if no browser is left, and
        MessageRefused if it is too long for all of them.
        """
        waiting = _browsers(user).exclude(deliveries__notification=message.notification_id)
        failures, pause, has_arrived = [], timedelta(0), False
        for browser, answer in _push_to_all(_logged_in(waiting), _fields(message, user), headers_of(message)):
            # Stored while other push servers hang, so that a killed worker repeats only what nobody answered.
            _note(browser, answer, message)
            has_arrived = has_arrived or _is_good(answer)
            if not _is_good(answer):
                failures.append(_describe(answer))
                pause = max(pause, answer.retry_after if isinstance(answer, Answer) else pause)
        words = ", ".join(failures)[:300]
        if waiting.all().exists():
            raise NotSent(words, pause)
        if not _browsers(user).exists():
            raise AddressRefused(words or "nobody is logged in there any more")
        if failures and not has_arrived:
            raise MessageRefused(words)

    def withdraw(self, message: Message, user: User) -> None:
        """Close what the browsers of a player show about a turn, and correct their badges.

        A push server that still has the message about the turn replaces it.
        """
        assert message.game is not None, "a withdrawal is about a game"
        fields: dict[str, object] = {"tag": message.thread, "closes": OF_A_TURN, "turns": count_waiting(user)}
        to = _logged_in(_browsers(user).exclude(endpoint__startswith=SAFARI))
        # Checked last, because the next turn may have begun, and its message must not be replaced.
        if not Game.objects.waiting_for(user).filter(pk=message.game.pk).exists():
            list(_push_to_all(to, fields, headers_of_withdrawal(message)))


def _browsers(user: User) -> QuerySet[Browser]:
    return Browser.objects.filter(user=user, off_at=None)


def _logged_in(found: QuerySet[Browser]) -> list[Browser]:
    """Return the browsers that may still show messages of their person; switch the others off."""
    return [one for one in found.select_related("user") if browsers.is_still_asked(one, vapid.public_key())]


def _note(browser: Browser, answer: Outcome, message: Message) -> None:
    """Store what came of a message to a browser."""
    if _is_good(answer):
        browsers.note_delivery(browser, message.notification_id)
    elif isinstance(answer, Answer) and answer.status == TOO_LONG:
        browsers.skip(browser, message.notification_id)
    elif isinstance(answer, Answer) and answer.status not in PASSING and answer.status < 500:
        browsers.note_failure(browser, is_refused=True, is_gone=answer.status in GONE)
    elif not isinstance(answer, NotTried):
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
        "turns": count_waiting(user),
    }


def _payload(fields: Mapping[str, object]) -> bytes:
    """Return what a browser gets, with shorter words if names are so long that it would be too large."""
    shown = dict(fields)
    payload = json.dumps(shown, ensure_ascii=False).encode()
    for name in ("body", "title"):
        while len(payload) > LONGEST_PAYLOAD and shown.get(name):
            words = str(shown[name])
            shown[name] = words[: len(words) // 2]
            payload = json.dumps(shown, ensure_ascii=False).encode()
    return payload


def _push_to_all(
    to: Iterable[Browser], fields: Mapping[str, object], headers: Mapping[str, str]
) -> Iterator[tuple[Browser, Outcome]]:
    """Send a message to browsers; yield each with what came of it, as soon as that is known.

    They are sent at the same time, because each may take as long as a request may.
    """
    payload = _payload(fields)
    with ThreadPoolExecutor(browsers.MOST_BROWSERS) as pool:
        pushes = {pool.submit(_push, browser, payload, headers): browser for browser in to}
        for push in as_completed(pushes):
            yield pushes[push], push.result()


def _push(browser: Browser, payload: bytes, headers: Mapping[str, str]) -> Outcome:
    """Send an encrypted message to a browser and return the answer, or what prevented one."""
    body = http_ece.encrypt(
        payload,
        private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=_decode(browser.public_key),
        auth_secret=_decode(browser.auth),
    )
    of_body = {"Content-Encoding": "aes128gcm", "Content-Type": "application/octet-stream"}
    try:
        signed = vapid.authorization(browser.endpoint)
        return send("POST", browser.endpoint, body, {**of_body, **headers, **signed})
    except (NoAnswer, Forbidden) as error:
        return error


def _decode(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
