"""Push servers that fail, rest or refuse: no message is lost, and a browser that is gone is switched off."""

import socket
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from accounts.models import User
from accounts.outside import guarded_client, places
from games.models import Browser, Channel, Kind, Notification, Seat
from games.notifications import delivery, push
from games.services import hand_overs
from games.services.channels import browsers
from tests.clients import client_of
from tests.frozen import frozen_clock
from tests.games.notifications.devices import PAGE, deliver, device_of, turn_of
from tests.play import game_of, person
from tests.receiver import Receiver

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("push_key")]


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_is_gone_is_switched_off_and_the_others_go_on(
    receiver: Receiver, ines: User, status: int
) -> None:
    device_of(ines, receiver, "/gone")
    receiver.paths = {"/gone": status}
    other = device_of(ines, receiver, "/push/2")
    assert deliver(turn_of(ines)).sent_at
    [arrived] = [one for one in receiver.requests if one.path != "/gone"]
    assert arrived.path == "/push/2"
    assert other.read(arrived)
    assert Browser.objects.filter(off_at=None).count() == 1
    assert "does not accept our messages any more" in client_of(ines).get(PAGE).text
    assert "stopped sending push messages" in client_of(ines).get("/").text
    Browser.objects.exclude(off_at=None).delete()
    assert "stopped sending push messages" not in client_of(ines).get("/").text


def test_a_failure_of_one_browser_doubles_and_loses_nothing(receiver: Receiver, ines: User) -> None:
    device_of(ines, receiver, "/fails")
    device_of(ines, receiver, "/works")
    receiver.paths = {"/fails": 503}
    notification = deliver(turn_of(ines), attempts=2)
    assert (notification.sent_at, notification.attempts) == (None, 2)
    receiver.paths = {}
    assert deliver(notification).sent_at
    assert sorted(one.path for one in receiver.requests) == ["/fails"] * 3 + ["/works"]


def test_a_push_server_that_rests_is_no_failure_of_the_browser(receiver: Receiver, ines: User) -> None:
    device_of(ines, receiver)
    for _request in range(2):
        places.note_request("127.0.0.1", guarded_client.LONGEST_REQUEST)
    notification = deliver(turn_of(ines))
    assert (notification.sent_at, notification.attempts) == (None, 1)
    assert not receiver.requests
    assert Browser.objects.get().failing_since is None


def test_several_messages_that_one_browser_does_not_get_are_not_repeated_at_the_other(
    receiver: Receiver, ines: User
) -> None:
    device_of(ines, receiver, "/fails")
    device_of(ines, receiver, "/works")
    receiver.paths = {"/fails": 503}
    first, second = turn_of(ines), turn_of(ines, game_of(ines, person("Mina")))
    for _retry in range(2):
        deliver(first)
        deliver(second)
    assert receiver.received_at() == ["/fails"] * 4 + ["/works"] * 2
    receiver.paths = {}
    assert deliver(first).sent_at
    assert deliver(second).sent_at
    assert receiver.received_at() == ["/fails"] * 6 + ["/works"] * 2


@pytest.mark.parametrize("endpoint", ["http://127.0.0.1:9/", "https://push.example.org/", "/fails"])
def test_a_browser_that_gets_nothing_for_days_is_switched_off_and_its_person_is_told(
    receiver: Receiver, ines: User, monkeypatch: pytest.MonkeyPatch, endpoint: str
) -> None:
    """Its server is down, its name leads to a private address, or all its answers are errors."""
    monkeypatch.setattr(guarded_client.socket, "getaddrinfo", look_up)
    device_of(ines, receiver, "/fails")
    Browser.objects.filter(endpoint__startswith=receiver.url).update(
        endpoint=endpoint if ":" in endpoint else receiver.url + endpoint
    )
    receiver.status = 503
    with frozen_clock() as clock:
        notification = turn_of(ines)
        for _day in range(5):
            assert deliver(notification).dropped_at is None
            assert Browser.objects.get().off_at is None
            assert "stopped sending push messages" not in client_of(ines).get("/").text
            clock.move_on(days=1)
        deliver(notification)
        assert Browser.objects.get().off_at
        assert deliver(notification).why_dropped == "no receiver"
        client = client_of(ines)
        assert "stopped sending push messages" in client.get("/").text
        assert "your browser or webhook took no messages any more" in client.get(f"{PAGE}sent/").text


def look_up(host: str, port: int, *_arguments: object, **_options: object) -> list[tuple[object, ...]]:
    """Return the address of a server as `socket.getaddrinfo` does; names lead to a private one."""
    address = host if host.startswith("127.") else "10.0.0.7"
    return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))]


def test_a_browser_that_gets_a_message_in_between_stays(receiver: Receiver, ines: User) -> None:
    device_of(ines, receiver)
    game = game_of(ines, person("Tobias"))
    with frozen_clock() as clock:
        for status in (503, 201, 503):
            receiver.status = status
            deliver(turn_of(ines, game))
            clock.move_on(days=4)
        assert Browser.objects.get().off_at is None


@pytest.mark.parametrize("status", [503, 403])
def test_a_browser_that_fails_at_times_with_nothing_to_send_between_them_stays(
    receiver: Receiver, ines: User, status: int
) -> None:
    device_of(ines, receiver)
    receiver.status = status
    with frozen_clock() as clock:
        notification = deliver(turn_of(ines))
        for _failure in range(3):
            clock.move_on(days=6)
            assert deliver(notification).attempts
        assert Browser.objects.get().off_at is None


@pytest.mark.parametrize("what", ["browser", "notification"])
def test_a_message_whose_browser_or_notification_is_removed_while_it_is_sent_causes_no_error(
    receiver: Receiver, ines: User, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    device_of(ines, receiver)
    tobias, mina = person("Tobias"), person("Mina")
    game = game_of(ines, tobias)
    hand_overs.offer(game.key, tobias, is_public=False)
    offer = game.seat_offers.get()
    Seat.objects.update(seen_at=None)
    about_offer = Notification.objects.get(user=ines, kind=Kind.SEAT, channel=Channel.PUSH)
    push_to_all = push._push_to_all

    def push_and_remove(*arguments: object) -> Iterator[object]:
        outcomes = list(push_to_all(*arguments))
        if what == "browser":
            browsers.remove(ines, Browser.objects.get().pk)
        else:
            hand_overs.take(offer.key, mina)
        yield from outcomes

    monkeypatch.setattr(push, "_push_to_all", push_and_remove)
    delivery.deliver(about_offer.pk)
    connection.check_constraints()
    assert len(receiver.requests) == 1


def test_the_longest_pause_that_a_push_server_asks_for_counts(receiver: Receiver, ines: User) -> None:
    device_of(ines, receiver)
    receiver.status, receiver.headers = 429, {"Retry-After": "900"}
    before = timezone.now()
    assert deliver(turn_of(ines)).due_at - before > timedelta(seconds=890)


def test_a_push_server_that_refuses_for_a_day_is_switched_off(receiver: Receiver, ines: User) -> None:
    device_of(ines, receiver)
    receiver.status = 403
    notification = deliver(turn_of(ines))
    assert Browser.objects.get().off_at is None
    Browser.objects.update(refused_at=timezone.now() - timedelta(days=2))
    assert deliver(notification).sent_at is None
    assert Browser.objects.get().off_at
    assert deliver(notification).why_dropped == "no receiver"
    assert "your browser or webhook took no messages any more" in client_of(ines).get(f"{PAGE}sent/").text
