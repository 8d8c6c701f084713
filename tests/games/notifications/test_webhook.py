"""Webhooks: signed posts to Discord, Slack or a program of the person, sent once, and lost by no failure."""

import base64
import hashlib
import hmac
import json
import uuid
from collections.abc import Iterator
from datetime import timedelta
from time import monotonic

import pytest
from django.test import Client
from django.utils import timezone

from accounts import guarded_client, outside_places
from accounts.models import User
from games import tasks
from games.models import (
    Channel,
    Game,
    Kind,
    Notification,
    Nudge,
    Seat,
    Webhook,
    WebhookPost,
    wanted_channels,
)
from games.notifications import delivery, webhook, withdrawal
from games.notifications.webhook import send_test
from games.services import chat, notifications
from games.services.channels import webhooks
from tests.clients import client_of
from tests.frozen import frozen_clock
from tests.games.notifications.test_push import withdraw, withdrawals
from tests.play import game_of, hand_over, mover, person, play_one, play_out
from tests.receiver import Received, Receiver, receiver

pytestmark = pytest.mark.django_db

PAGE = "/account/notifications/webhook/"
FORM = {"digest_hour": "7", "time_zone": ""}


@pytest.fixture
def server(settings: object) -> Iterator[Receiver]:
    settings.OUTGOING_TO_LOOPBACK = True
    with receiver() as one:
        yield one


def set_up(user: User, server: Receiver, format: str = "json") -> Client:
    """Store a webhook of this user by the page, and return their client."""
    client = client_of(user)
    assert client.post(PAGE, {"url": f"{server.url}/hook", "format": "json"}).url == PAGE
    # For the other formats, the page takes only addresses of Discord and Slack.
    Webhook.objects.filter(user=user).update(format=format)
    return client


def turn_of(ines: User, game: Game | None = None) -> Notification:
    """Return the notification by webhook about a turn that begins for Ines in a game."""
    game = game or game_of(ines, person("Tobias"))
    while mover(game) == ines:
        play_one(game)
    while mover(game) != ines:
        play_one(game)
    Seat.objects.update(seen_at=None)
    rows = Notification.objects.filter(user=ines, kind=Kind.TURN, channel=Channel.WEBHOOK)
    return rows.latest("version")


def deliver(notification: Notification, attempts: int = 1) -> Notification:
    """Deliver a notification as if it were due each time."""
    for _attempt in range(attempts):
        Notification.objects.filter(pk=notification.pk).update(due_at=timezone.now())
        delivery.deliver(notification.pk)
    notification.refresh_from_db()
    return notification


def has_right_signature(request: Received, secret: str) -> bool:
    """Check a request as https://www.standardwebhooks.com tells receivers to."""
    sent_at = int(request.headers["webhook-timestamp"])
    signed = f"{request.headers['webhook-id']}.{sent_at}.".encode() + request.body
    digest = hmac.new(base64.b64decode(secret.removeprefix("whsec_")), signed, hashlib.sha256).digest()
    version, _comma, given = request.headers["webhook-signature"].partition(",")
    is_recent = abs(timezone.now().timestamp() - sent_at) < 60
    return version == "v1" and is_recent and hmac.compare_digest(base64.b64decode(given), digest)


def test_a_turn_is_posted_once_as_signed_json(server: Receiver, ines: User) -> None:
    client = set_up(ines, server)
    secret = Webhook.objects.get().secret
    assert secret in client.get(PAGE).text
    assert secret not in client.get(PAGE).text, "the secret is shown once"
    notification = deliver(turn_of(ines), attempts=2)
    assert notification.sent_at
    [request] = server.requests
    assert has_right_signature(request, secret)
    assert not has_right_signature(request, secret[:-8] + "AAAAAAA=")
    sent = json.loads(request.body)
    assert sent["type"] == "notification.turn"
    assert sent["data"]["title"] == "Your turn against Tobias"
    assert "Ines: " in sent["data"]["text"]
    assert "discs left" in sent["data"]["text"]
    assert sent["data"]["url"].endswith(f"/g/{notification.game.key}/"), "others can read it: no signed link"
    assert "webhook" in client.get("/account/notifications/sent/").text


