"""Push messages: encrypted for each browser, signed, sent once, and stopped when a browser is gone."""

import base64
import json
import re
import socket
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.core.management import call_command
from django.db import connection
from django.test import Client, TestCase
from django.utils import timezone
from py_vapid import Vapid02

from accounts import guarded_client, outside_places
from accounts.models import User
from games import tasks
from games.models import Browser, Channel, Game, Kind, Notification, Nudge, Seat, wanted_channels
from games.notifications import delivery, push
from games.services import after_commit, chat, hand_overs, notifications
from games.services.channels import browsers
from tests.clients import client_of
from tests.frozen import frozen_clock
from tests.play import game_of, hand_over, mover, person, play_one
from tests.receiver import PUSH_KEY, Received, Receiver, receiver

pytestmark = pytest.mark.django_db

PAGE = "/account/notifications/"
AUTH = b"sixteen bytes ok"


def encode(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).decode().rstrip("=")


def new_key() -> ec.EllipticCurvePrivateKey:
    return ec.generate_private_key(ec.SECP256R1())


@contextmanager
def push_server(settings: object) -> Iterator[Receiver]:
    """Yield the push server of every browser of the test."""
    settings.OUTGOING_TO_LOOPBACK, settings.PUSH_KEY = True, PUSH_KEY
    with receiver() as one:
        one.status = 201
        yield one


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


@pytest.fixture
def server(settings: object) -> Iterator[Receiver]:
    with push_server(settings) as one:
        yield one


def device_of(user: User, server: Receiver, path: str = "/push/1") -> Device:
    """Return a browser that has asked for push messages to this user."""
    device = Device(new_key(), server.url + path)
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


def test_a_turn_arrives_once_encrypted_and_signed(server: Receiver, ines: User) -> None:
    device = device_of(ines, server)
    notification = deliver(turn_of(ines), attempts=2)
    assert notification.sent_at
    [request] = server.requests
    assert b"Tobias" not in request.body
    message = device.read(request)
    assert message["title"] == "Your turn against Tobias"
    assert "discs left" in str(message["body"])
    assert (message["url"], message["turns"]) == (f"/g/{notification.game.key}/", 1)
    assert Vapid02.verify(request.headers["authorization"])
    claims = request.headers["authorization"].split("t=")[1].split(".")[1]
    assert json.loads(base64.urlsafe_b64decode(claims + "=="))["aud"] == server.url
    assert "Push message" in client_of(ines).get(PAGE).text
    assert "push message" in client_of(ines).get(f"{PAGE}sent/").text


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


def test_a_turn_that_is_played_elsewhere_closes_its_message_and_corrects_the_badge(
    server: Receiver, ines: User
) -> None:
    device = device_of(ines, server)
    turn = deliver(turn_of(ines))
    withdraw(turn)
    first, second = server.requests
    message = device.read(second)
    assert message == {
        "tag": device.read(first)["tag"],
        "closes": [Kind.TURN, Kind.REMINDER, Kind.NUDGE],
        "turns": 0,
    }
    assert second.headers["topic"] == first.headers["topic"], "it replaces one that waits"
    assert re.fullmatch("[A-Za-z0-9_-]{1,32}", first.headers["topic"])


def test_a_chat_line_does_not_replace_the_message_about_the_turn(server: Receiver, ines: User) -> None:
    device = device_of(ines, server)
    game = game_of(ines, tobias := person("Tobias"))
    turn = deliver(turn_of(ines, game))
    chat.write(game.key, tobias, "Your turn, Ines!", uuid.uuid4())
    deliver(Notification.objects.get(user=ines, kind=Kind.CHAT, channel=Channel.PUSH))
    nudge = Nudge.objects.create(game=game, user=ines, sender=tobias, at=timezone.now())
    notifications.owe_nudge(nudge)
    deliver(Notification.objects.get(user=ines, kind=Kind.NUDGE, channel=Channel.PUSH))
    about_turn, about_chat, about_nudge = [str(device.read(one)["tag"]) for one in server.requests]
    assert about_turn != about_chat
    assert about_turn == about_nudge, "it says the same with more emphasis"
    withdraw(turn)
    assert device.read(server.requests[-1])["tag"] == about_turn


