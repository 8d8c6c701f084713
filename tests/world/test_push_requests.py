"""Requests to push servers: how urgent, how long to keep, and who sends them."""

import base64
import json
from datetime import datetime, timedelta
from io import StringIO

import pytest
from django.core import checks
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.utils import timezone

from accounts.models import User
from accounts.outside import vapid
from games.models import Kind
from games.notifications.kind import Message
from games.notifications.push_headers import headers_of, headers_of_withdrawal
from tests.games.notifications.devices import deliver, turn_of
from tests.receiver import Received, Receiver
from tests.world.test_push import OTHER_KEY, logged_in, subscribe

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("push_key")]


def headers(kind: str, deadline: datetime | None = None) -> dict[str, str]:
    message = Message("1", "game-x-1", "", "", "", "", kind=kind, deadline=deadline)
    return headers_of(message)


@pytest.mark.parametrize("kind", Kind.values)
def test_a_dozing_phone_hears_at_once_of_what_waits_for_its_player(kind: str) -> None:
    high = {Kind.TURN, Kind.REMINDER, Kind.NUDGE}
    assert headers(kind)["Urgency"] == ("high" if kind in high else "low" if kind == Kind.CHAT else "normal")
    assert timedelta(days=1) <= timedelta(seconds=int(headers(kind)["TTL"])) <= timedelta(days=28)


@pytest.mark.parametrize(
    ("until_deadline", "seconds"),
    [
        (timedelta(hours=5), 5 * 3600),
        (timedelta(seconds=-30), 60),
        (timedelta(days=90), 28 * 24 * 3600),
        (None, 28 * 24 * 3600),
    ],
)
def test_a_message_about_a_turn_is_kept_until_the_deadline(
    until_deadline: timedelta | None, seconds: int
) -> None:
    deadline = None if until_deadline is None else timezone.now() + until_deadline
    for kind in (Kind.TURN, Kind.REMINDER, Kind.NUDGE):
        assert seconds - 5 <= int(headers(kind, deadline)["TTL"]) <= seconds


def test_a_message_replaces_only_what_it_makes_untrue() -> None:
    withdrawal = headers_of_withdrawal(Message("1", "game-x-1", "", "", "", "", kind=Kind.TURN))
    topics = {kind: headers(kind)["Topic"] for kind in Kind.values}
    assert {topics.pop(kind) for kind in (Kind.TURN, Kind.REMINDER, Kind.NUDGE)} == {withdrawal["Topic"]}
    assert len({withdrawal["Topic"], *topics.values()}) == 1 + len(topics)
    assert withdrawal["Urgency"] == "low"
    assert int(withdrawal["TTL"]) <= 24 * 3600


def claims_of(request: Received) -> dict[str, object]:
    token = request.headers["authorization"].split("t=")[1].split(",")[0]
    payload = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))


@pytest.mark.parametrize(
    ("sender", "site", "contact", "is_reported"),
    [
        ("Nova Luna <nova-luna@localhost>", "http://127.0.0.1:8000", "mailto:nova-luna@localhost", True),
        ("Nova Luna <nova-luna@localhost>", "https://nova-luna.example", "https://nova-luna.example/", True),
        ("moon@luna.local", "https://nova-luna.example", "https://nova-luna.example/", True),
        ("moon@[10.0.0.7]", "https://nova-luna.example", "https://nova-luna.example/", True),
        ("moon@intranet", "https://nova-luna.example", "https://nova-luna.example/", True),
        ("", "https://nova-luna.example", "https://nova-luna.example/", True),
        (
            "Luna <moon@nova-luna.example>",
            "https://nova-luna.example",
            "mailto:moon@nova-luna.example",
            False,
        ),
    ],
)
def test_the_contact_is_one_that_push_servers_take_or_the_check_says_what_to_set(
    settings: object, sender: str, site: str, contact: str, is_reported: bool
) -> None:
    settings.PUSH_KEY, settings.DEFAULT_FROM_EMAIL, settings.SITE_URL = OTHER_KEY, sender, site
    assert vapid.contact() == contact
    found = vapid.check_push()
    assert [one.id for one in found] == (["accounts.E002"] if is_reported else [])
    assert all("DEFAULT_FROM_EMAIL" in one.hint for one in found)


def test_the_token_names_the_contact_and_the_server_and_ends_within_a_day(
    receiver: Receiver, ines: User, settings: object
) -> None:
    subscribe(logged_in(ines), receiver)
    settings.DEFAULT_FROM_EMAIL = "Luna <moon@nova-luna.example>"
    deliver(turn_of(ines))
    claims = claims_of(receiver.requests[-1])
    assert (claims["sub"], claims["aud"]) == ("mailto:moon@nova-luna.example", receiver.url)
    assert timedelta(0) < timedelta(seconds=claims["exp"] - timezone.now().timestamp()) <= timedelta(days=1)
    sent = receiver.requests[-1].headers
    assert (sent["urgency"], sent["ttl"]) == ("high", str(28 * 24 * 3600))


@pytest.mark.parametrize("key", ["moon", "A", "Mö", "_" * 43])
def test_the_check_of_a_deployment_runs_and_finds_a_damaged_key(settings: object, key: str) -> None:
    settings.PUSH_KEY = key
    with pytest.raises(SystemCheckError, match=r"accounts\.E001"):
        call_command("check", deploy=True, tags=[checks.Tags.security], stderr=StringIO())
    settings.PUSH_KEY = ""
    assert vapid.check_push() == []