def test_the_grid_shows_the_channel_and_its_switch_stops_it(server: Receiver, ines: User) -> None:
    assert "Webhook" not in client_of(ines).get("/account/notifications/").text.partition("Time zone")[0]
    client = set_up(ines, server)
    assert "Webhook" in client.get("/account/notifications/").text.partition("Time zone")[0]
    notification = turn_of(ines)
    client.post("/account/notifications/", FORM | {"turn": "mail", "over": ["mail", "webhook"]})
    assert wanted_channels(ines)[Kind.TURN] == {Channel.MAIL}
    assert wanted_channels(ines)[Kind.OVER] == {Channel.MAIL, Channel.WEBHOOK}
    assert deliver(notification).why_dropped == "unwanted"
    assert not server.requests


def test_the_grid_keeps_choices_of_channels_that_it_does_not_show(server: Receiver, ines: User) -> None:
    client = client_of(ines)
    client.post("/account/notifications/", FORM | {"turn": "mail"})
    set_up(ines, server)
    assert Channel.WEBHOOK in wanted_channels(ines)[Kind.TURN]


@pytest.mark.parametrize("kind", Kind.values)
def test_each_kind_is_on_until_it_is_switched_off(server: Receiver, ines: User, kind: str) -> None:
    set_up(ines, server)
    assert Channel.WEBHOOK in wanted_channels(ines)[kind]
    notifications.stop(ines, kind, Channel.WEBHOOK)
    assert Channel.WEBHOOK not in wanted_channels(ines)[kind]


def test_discord_gets_a_new_post_for_each_turn_and_keeps_one_a_game(server: Receiver, ines: User) -> None:
    set_up(ines, server, "discord")
    server.answer = b'{"id": "1234567890123456789"}'
    game = game_of(ines, person("Tobias_*@everyone"))
    deliver(turn_of(ines, game))
    server.answer = b'{"id": "18"}'
    deliver(turn_of(ines, game))
    first, second, third = server.requests
    assert (first.method, first.path) == ("POST", "/hook?wait=true")
    assert (second.method, second.path) == ("POST", "/hook?wait=true")
    assert (third.method, third.path) == ("DELETE", "/hook/messages/1234567890123456789")
    sent = json.loads(second.body)
    assert sent["allowed_mentions"] == {"parse": []}
    assert "Tobias\\_\\*\\@everyone" in sent["content"]
    assert f"/g/{game.key}/>" in sent["content"]


def contents(server: Receiver) -> list[tuple[str, str]]:
    """Return the method and the first line of each request to Discord."""
    return [
        (one.method, json.loads(one.body)["content"].split("\n")[0]) for one in server.requests if one.body
    ]


def test_the_post_says_no_longer_that_it_is_my_turn_when_i_have_moved(server: Receiver, ines: User) -> None:
    set_up(ines, server, "discord")
    server.answer = b'{"id": "17"}'
    turn = deliver(turn_of(ines))
    withdraw(turn)
    assert contents(server) == [
        ("POST", "**Your turn against Tobias**"),
        ("PATCH", "**It is no longer your turn against Tobias**"),
    ]
    deliver(turn_of(ines, turn.game))
    assert contents(server)[2:] == [("POST", "**Your turn against Tobias**")]


def test_the_post_says_no_longer_that_it_is_my_turn_when_i_have_handed_my_seat_over(
    server: Receiver, ines: User
) -> None:
    set_up(ines, server, "discord")
    server.answer = b'{"id": "17"}'
    turn = deliver(turn_of(ines))
    with withdrawals():
        hand_over(turn.game, ines, person("Mina"))
    assert contents(server)[1:] == [("PATCH", "**It is no longer your turn against Tobias**")]


