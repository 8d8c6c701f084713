"""Push messages: encrypted for each browser, signed, sent once, and stopped by their switch."""

import base64
import json

import pytest
from py_vapid import Vapid02

from accounts.models import User
from games.models import Channel, Kind, wanted_channels
from games.services import notifications
from tests.clients import client_of
from tests.games.notifications.devices import PAGE, deliver, device_of, turn_of
from tests.receiver import Receiver

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("push_key")]


def test_a_turn_arrives_once_encrypted_and_signed(receiver: Receiver, ines: User) -> None:
    device = device_of(ines, receiver)
    notification = deliver(turn_of(ines), attempts=2)
    assert notification.sent_at
    [request] = receiver.requests
    assert b"Tobias" not in request.body
    message = device.read(request)
    assert message["title"] == "Your turn against Tobias"
    assert "discs left" in str(message["body"])
    assert (message["url"], message["turns"]) == (f"/g/{notification.game.key}/", 1)
    assert Vapid02.verify(request.headers["authorization"])
    claims = request.headers["authorization"].split("t=")[1].split(".")[1]
    assert json.loads(base64.urlsafe_b64decode(claims + "=="))["aud"] == receiver.url
    assert "Push message" in client_of(ines).get(PAGE).text
    assert "push message" in client_of(ines).get(f"{PAGE}sent/").text


@pytest.mark.parametrize("kind", [kind for kind in Kind.values if kind != Kind.FOLLOWED])
def test_each_kind_is_on_until_it_is_switched_off(receiver: Receiver, ines: User, kind: str) -> None:
    assert Channel.PUSH not in wanted_channels(ines)[kind]
    device_of(ines, receiver)
    assert Channel.PUSH in wanted_channels(ines)[kind]
    notifications.stop(ines, kind, Channel.PUSH)
    assert Channel.PUSH not in wanted_channels(ines)[kind]


def test_the_switch_stops_a_message_that_waits(receiver: Receiver, ines: User) -> None:
    device_of(ines, receiver)
    notification = turn_of(ines)
    notifications.stop(ines, Kind.TURN, Channel.PUSH)
    assert deliver(notification).why_dropped == "unwanted"
    assert not receiver.requests
