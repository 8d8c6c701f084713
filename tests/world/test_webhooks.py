"""Webhooks as Discord, Slack and programs answer: what is lost, what waits, and what ends the webhook."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from accounts.outside.guarded_client import Answer
from games.models import Webhook
from games.notifications.webhook_answers import Verdict, describe, judge, pause_after
from tests.clients import client_of
from tests.frozen import frozen_clock
from tests.games.notifications.devices import withdraw
from tests.games.notifications.hooks import PAGE, deliver, set_up, turn_of
from tests.play import game_of, person
from tests.receiver import Receiver

pytestmark = pytest.mark.django_db


def discord(code: int, message: str = "") -> bytes:
    return json.dumps({"code": code, "message": message}).encode()


ANSWERS = [
    # Discord
    ("discord", 200, b'{"id": "77"}', Verdict.ARRIVED),
    ("discord", 204, b"", Verdict.ARRIVED),
    ("discord", 404, discord(10015), Verdict.ADDRESS_GONE),
    ("discord", 401, discord(50027), Verdict.ADDRESS_GONE),
    ("discord", 404, discord(10003), Verdict.MESSAGE_REFUSED),
    ("discord", 404, discord(10008), Verdict.MESSAGE_REFUSED),
    ("discord", 400, discord(50083), Verdict.MESSAGE_REFUSED),
    ("discord", 400, discord(160005), Verdict.MESSAGE_REFUSED),
    ("discord", 400, discord(220001), Verdict.MESSAGE_REFUSED),
    ("discord", 400, discord(50035), Verdict.MESSAGE_REFUSED),
    ("discord", 400, discord(240000), Verdict.MESSAGE_REFUSED),
    ("discord", 400, b"", Verdict.MESSAGE_REFUSED),
    ("discord", 404, b"<html>", Verdict.ADDRESS_REFUSED),
    ("discord", 404, b"[" * 60_000, Verdict.ADDRESS_REFUSED),
    ("discord", 404, discord("10015"), Verdict.ADDRESS_REFUSED),
    ("discord", 403, discord(50013), Verdict.ADDRESS_REFUSED),
    ("discord", 403, b"<html>error 1015", Verdict.LATER),
    ("discord", 403, discord(40333), Verdict.LATER),
    ("discord", 429, b'{"retry_after": 3.5}', Verdict.LATER),
    ("discord", 429, discord(30046), Verdict.LATER),
    ("discord", 500, b"", Verdict.LATER),
    ("discord", 503, discord(130000), Verdict.LATER),
    ("discord", 520, b"", Verdict.LATER),
    # Slack
    ("slack", 200, b"ok", Verdict.ARRIVED),
    ("slack", 404, b"no_service", Verdict.ADDRESS_GONE),
    ("slack", 404, b"no_team", Verdict.ADDRESS_GONE),
    ("slack", 403, b"invalid_token", Verdict.ADDRESS_GONE),
    ("slack", 410, b"channel_is_archived", Verdict.MESSAGE_REFUSED),
    ("slack", 400, b"invalid_payload", Verdict.MESSAGE_REFUSED),
    ("slack", 404, b"channel_not_found", Verdict.ADDRESS_REFUSED),
    ("slack", 403, b"action_prohibited", Verdict.ADDRESS_REFUSED),
    ("slack", 500, b"rollup_error", Verdict.LATER),
    ("slack", 429, b"", Verdict.LATER),
    # Programs
    ("json", 201, b"no_service", Verdict.ARRIVED),
    ("json", 410, b"", Verdict.ADDRESS_GONE),
    ("json", 413, b"", Verdict.MESSAGE_REFUSED),
    ("json", 301, b"", Verdict.ADDRESS_REFUSED),
    ("json", 400, b"", Verdict.ADDRESS_REFUSED),
    ("json", 404, discord(10015), Verdict.ADDRESS_REFUSED),
    ("json", 408, b"", Verdict.LATER),
    ("json", 425, b"", Verdict.LATER),
    ("json", 429, b"", Verdict.LATER),
    ("json", 502, b"", Verdict.LATER),
]


@pytest.mark.parametrize(("format", "status", "body", "verdict"), ANSWERS, ids=lambda value: str(value)[:30])
def test_each_answer_has_one_meaning(format: str, status: int, body: bytes, verdict: Verdict) -> None:
    assert judge(format, Answer(status, body)) is verdict


@pytest.mark.parametrize(
    ("format", "body", "header", "seconds"),
    [
        ("discord", b'{"retry_after": 64.57}', 0, 64.57),
        ("discord", b'{"retry_after": 2}', 65, 65),
        ("discord", b'{"retry_after": "soon"}', 3, 3),
        ("discord", b'{"retry_after": NaN}', 3, 3),
        ("discord", b'{"retry_after": 1e300}', 0, 86_400),
        ("discord", b'{"retry_after": Infinity}', 3, 3),
        ("json", b'{"retry_after": 64}', 0, 0),
    ],
)
def test_discord_names_the_pause_in_the_body_too(
    format: str, body: bytes, header: int, seconds: float
) -> None:
    answer = Answer(429, body, timedelta(seconds=header))
    assert pause_after(format, answer) == timedelta(seconds=seconds)


def test_the_owner_reads_the_reason_of_discord_and_slack_but_no_page_of_another_server() -> None:
    assert describe("discord", Answer(400, discord(50083, "Thread is archived"))) == (
        "HTTP 400: Thread is archived"
    )
    assert describe("slack", Answer(404, b"no_service\n")) == "HTTP 404: no_service"
    assert describe("slack", Answer(404, b"<html>secret")) == "HTTP 404"
    assert describe("json", Answer(500, b"secret")) == "HTTP 500"


def methods(receiver: Receiver) -> list[str]:
    return [one.method for one in receiver.requests if one.method != "DELETE"]


def test_each_turn_is_a_post_that_discord_notifies_of(receiver: Receiver, ines: User) -> None:
    client = set_up(ines, receiver, "discord")
    game = game_of(ines, person("Tobias"))
    for number in (77, 78, 79):
        receiver.answer = json.dumps({"id": str(number)}).encode()
        deliver(turn_of(ines, game))
    assert methods(receiver) == ["POST"] * 3
    deleted = [one.path for one in receiver.requests if one.method == "DELETE"]
    assert deleted == ["/hook/messages/77", "/hook/messages/78"]
    assert "Each notification is a new post" in client.get(PAGE).text


def in_a_thread(ines: User, receiver: Receiver) -> None:
    set_up(ines, receiver, "discord")
    Webhook.objects.update(url=f"{receiver.url}/hook?thread_id=9&wait=false")
    receiver.answer = b'{"id": "77"}'


def test_the_thread_is_named_in_each_request(receiver: Receiver, ines: User) -> None:
    in_a_thread(ines, receiver)
    turn = deliver(turn_of(ines))
    withdraw(turn)
    deliver(turn_of(ines, turn.game))
    assert [one.path for one in receiver.requests] == [
        "/hook?thread_id=9&wait=true",
        "/hook/messages/77?thread_id=9",
        "/hook?thread_id=9&wait=true",
    ]


def test_an_older_post_that_cannot_be_changed_costs_nothing(receiver: Receiver, ines: User) -> None:
    in_a_thread(ines, receiver)
    game = game_of(ines, person("Tobias"))
    refusals = [(400, 50083), (404, 10008), (404, 10015), (429, 30046), (500, 0)]
    for number, (status, code) in enumerate(refusals, 77):
        receiver.statuses = {"PATCH": status, "DELETE": status}
        receiver.answer = json.dumps({"id": str(number), "code": code}).encode()
        turn = turn_of(ines, game)
        assert deliver(turn).sent_at
        withdraw(turn)
        stored = Webhook.objects.get()
        assert (stored.off_at, stored.failing_since, stored.error) == (None, None, "")
    assert methods(receiver) == ["POST", "PATCH"] * len(refusals)


def test_a_thread_that_is_archived_costs_one_post_and_no_other(receiver: Receiver, ines: User) -> None:
    in_a_thread(ines, receiver)
    receiver.status, receiver.answer = 400, discord(50083, "Thread is archived")
    game = game_of(ines, person("Tobias"))
    with frozen_clock() as clock:
        for _turn in range(3):
            lost = deliver(turn_of(ines, game))
            assert (lost.sent_at, lost.why_dropped) == (None, "message refused")
            clock.move_on(days=3)
        assert Webhook.objects.get().off_at is None
        client = client_of(ines)
        assert "Thread is archived" in client.get(PAGE).text
        assert "refused this message" in client.get("/account/notifications/sent/").text
        receiver.status, receiver.answer = 200, b'{"id": "78"}'
        assert deliver(turn_of(ines, game)).sent_at
    assert Webhook.objects.get().error == ""


def test_one_message_that_is_refused_for_a_day_does_not_end_a_webhook_that_takes_others(
    receiver: Receiver, ines: User
) -> None:
    set_up(ines, receiver, "json")
    with frozen_clock() as clock:
        receiver.status = 422
        refused = deliver(turn_of(ines))
        clock.move_on(hours=12)
        receiver.status = 200
        assert deliver(turn_of(ines, game_of(ines, person("Mina")))).sent_at
        clock.move_on(hours=13)
        receiver.status = 422
        assert deliver(refused).why_dropped == "address refused"
        assert Webhook.objects.get().off_at is None
        refused = deliver(turn_of(ines, refused.game))
        clock.move_on(hours=25)
        deliver(refused)
        assert Webhook.objects.get().off_at, "nothing has arrived since"


@pytest.mark.parametrize(
    ("format", "status", "body"),
    [("discord", 404, discord(10015)), ("slack", 404, b"no_service"), ("json", 410, b"")],
)
def test_a_webhook_that_its_service_has_removed_is_off_after_one_try(
    receiver: Receiver, ines: User, format: str, status: int, body: bytes
) -> None:
    set_up(ines, receiver, format)
    receiver.status, receiver.answer = status, body
    notification = deliver(turn_of(ines))
    assert Webhook.objects.get().off_at
    assert "stopped posting" in client_of(ines).get("/").text
    assert deliver(notification).why_dropped == "no receiver"
    assert len(receiver.requests) == 1


def test_a_post_has_at_most_2000_characters_and_its_whole_link(receiver: Receiver, ines: User) -> None:
    set_up(ines, receiver, "discord")
    names = ["_" * 150, "*" * 149, "~" * 150]
    others = [person(f"Tobias{number}") for number in range(3)]
    game = game_of(ines, *others)
    turn = turn_of(ines, game)
    for user, name in zip(others, names, strict=True):
        User.objects.filter(pk=user.pk).update(username=name)
    assert deliver(turn).sent_at
    content = json.loads(receiver.requests[0].body)["content"]
    assert len(content) <= 2000
    assert content.endswith(f"/g/{game.key}/>")


@pytest.mark.parametrize(
    ("url", "stored"),
    [
        ("https://discord.com/api/webhooks/1/moon/slack", "https://discord.com/api/webhooks/1/moon"),
        (
            "https://discord.com/api/webhooks/1/moon/github?thread_id=2",
            "https://discord.com/api/webhooks/1/moon?thread_id=2",
        ),
        ("https://discord.com/api/webhooks/1/slack-moon", "https://discord.com/api/webhooks/1/slack-moon"),
    ],
)
def test_an_address_of_discord_for_messages_of_others_becomes_its_own(
    ines: User, url: str, stored: str
) -> None:
    client_of(ines).post(PAGE, {"url": url, "format": "discord"})
    assert Webhook.objects.get().url == stored


def test_a_new_address_forgets_what_arrived_at_the_old_one(receiver: Receiver, ines: User) -> None:
    client = set_up(ines, receiver)
    deliver(turn_of(ines))
    assert Webhook.objects.get().arrived_at > timezone.now() - timedelta(minutes=1)
    client.post(PAGE, {"url": f"{receiver.url}/other", "format": "json"})
    assert Webhook.objects.get().arrived_at is None