def test_nothing_is_withdrawn_that_was_not_sent_or_is_not_wanted(server: Receiver, ines: User) -> None:
    device_of(ines, server)
    turn = turn_of(ines)
    withdraw(turn)
    assert not server.requests
    turn = deliver(turn_of(ines, turn.game))
    notifications.stop(ines, Kind.TURN, Channel.PUSH)
    withdraw(turn)
    assert len(server.requests) == 1


def test_a_turn_that_begins_again_before_the_withdrawal_stays(server: Receiver, ines: User) -> None:
    device_of(ines, server)
    turn = deliver(turn_of(ines))
    tasks.withdraw(turn.pk)
    assert len(server.requests) == 1


def test_nothing_is_withdrawn_after_the_next_turn_has_begun(
    server: Receiver, ines: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    device_of(ines, server)
    turn = deliver(turn_of(ines))
    while mover(turn.game) == ines:
        play_one(turn.game)

    def count_while_the_next_turn_begins(user: User) -> int:
        turn_of(user, turn.game)
        return 1

    monkeypatch.setattr(push, "count_turns", count_while_the_next_turn_begins)
    tasks.withdraw(turn.pk)
    assert len(server.requests) == 1


def test_a_turn_that_is_handed_over_closes_its_message(server: Receiver, ines: User) -> None:
    device = device_of(ines, server)
    turn = deliver(turn_of(ines))
    with withdrawals():
        hand_over(turn.game, ines, person("Mina"))
    assert device.read(server.requests[-1])["closes"] == [Kind.TURN, Kind.REMINDER, Kind.NUDGE]


def test_nothing_is_withdrawn_when_a_seat_changes_hands_that_is_not_to_move(
    server: Receiver, ines: User
) -> None:
    device_of(ines, server)
    turn = deliver(turn_of(ines))
    while mover(turn.game) == ines:
        play_one(turn.game)
    with withdrawals():
        hand_over(turn.game, ines, person("Mina"))
    assert len(server.requests) == 1


def test_safari_gets_no_message_that_shows_nothing(
    server: Receiver, ines: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    device_of(ines, server)
    turn = deliver(turn_of(ines))
    monkeypatch.setattr(push, "SAFARI", server.url)
    withdraw(turn)
    assert len(server.requests) == 1


@pytest.mark.parametrize("kind", Kind.values)
def test_each_kind_is_on_until_it_is_switched_off(server: Receiver, ines: User, kind: str) -> None:
    assert Channel.PUSH not in wanted_channels(ines)[kind]
    device_of(ines, server)
    assert Channel.PUSH in wanted_channels(ines)[kind]
    notifications.stop(ines, kind, Channel.PUSH)
    assert Channel.PUSH not in wanted_channels(ines)[kind]


def test_the_switch_stops_a_message_that_waits(server: Receiver, ines: User) -> None:
    device_of(ines, server)
    notification = turn_of(ines)
    notifications.stop(ines, Kind.TURN, Channel.PUSH)
    assert deliver(notification).why_dropped == "unwanted"
    assert not server.requests


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_is_gone_is_switched_off_and_the_others_go_on(
    server: Receiver, ines: User, status: int
) -> None:
    device_of(ines, server, "/gone")
    server.paths = {"/gone": status}
    other = device_of(ines, server, "/push/2")
    assert deliver(turn_of(ines)).sent_at
    assert [one.path for one in server.requests if one.path != "/gone"] == ["/push/2"]
    assert other.read(server.requests[-1] if server.requests[-1].path != "/gone" else server.requests[0])
    assert Browser.objects.filter(off_at=None).count() == 1
    assert "does not take our messages any more" in client_of(ines).get(PAGE).text
    assert "stopped sending push messages" in client_of(ines).get("/").text
    Browser.objects.exclude(off_at=None).delete()
    assert "stopped sending push messages" not in client_of(ines).get("/").text


def test_a_browser_that_asks_again_replaces_its_row_that_is_off(server: Receiver, ines: User) -> None:
    firefox, chrome = {"User-Agent": "Firefox"}, {"User-Agent": "Chrome"}
    for path, agent in [("/1", firefox), ("/2", chrome)]:
        fields = Device(new_key(), server.url + path).fields()
        client_of(ines).post(f"{PAGE}browsers/", fields, headers=agent)
    Browser.objects.update(off_at=timezone.now())
    fields = Device(new_key(), f"{server.url}/3").fields()
    client_of(ines).post(f"{PAGE}browsers/", fields, headers=firefox)
    client_of(ines).post(f"{PAGE}browsers/", fields | {"endpoint": f"{server.url}/4"}, headers=firefox)
    paths = [one.endpoint.removeprefix(server.url) for one in Browser.objects.order_by("pk")]
    assert paths == ["/2", "/3", "/4"], "two that work may have the same name"


def test_a_failure_of_one_browser_doubles_and_loses_nothing(server: Receiver, ines: User) -> None:
    device_of(ines, server, "/fails")
    device_of(ines, server, "/works")
    server.paths = {"/fails": 503}
    notification = deliver(turn_of(ines), attempts=2)
    assert (notification.sent_at, notification.attempts) == (None, 2)
    server.paths = {}
    assert deliver(notification).sent_at
    assert sorted(one.path for one in server.requests) == ["/fails"] * 3 + ["/works"]


def test_a_push_server_that_rests_is_no_failure_of_the_browser(server: Receiver, ines: User) -> None:
    device_of(ines, server)
    for _request in range(2):
        outside_places.note_request("127.0.0.1", guarded_client.LONGEST_REQUEST)
    notification = deliver(turn_of(ines))
    assert (notification.sent_at, notification.attempts) == (None, 1)
    assert not server.requests
    assert Browser.objects.get().failing_since is None


def test_several_messages_that_one_browser_does_not_get_are_not_repeated_at_the_other(
    server: Receiver, ines: User
) -> None:
    device_of(ines, server, "/fails")
    device_of(ines, server, "/works")
    server.paths = {"/fails": 503}
    first, second = turn_of(ines), turn_of(ines, game_of(ines, person("Mina")))
    for _retry in range(2):
        deliver(first)
        deliver(second)
    assert server.received_at() == ["/fails"] * 4 + ["/works"] * 2
    server.paths = {}
    assert deliver(first).sent_at
    assert deliver(second).sent_at
    assert server.received_at() == ["/fails"] * 6 + ["/works"] * 2


@pytest.mark.parametrize("endpoint", ["http://127.0.0.1:9/", "https://push.example.org/", "/fails"])
def test_a_browser_that_gets_nothing_for_days_is_switched_off_and_its_person_is_told(
    server: Receiver, ines: User, monkeypatch: pytest.MonkeyPatch, endpoint: str
) -> None:
    """Its server is down, its name leads to a private address, or all its answers are errors."""
    monkeypatch.setattr(guarded_client.socket, "getaddrinfo", look_up)
    device_of(ines, server, "/fails")
    Browser.objects.filter(endpoint__startswith=server.url).update(
        endpoint=endpoint if ":" in endpoint else server.url + endpoint
    )
    server.status = 503
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


def test_a_browser_that_gets_a_message_in_between_stays(server: Receiver, ines: User) -> None:
    device_of(ines, server)
    game = game_of(ines, person("Tobias"))
    with frozen_clock() as clock:
        for status in (503, 201, 503):
            server.status = status
            deliver(turn_of(ines, game))
            clock.move_on(days=4)
        assert Browser.objects.get().off_at is None


@pytest.mark.parametrize("status", [503, 403])
def test_a_browser_that_fails_at_times_with_nothing_to_send_between_them_stays(
    server: Receiver, ines: User, status: int
) -> None:
    device_of(ines, server)
    server.status = status
    with frozen_clock() as clock:
        notification = deliver(turn_of(ines))
        for _failure in range(3):
            clock.move_on(days=6)
            assert deliver(notification).attempts
        assert Browser.objects.get().off_at is None


@pytest.mark.parametrize("what", ["browser", "notification"])
def test_a_message_whose_browser_or_notification_is_removed_while_it_is_sent_causes_no_error(
    server: Receiver, ines: User, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    device_of(ines, server)
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
    assert len(server.requests) == 1


def test_the_longest_pause_that_a_push_server_asks_for_counts(server: Receiver, ines: User) -> None:
    device_of(ines, server)
    server.status, server.headers = 429, {"Retry-After": "900"}
    before = timezone.now()
    assert deliver(turn_of(ines)).due_at - before > timedelta(seconds=890)


def test_a_push_server_that_refuses_for_a_day_is_switched_off(server: Receiver, ines: User) -> None:
    device_of(ines, server)
    server.status = 403
    notification = deliver(turn_of(ines))
    assert Browser.objects.get().off_at is None
    Browser.objects.update(refused_at=timezone.now() - timedelta(days=2))
    assert deliver(notification).sent_at is None
    assert Browser.objects.get().off_at
    assert deliver(notification).why_dropped == "no receiver"
    assert "your browser or webhook took no messages any more" in client_of(ines).get(f"{PAGE}sent/").text


@pytest.mark.parametrize(
    "change",
    [
        {"endpoint": "https://10.0.0.7/"},
        {"endpoint": "http://example.org/"},
        {"auth": "x"},
        {"public_key": ""},
    ],
)
def test_a_damaged_subscription_stores_nothing(server: Receiver, ines: User, change: dict[str, str]) -> None:
    fields = Device(new_key(), server.url).fields() | change
    assert client_of(ines).post(f"{PAGE}browsers/", fields).status_code == 400
    assert not Browser.objects.exists()


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox, Linux"),
        (
            "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/140.0 Safari/537.36",
            "Chrome, Android",
        ),
        ("Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0", "Edge, Windows"),
        ("moon", "?"),
    ],
)
def test_a_browser_has_a_name_by_which_its_user_recognises_it(
    server: Receiver, ines: User, agent: str, name: str
) -> None:
    fields = Device(new_key(), server.url).fields()
    client_of(ines).post(f"{PAGE}browsers/", fields, headers={"User-Agent": agent})
    assert Browser.objects.get().name == name


def test_a_browser_renews_its_subscription_without_a_page(server: Receiver, ines: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(ines)
    old = device_of(ines, server)
    new = Device(new_key(), f"{server.url}/push/2").fields() | {"replaced": old.endpoint}
    assert client.post(f"{PAGE}browsers/", new).status_code == 403
    answer = client.get(f"{PAGE}browsers/").json()
    assert answer["key"]
    assert client.post(f"{PAGE}browsers/", new, headers=answer["headers"]).status_code == 204
    assert Browser.objects.get().endpoint == new["endpoint"]
    assert client_of(ines).get(PAGE).text.count("This browser now shows") == 0, "nobody has pressed anything"
    assert deliver(turn_of(ines)).sent_at
    assert [one.path for one in server.requests] == ["/push/2"]


@pytest.mark.parametrize("says_which", [True, False])
def test_a_browser_renews_no_subscription_of_another_person(
    server: Receiver, ines: User, says_which: bool
) -> None:
    old, tobias = device_of(ines, server), person("Tobias")
    fields = Device(new_key(), f"{server.url}/push/2").fields()
    replaced = {"replaced": old.endpoint if says_which else ""}
    assert client_of(tobias).post(f"{PAGE}browsers/", fields | replaced).status_code == 409
    assert [(one.user, one.endpoint) for one in Browser.objects.all()] == [(ines, old.endpoint)]


def test_people_remove_only_their_own_browsers(server: Receiver, ines: User) -> None:
    device_of(ines, server)
    path = f"{PAGE}browsers/{Browser.objects.get().pk}/remove/"
    client_of(person("Tobias")).post(path)
    assert Browser.objects.exists()
    assert "gets no more push messages" in client_of(ines).post(path, follow=True).text
    assert not Browser.objects.exists()


def test_a_browser_belongs_to_the_person_who_used_it_last(server: Receiver, ines: User) -> None:
    device, tobias = device_of(ines, server), person("Tobias")
    client_of(tobias).post(f"{PAGE}browsers/", device.fields())
    assert Browser.objects.get().user == tobias


def test_a_site_without_a_key_offers_no_push_messages(client: Client, ines: User) -> None:
    assert "data-push" not in client_of(ines).get(PAGE).text


def test_the_command_makes_a_key_that_works(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("make_push_keys")
    name, _equals, key = capsys.readouterr().out.strip().partition("=")
    assert name == "NOVALUNA_PUSH_KEY"
    header = Vapid02.from_raw(key.encode()).sign(
        {"aud": "https://example.org", "sub": "mailto:a@example.org"}
    )
    assert Vapid02.verify(header["Authorization"])
