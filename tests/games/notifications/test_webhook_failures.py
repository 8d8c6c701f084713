"""Servers of webhooks that fail, hang, rest or refuse: no post is lost, and a webhook that is gone is off."""

from datetime import timedelta
from time import monotonic

import pytest
from django.utils import timezone

from accounts.models import User
from accounts.outside import guarded_client, places
from games.models import (
    Channel,
    Kind,
    Notification,
    Webhook,
    wanted_channels,
)
from games.notifications import delivery, webhook
from games.notifications.webhook import send_test
from tests.clients import client_of
from tests.frozen import frozen_clock
from tests.games.notifications.hooks import PAGE, deliver, set_up, turn_of
from tests.play import game_of, person
from tests.receiver import Receiver

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("status", [500, 503, 429])
def test_a_server_that_fails_gets_the_message_later_and_once(
    receiver: Receiver, ines: User, status: int
) -> None:
    set_up(ines, receiver)
    receiver.status = status
    notification = deliver(turn_of(ines), attempts=3)
    assert (notification.sent_at, notification.attempts) == (None, 3)
    assert notification.due_at > timezone.now() + timedelta(seconds=50)
    receiver.status = 204
    assert deliver(notification, attempts=2).sent_at
    assert len({one.headers["webhook-id"] for one in receiver.requests}) == 1
    assert len(receiver.requests) == 4


@pytest.mark.parametrize(
    ("asked", "least", "most"),
    [("600", 590, 601), ("0.3", 14, 16), ("soon", 14, 16), ("nan", 14, 16), ("1e9", 3590, 3601)],
)
def test_a_server_that_asks_for_a_pause_gets_it_up_to_an_hour(
    receiver: Receiver, ines: User, asked: str, least: int, most: int
) -> None:
    set_up(ines, receiver)
    receiver.status, receiver.headers = 429, {"Retry-After": asked}
    before = timezone.now()
    pause = deliver(turn_of(ines)).due_at - before
    assert timedelta(seconds=least) < pause < timedelta(seconds=most + 5)


def test_a_server_that_is_down_loses_nothing(receiver: Receiver, ines: User) -> None:
    set_up(ines, receiver)
    notification = turn_of(ines)
    Webhook.objects.update(url="http://127.0.0.1:9/")
    assert deliver(notification).sent_at is None
    Webhook.objects.update(url=receiver.url)
    assert deliver(notification).sent_at
    assert len(receiver.requests) == 1


def test_a_server_that_hangs_is_left_after_a_moment_and_gets_the_message_later(
    receiver: Receiver, ines: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_up(ines, receiver)
    monkeypatch.setattr(guarded_client, "LONGEST_REQUEST", 0.3)
    receiver.hangs = True
    before = monotonic()
    notification = deliver(turn_of(ines))
    assert monotonic() - before < 5
    assert (notification.sent_at, notification.attempts) == (None, 1)
    assert notification.error
    assert "stopped posting" not in client_of(ines).get(PAGE).text
    receiver.hangs = False
    assert deliver(notification, attempts=2).sent_at
    assert len(receiver.requests) == 2
    assert len({one.headers["webhook-id"] for one in receiver.requests}) == 1, "it can drop the second"


def test_a_server_that_rests_is_no_failure_of_the_webhook(receiver: Receiver, ines: User) -> None:
    set_up(ines, receiver)
    for _request in range(2):
        places.note_request("127.0.0.1", guarded_client.LONGEST_REQUEST)
    notification = deliver(turn_of(ines))
    assert (notification.sent_at, notification.attempts) == (None, 1)
    assert not receiver.requests
    row = Webhook.objects.get()
    assert (row.failing_since, row.failed_at, row.error) == (None, None, "")


def test_a_worker_that_dies_after_a_post_loses_nothing_and_repeats_it_with_the_same_id(
    receiver: Receiver, ines: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_up(ines, receiver)
    notification = turn_of(ines)

    def send_and_die(*request: object) -> None:
        guarded_client.send(*request)
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr(webhook, "send", send_and_die)
        with pytest.raises(SystemExit):
            deliver(notification)
    delivery.deliver(notification.pk)
    assert len(receiver.requests) == 1, "another worker waits for the end of the lease"
    assert deliver(notification, attempts=2).sent_at
    first, second = receiver.requests
    assert first.headers["webhook-id"] == second.headers["webhook-id"]


@pytest.mark.parametrize("status", [302, 404])
def test_a_webhook_that_refuses_for_a_day_is_switched_off_and_its_owner_is_told(
    receiver: Receiver, ines: User, status: int
) -> None:
    client = set_up(ines, receiver)
    receiver.status = status
    notification = deliver(turn_of(ines))
    assert notification.refused_at
    assert "stopped posting" not in client.get("/account/notifications/").text
    Notification.objects.update(refused_at=timezone.now() - timedelta(days=2))
    assert deliver(notification).why_dropped == "address refused"
    for page in ("/", "/account/notifications/", PAGE):
        assert "stopped posting" in client.get(page).text
    assert Channel.WEBHOOK not in wanted_channels(ines)[Kind.TURN]
    receiver.status = 200
    client.post(f"{PAGE}test/")
    send_test(Webhook.objects.get().pk)
    assert "stopped posting" not in client.get("/").text


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/", "/hook"])
def test_a_webhook_that_gets_nothing_for_days_is_switched_off_and_its_owner_is_told(
    receiver: Receiver, ines: User, url: str
) -> None:
    client = set_up(ines, receiver)
    Webhook.objects.update(url=url if ":" in url else receiver.url + url)
    receiver.status = 503
    with frozen_clock() as clock:
        notification = turn_of(ines)
        for _day in range(5):
            assert deliver(notification).dropped_at is None
            assert "stopped posting" not in client_of(ines).get("/").text
            clock.move_on(days=1)
        deliver(notification)
        client = client_of(ines)
        for page in ("/", "/account/notifications/", PAGE):
            assert "stopped posting" in client.get(page).text
        assert deliver(notification).why_dropped == "no receiver"
        assert client.post(PAGE, {"url": f"{receiver.url}/hook", "format": "json"}).url == PAGE
        assert deliver(turn_of(ines, notification.game)).dropped_at is None


def test_a_webhook_that_gets_a_message_in_between_stays(receiver: Receiver, ines: User) -> None:
    set_up(ines, receiver)
    game = game_of(ines, person("Tobias"))
    with frozen_clock() as clock:
        for status in (503, 204, 503):
            receiver.status = status
            deliver(turn_of(ines, game))
            clock.move_on(days=4)
        assert Webhook.objects.get().off_at is None


def test_a_webhook_that_fails_at_times_with_nothing_to_post_between_them_stays(
    receiver: Receiver, ines: User
) -> None:
    set_up(ines, receiver)
    receiver.status = 503
    with frozen_clock() as clock:
        notification = deliver(turn_of(ines))
        for _failure in range(3):
            clock.move_on(days=6)
            assert deliver(notification).attempts
        assert Webhook.objects.get().off_at is None
