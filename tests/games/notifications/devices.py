"""Browsers that get push messages, and the messages that are owed to them."""

import base64
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.test import TestCase
from django.utils import timezone

from accounts.models import User
from games import tasks
from games.models import Channel, Game, Kind, Notification, Seat
from games.notifications import delivery
from games.services import after_commit
from tests.clients import client_of
from tests.play import game_of, mover, person, play_one
from tests.receiver import Received, Receiver

PAGE = "/account/notifications/"
AUTH = b"sixteen bytes ok"


def encode(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).decode().rstrip("=")


def new_key() -> ec.EllipticCurvePrivateKey:
    return ec.generate_private_key(ec.SECP256R1())


@dataclass(frozen=True)
class Device:
    """The browser of a person, which can read what the site encrypts for it."""

    key: ec.EllipticCurvePrivateKey
    endpoint: str

    def fields(self) -> dict[str, str]:
        public = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"endpoint": self.endpoint, "public_key": encode(public), "auth": encode(AUTH)}

    def read(self, request: Received) -> dict[str, object]:
        return json.loads(http_ece.decrypt(request.body, private_key=self.key, auth_secret=AUTH))


def device_of(user: User, receiver: Receiver, path: str = "/push/1") -> Device:
    """Return a browser that has asked for push messages to this user."""
    device = Device(new_key(), receiver.url + path)
    assert client_of(user).post(f"{PAGE}browsers/", device.fields()).status_code == 204
    return device


def turn_of(ines: User, game: Game | None = None) -> Notification:
    """Return the push message about a turn that begins for Ines in a game."""
    game = game or game_of(ines, person("Tobias"))
    while mover(game) == ines:
        play_one(game)
    while mover(game) != ines:
        play_one(game)
    Seat.objects.update(seen_at=None)
    return Notification.objects.filter(user=ines, kind=Kind.TURN, channel=Channel.PUSH).latest("version")


def deliver(notification: Notification, attempts: int = 1) -> Notification:
    for _attempt in range(attempts):
        Notification.objects.filter(pk=notification.pk).update(due_at=timezone.now())
        delivery.deliver(notification.pk)
    notification.refresh_from_db()
    return notification


@contextmanager
def withdrawals() -> Iterator[None]:
    """Run the withdrawals that are queued by the end."""
    queued: list[tuple[object, ...]] = []
    with pytest.MonkeyPatch.context() as patch, TestCase.captureOnCommitCallbacks(execute=True):
        patch.setattr(after_commit, "queue", lambda *task: queued.append(task) or True)
        yield
    for task, *args in queued:
        if task == after_commit.WITHDRAW:
            tasks.withdraw(*args)


def withdraw(notification: Notification) -> None:
    """End the turn of a notification on the site, and run the task that is queued then."""
    with withdrawals():
        while mover(notification.game) == notification.user:
            play_one(notification.game)
