"""Webhooks: signed posts to Slack or a program of the person, sent once, and stopped by their switch."""

import base64
import hashlib
import hmac
import json

import pytest
from django.utils import timezone

from accounts.models import User
from games.models import (
    Channel,
    Kind,
    Seat,
    Webhook,
    wanted_channels,
)
from games.services import notifications
from tests.clients import client_of
from tests.games.notifications.hooks import PAGE, deliver, set_up, turn_of
from tests.play import game_of, person
from tests.receiver import Received, Receiver

pytestmark = pytest.mark.django_db
FORM = {"digest_hour": "7", "time_zone": ""}


def has_right_signature(request: Received, secret: str) -> bool:
    """Check a request as https://www.standardwebhooks.com tells receivers to."""
    sent_at = int(request.headers["webhook-timestamp"])
    signed = f"{request.headers['webhook-id']}.{sent_at}.".encode() + request.body
    digest = hmac.new(base64.b64decode(secret.removeprefix("whsec_")), signed, hashlib.sha256).digest()
    version, _comma, given = request.headers["webhook-signature"].partition(",")
    is_recent = abs(timezone.now().timestamp() - sent_at) < 60
    return version == "v1" and is_recent and hmac.compare_digest(base64.b64decode(given), digest)


def test_a_turn_is_posted_once_as_signed_json(receiver: Receiver, ines: User) -> None:
    client = set_up(ines, receiver)
    secret = Webhook.objects.get().secret
    assert secret in client.get(PAGE).text
    assert secret not in client.get(PAGE).text, "the secret is shown once"
    notification = deliver(turn_of(ines), attempts=2)
    assert notification.sent_at
    [request] = receiver.requests
    assert has_right_signature(request, secret)
    assert not has_right_signature(request, secret[:-8] + "AAAAAAA=")
    sent = json.loads(request.body)
    assert sent["type"] == "notification.turn"
    assert sent["data"]["title"] == "Your turn against Tobias"
    assert "Ines: " in sent["data"]["text"]
    assert "discs left" in sent["data"]["text"]
    assert sent["data"]["url"].endswith(f"/g/{notification.game.key}/"), "others can read it: no signed link"
    assert "webhook" in client.get("/account/notifications/sent/").text


def test_the_grid_shows_the_channel_and_its_switch_stops_it(receiver: Receiver, ines: User) -> None:
    assert "Webhook" not in client_of(ines).get("/account/notifications/").text.partition("Time zone")[0]
    client = set_up(ines, receiver)
    page = client.get("/account/notifications/").text.partition("Time zone")[0]
    assert "Webhook" in page
    assert "immediate email: 4 · webhook: 4" in page
    notification = turn_of(ines)
    client.post("/account/notifications/", FORM | {"turn": "mail", "over": ["mail", "webhook"]})
    assert wanted_channels(ines)[Kind.TURN] == {Channel.MAIL}
    assert wanted_channels(ines)[Kind.OVER] == {Channel.MAIL, Channel.WEBHOOK}
    assert deliver(notification).why_dropped == "unwanted"
    assert not receiver.requests


def test_the_grid_keeps_choices_of_channels_that_it_does_not_show(receiver: Receiver, ines: User) -> None:
    client = client_of(ines)
    client.post("/account/notifications/", FORM | {"turn": "mail"})
    set_up(ines, receiver)
    assert Channel.WEBHOOK in wanted_channels(ines)[Kind.TURN]


def test_a_new_channel_gets_no_kind_that_is_off_until_somebody_chooses_it(
    receiver: Receiver, ines: User
) -> None:
    set_up(ines, receiver)
    assert wanted_channels(ines)[Kind.FOLLOWED] == set()
    notifications.choose_channels(ines, {Kind.FOLLOWED: {Channel.WEBHOOK}})
    assert wanted_channels(ines)[Kind.FOLLOWED] == {Channel.WEBHOOK}


@pytest.mark.parametrize("kind", [kind for kind in Kind.values if kind != Kind.FOLLOWED])
def test_each_kind_is_on_until_it_is_switched_off(receiver: Receiver, ines: User, kind: str) -> None:
    set_up(ines, receiver)
    assert Channel.WEBHOOK in wanted_channels(ines)[kind]
    notifications.stop(ines, kind, Channel.WEBHOOK)
    assert Channel.WEBHOOK not in wanted_channels(ines)[kind]


def test_slack_gets_each_notification_as_a_new_post(receiver: Receiver, ines: User) -> None:
    set_up(ines, receiver, "slack")
    game = game_of(ines, person("Tobias <3"))
    deliver(turn_of(ines, game))
    deliver(turn_of(ines, game))
    assert [one.method for one in receiver.requests] == ["POST", "POST"]
    assert "Tobias &lt;3" in json.loads(receiver.requests[0].body)["text"]


def test_a_player_who_has_the_game_open_gets_no_post_until_they_leave(receiver: Receiver, ines: User) -> None:
    set_up(ines, receiver)
    notification = turn_of(ines)
    Seat.objects.filter(user=ines).update(seen_at=timezone.now())
    notification = deliver(notification)
    assert (notification.sent_at, notification.dropped_at, receiver.requests) == (None, None, [])
    assert notification.due_at > timezone.now()
    Seat.objects.filter(user=ines).update(seen_at=None)
    assert deliver(notification).sent_at
    assert len(receiver.requests) == 1