def test_only_a_post_about_a_turn_that_is_over_is_edited(server: Receiver, ines: User) -> None:
    set_up(ines, server, "discord")
    server.answer = b'{"id": "17"}'
    turn = deliver(turn_of(ines))
    tasks.withdraw(turn.pk)
    assert len(server.requests) == 1, "it is still the turn of Ines"
    chat.write(turn.game.key, User.objects.get(username="Tobias"), "Your turn, Ines!", uuid.uuid4())
    server.answer = b'{"id": "18"}'
    deliver(Notification.objects.get(user=ines, kind=Kind.CHAT, channel=Channel.WEBHOOK))
    withdraw(turn)
    assert [(one.method, one.path) for one in server.requests[1:]] == [
        ("POST", "/hook"),
        ("PATCH", "/hook/messages/17"),
    ]


def test_a_withdrawal_that_waited_for_the_next_turn_does_not_replace_it(
    server: Receiver, ines: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_up(ines, server, "discord")
    server.answer = b'{"id": "17"}'
    turn = deliver(turn_of(ines))
    while mover(turn.game) == ines:
        play_one(turn.game)

    def write_while_the_next_turn_begins(game: Game) -> str:
        deliver(turn_of(ines, game))
        return ""

    monkeypatch.setattr(withdrawal, "describe_score", write_while_the_next_turn_begins)
    tasks.withdraw(turn.pk)
    assert contents(server)[1:] == [("POST", "**Your turn against Tobias**")]


def test_the_end_is_a_new_post_unless_the_player_has_seen_it(server: Receiver, ines: User) -> None:
    tobias = person("Tobias")
    for user in (ines, tobias):
        set_up(user, server, "discord")
    server.answer = b'{"id": "17"}'
    game = play_out(deliver(turn_of(ines, game_of(ines, tobias))).game)
    Game.objects.update(moved_at=timezone.now() - timedelta(hours=1))
    Seat.objects.filter(user=tobias).update(seen_at=timezone.now() - timedelta(minutes=30))
    Seat.objects.filter(user=ines).update(seen_at=None)
    game.actions.update(made_by=tobias)
    over = Notification.objects.filter(game=game, kind=Kind.OVER, channel=Channel.WEBHOOK)
    assert deliver(over.get(user=tobias)).why_dropped == "seen"
    assert deliver(over.get(user=ines)).sent_at
    method, title = contents(server)[-1]
    assert method == "POST"
    assert title in ("**Tobias won against you**", "**You won against Tobias**")


def test_two_workers_make_one_post_about_a_game(
    server: Receiver, ines: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_up(ines, server, "discord")
    server.answer = b'{"id": "17"}'
    first = turn_of(ines)
    nudge = Nudge.objects.create(game=first.game, user=ines, sender=person("Mina"), at=timezone.now())
    notifications.owe_nudge(nudge)
    second = Notification.objects.get(kind=Kind.NUDGE, channel=Channel.WEBHOOK)

    def send_while_another_worker_tries(*request: object) -> guarded_client.Answer:
        monkeypatch.setattr(webhook, "send", guarded_client.send)
        waiting = deliver(second)
        assert (waiting.sent_at, waiting.attempts, waiting.error) == (None, 0, "")
        assert (ines.webhook.error, ines.webhook.failing_since) == ("", None), "it has not failed"
        return guarded_client.send(*request)

    monkeypatch.setattr(webhook, "send", send_while_another_worker_tries)
    assert deliver(first).sent_at
    assert deliver(second).sent_at
    assert [one.method for one in server.requests] == ["POST", "POST"]


def test_the_claim_of_a_worker_that_died_while_it_posted_ends(server: Receiver, ines: User) -> None:
    set_up(ines, server, "discord")
    server.answer = b'{"id": "17"}'
    turn = turn_of(ines)
    claim = timezone.now() + timedelta(seconds=20)
    WebhookPost.objects.create(webhook=ines.webhook, game=turn.game, claimed_until=claim)
    assert deliver(turn).sent_at is None
    WebhookPost.objects.update(claimed_until=timezone.now())
    assert deliver(turn).sent_at
    assert WebhookPost.objects.get().message_id == "17"


def test_slack_gets_each_notification_as_a_new_post(server: Receiver, ines: User) -> None:
    set_up(ines, server, "slack")
    game = game_of(ines, person("Tobias <3"))
    deliver(turn_of(ines, game))
    deliver(turn_of(ines, game))
    assert [one.method for one in server.requests] == ["POST", "POST"]
    assert "Tobias &lt;3" in json.loads(server.requests[0].body)["text"]


@pytest.mark.parametrize("status", [500, 503, 429])
def test_a_server_that_fails_gets_the_message_later_and_once(
    server: Receiver, ines: User, status: int
) -> None:
    set_up(ines, server)
    server.status = status
    notification = deliver(turn_of(ines), attempts=3)
    assert (notification.sent_at, notification.attempts) == (None, 3)
    assert notification.due_at > timezone.now() + timedelta(seconds=50)
    server.status = 204
    assert deliver(notification, attempts=2).sent_at
    assert len({one.headers["webhook-id"] for one in server.requests}) == 1
    assert len(server.requests) == 4


@pytest.mark.parametrize(
    ("asked", "least", "most"),
    [("600", 590, 601), ("0.3", 14, 16), ("soon", 14, 16), ("nan", 14, 16), ("1e9", 3590, 3601)],
)
def test_a_server_that_asks_for_a_pause_gets_it_up_to_an_hour(
    server: Receiver, ines: User, asked: str, least: int, most: int
) -> None:
    set_up(ines, server)
    server.status, server.headers = 429, {"Retry-After": asked}
    before = timezone.now()
    pause = deliver(turn_of(ines)).due_at - before
    assert timedelta(seconds=least) < pause < timedelta(seconds=most + 5)


def test_a_server_that_is_down_loses_nothing(server: Receiver, ines: User) -> None:
    set_up(ines, server)
    notification = turn_of(ines)
    Webhook.objects.update(url="http://127.0.0.1:9/")
    assert deliver(notification).sent_at is None
    Webhook.objects.update(url=server.url)
    assert deliver(notification).sent_at
    assert len(server.requests) == 1


def test_a_server_that_hangs_is_left_after_a_moment_and_gets_the_message_later(
    server: Receiver, ines: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_up(ines, server)
    monkeypatch.setattr(guarded_client, "LONGEST_REQUEST", 0.3)
    server.hangs = True
    before = monotonic()
    notification = deliver(turn_of(ines))
    assert monotonic() - before < 5
    assert (notification.sent_at, notification.attempts) == (None, 1)
    assert notification.error
    assert "stopped posting" not in client_of(ines).get(PAGE).text
    server.hangs = False
    assert deliver(notification, attempts=2).sent_at
    assert len(server.requests) == 2
    assert len({one.headers["webhook-id"] for one in server.requests}) == 1, "it can drop the second"


def test_a_server_that_rests_is_no_failure_of_the_webhook(server: Receiver, ines: User) -> None:
    set_up(ines, server)
    for _request in range(2):
        outside_places.note_request("127.0.0.1", guarded_client.LONGEST_REQUEST)
    notification = deliver(turn_of(ines))
    assert (notification.sent_at, notification.attempts) == (None, 1)
    assert not server.requests
    row = Webhook.objects.get()
    assert (row.failing_since, row.failed_at, row.error) == (None, None, "")


def test_a_worker_that_dies_after_a_post_loses_nothing_and_repeats_it_with_the_same_id(
    server: Receiver, ines: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_up(ines, server)
    notification = turn_of(ines)

    def send_and_die(*request: object) -> None:
        guarded_client.send(*request)
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr(webhook, "send", send_and_die)
        with pytest.raises(SystemExit):
            deliver(notification)
    delivery.deliver(notification.pk)
    assert len(server.requests) == 1, "another worker waits for the end of the lease"
    assert deliver(notification, attempts=2).sent_at
    first, second = server.requests
    assert first.headers["webhook-id"] == second.headers["webhook-id"]


@pytest.mark.parametrize("status", [302, 404])
def test_a_webhook_that_refuses_for_a_day_is_switched_off_and_its_owner_is_told(
    server: Receiver, ines: User, status: int
) -> None:
    client = set_up(ines, server)
    server.status = status
    notification = deliver(turn_of(ines))
    assert notification.refused_at
    assert "stopped posting" not in client.get("/account/notifications/").text
    Notification.objects.update(refused_at=timezone.now() - timedelta(days=2))
    assert deliver(notification).why_dropped == "address refused"
    for page in ("/", "/account/notifications/", PAGE):
        assert "stopped posting" in client.get(page).text
    assert Channel.WEBHOOK not in wanted_channels(ines)[Kind.TURN]
    server.status = 200
    client.post(f"{PAGE}test/")
    send_test(Webhook.objects.get().pk)
    assert "stopped posting" not in client.get("/").text


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/", "/hook"])
def test_a_webhook_that_gets_nothing_for_days_is_switched_off_and_its_owner_is_told(
    server: Receiver, ines: User, url: str
) -> None:
    client = set_up(ines, server)
    Webhook.objects.update(url=url if ":" in url else server.url + url)
    server.status = 503
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
        assert client.post(PAGE, {"url": f"{server.url}/hook", "format": "json"}).url == PAGE
        assert deliver(turn_of(ines, notification.game)).dropped_at is None


def test_a_webhook_that_gets_a_message_in_between_stays(server: Receiver, ines: User) -> None:
    set_up(ines, server)
    game = game_of(ines, person("Tobias"))
    with frozen_clock() as clock:
        for status in (503, 204, 503):
            server.status = status
            deliver(turn_of(ines, game))
            clock.move_on(days=4)
        assert Webhook.objects.get().off_at is None


def test_a_webhook_that_fails_at_times_with_nothing_to_post_between_them_stays(
    server: Receiver, ines: User
) -> None:
    set_up(ines, server)
    server.status = 503
    with frozen_clock() as clock:
        notification = deliver(turn_of(ines))
        for _failure in range(3):
            clock.move_on(days=6)
            assert deliver(notification).attempts
        assert Webhook.objects.get().off_at is None


def test_a_test_is_sent_once_and_the_page_says_what_came_of_it(server: Receiver, ines: User) -> None:
    client = set_up(ines, server)
    assert client.post(f"{PAGE}test/").url == PAGE
    assert "on its way" in client.get(PAGE).text
    webhook = Webhook.objects.get()
    for _attempt in range(2):
        send_test(webhook.pk)
    [request] = server.requests
    assert json.loads(request.body)["data"]["title"] == "This is a test from Nova Luna."
    assert "arrived" in client.get(PAGE).text
    assert "Please wait a moment" in client.post(f"{PAGE}test/", follow=True).text

    Webhook.objects.update(test_asked_at=timezone.now() - timedelta(minutes=1))
    client.post(f"{PAGE}test/")
    server.status = 404
    send_test(webhook.pk)
    assert "<code>HTTP 404</code>" in client.get(PAGE).text


def test_the_sweep_queues_a_test_that_was_lost_until_it_is_sent(
    server: Receiver, ines: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    queued: list[tuple[object, ...]] = []
    monkeypatch.setattr(tasks, "queue", lambda *task, **_options: queued.append(task) or True)
    set_up(ines, server)
    webhooks.ask_for_test(ines)
    tasks.sweep()
    assert queued == [], "it is on its way"
    Webhook.objects.update(test_asked_at=timezone.now() - timedelta(minutes=1))
    tasks.sweep()
    [(_name, pk)] = queued
    tasks.test_webhook(pk)
    tasks.sweep()
    assert len(queued) == len(server.requests) == 1


@pytest.mark.parametrize("url", ["moon", "http://example.org/", "https://127.0.0.1/", "https://a:b@c.org/"])
def test_an_address_that_is_not_public_is_refused_with_a_reason(ines: User, url: str) -> None:
    response = client_of(ines).post(PAGE, {"url": url, "format": "json"})
    assert response.status_code == 400
    assert 'class="errorlist"' in response.text
    assert not Webhook.objects.exists()


def test_the_secret_can_be_renewed_and_the_webhook_removed(server: Receiver, ines: User) -> None:
    client = set_up(ines, server)
    before = Webhook.objects.get().secret
    client.post(f"{PAGE}secret/")
    after = Webhook.objects.get().secret
    assert before != after
    assert after in client.get(PAGE).text
    client.post(f"{PAGE}remove/")
    assert not Webhook.objects.exists()
    for path in ("secret", "test"):
        assert "You have removed this webhook" in client.post(f"{PAGE}{path}/", follow=True).text


def test_nobody_sees_the_webhook_of_another(server: Receiver, ines: User) -> None:
    set_up(ines, server)
    tobias = client_of(person("Tobias"))
    for page in (PAGE, "/account/notifications/"):
        assert server.url not in tobias.get(page).text
    tobias.post(f"{PAGE}remove/")
    assert Webhook.objects.get().user == ines


def test_a_player_who_has_the_game_open_gets_no_post_until_they_leave(server: Receiver, ines: User) -> None:
    set_up(ines, server)
    notification = turn_of(ines)
    Seat.objects.filter(user=ines).update(seen_at=timezone.now())
    notification = deliver(notification)
    assert (notification.sent_at, notification.dropped_at, server.requests) == (None, None, [])
    assert notification.due_at > timezone.now()
    Seat.objects.filter(user=ines).update(seen_at=None)
    assert deliver(notification).sent_at
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("format", "url"),
    [
        ("discord", "https://canary.discord.com/api/v10/webhooks/1/moon?thread_id=2"),
        ("slack", "https://hooks.slack.com/services/T0/B0/moon"),
        ("json", "https://example.org/hook"),
    ],
)
def test_each_service_takes_its_own_addresses(ines: User, format: str, url: str) -> None:
    response = client_of(ines).post(PAGE, {"url": url, "format": format}, follow=True)
    assert "Your webhook is saved" in response.text
    has_secret = Webhook.objects.get().secret in response.text
    assert has_secret == (format == "json"), "only programs can check a signature"
    assert ("Make a new secret" in response.text) == has_secret


def test_an_address_of_another_service_is_refused_with_a_reason(ines: User) -> None:
    client = client_of(ines)
    for format, service, url in [
        ("discord", "Discord", "https://example.org/api/webhooks/1/moon"),
        ("discord", "Discord", "https://discord.com.example.org/api/webhooks/1/moon"),
        ("discord", "Discord", "https://discord.com/channels/1/2"),
        ("slack", "Slack", "https://discord.com/api/webhooks/1/moon"),
        ("slack", "Slack", "https://evilhooks.slack.com/services/T0"),
    ]:
        response = client.post(PAGE, {"url": url, "format": format})
        assert response.status_code == 400, url
        assert f"This is not a webhook of {service}." in response.text
    assert not Webhook.objects.exists()


def test_the_secret_is_shown_when_a_webhook_begins_to_post_json(ines: User) -> None:
    client = client_of(ines)
    client.post(PAGE, {"url": "https://hooks.slack.com/services/T0", "format": "slack"})
    fields = {"url": "https://example.org/hook", "format": "json"}
    assert Webhook.objects.get().secret in client.post(PAGE, fields, follow=True).text
    assert Webhook.objects.get().secret not in client.post(PAGE, fields, follow=True).text
