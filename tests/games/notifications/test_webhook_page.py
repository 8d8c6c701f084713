"""The page of a webhook: its address, its secret and its test."""

import json
from datetime import timedelta
from urllib.parse import urlsplit

import pytest
from django.utils import timezone

from accounts.models import AccountMail, User
from games import tasks
from games.models import (
    Webhook,
)
from games.notifications.webhook import send_test
from games.services.channels import webhooks
from tests.clients import client_of
from tests.games.notifications.hooks import PAGE, set_up
from tests.play import person
from tests.receiver import Receiver

pytestmark = pytest.mark.django_db


def test_a_test_is_sent_once_and_the_page_says_what_came_of_it(receiver: Receiver, ines: User) -> None:
    client = set_up(ines, receiver)
    assert client.post(f"{PAGE}test/").url == PAGE
    assert "on its way" in client.get(PAGE).text
    webhook = Webhook.objects.get()
    for _attempt in range(2):
        send_test(webhook.pk)
    [request] = receiver.requests
    assert json.loads(request.body)["data"]["title"] == "This is a test from Nova Luna."
    assert "arrived" in client.get(PAGE).text
    assert (
        "You have just sent a test. Please try again in 1 minute."
        in client.post(f"{PAGE}test/", follow=True).text
    )

    Webhook.objects.update(test_asked_at=timezone.now() - timedelta(minutes=1))
    client.post(f"{PAGE}test/")
    receiver.status = 404
    send_test(webhook.pk)
    assert "<code>HTTP 404</code>" in client.get(PAGE).text


def test_the_sweep_queues_a_test_that_was_lost_until_it_is_sent(
    receiver: Receiver, ines: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    queued: list[tuple[object, ...]] = []
    monkeypatch.setattr(tasks, "queue", lambda *task, **_options: queued.append(task) or True)
    set_up(ines, receiver)
    AccountMail.objects.all().delete()  # The one about the new webhook is queued too.
    webhooks.ask_for_test(ines)
    tasks.sweep()
    assert queued == [], "it is on its way"
    Webhook.objects.update(test_asked_at=timezone.now() - timedelta(minutes=1))
    tasks.sweep()
    [(_name, pk)] = queued
    tasks.test_webhook(pk)
    tasks.sweep()
    assert len(queued) == len(receiver.requests) == 1


def test_many_tests_are_refused_with_a_time(receiver: Receiver, ines: User) -> None:
    client = set_up(ines, receiver)
    assert [client.post(f"{PAGE}test/").status_code for _test in range(6)] == [302] * 6
    refused = client.post(f"{PAGE}test/")
    assert refused.status_code == 429
    assert "Please try again in 10 minutes." in refused.text


@pytest.mark.parametrize("url", ["moon", "http://example.org/", "https://127.0.0.1/", "https://a:b@c.org/"])
def test_an_address_that_is_not_public_is_refused_with_a_reason(ines: User, url: str) -> None:
    response = client_of(ines).post(PAGE, {"url": url, "format": "json"})
    assert response.status_code == 400
    assert 'class="errorlist"' in response.text
    assert not Webhook.objects.exists()


def test_the_secret_can_be_renewed_and_the_webhook_removed(receiver: Receiver, ines: User) -> None:
    client = set_up(ines, receiver)
    before = Webhook.objects.get().secret
    client.post(f"{PAGE}secret/")
    after = Webhook.objects.get().secret
    assert before != after
    assert after in client.get(PAGE).text
    client.post(f"{PAGE}remove/")
    assert not Webhook.objects.exists()
    for path in ("secret", "test"):
        assert "You have removed this webhook" in client.post(f"{PAGE}{path}/", follow=True).text


def test_nobody_sees_the_webhook_of_another(receiver: Receiver, ines: User) -> None:
    set_up(ines, receiver)
    tobias = client_of(person("Tobias"))
    for page in (PAGE, "/account/notifications/"):
        assert receiver.url not in tobias.get(page).text
    tobias.post(f"{PAGE}remove/")
    assert Webhook.objects.get().user == ines


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


def test_a_new_address_of_a_webhook_is_in_the_log_of_its_person_and_in_an_email(
    receiver: Receiver, ines: User
) -> None:
    """A thief could set one, and a new password would not end it."""
    client = set_up(ines, receiver)
    client.post(PAGE, {"format": "json", "url": f"{receiver.url}/hook"})
    [mail] = AccountMail.objects.all()
    assert mail.address == "ines@example.org"
    host = urlsplit(receiver.url).hostname
    assert f"which gets the notifications of the account: {host}." in mail.text
    assert receiver.url not in mail.text, "the address may be a secret"
    assert "A webhook was set" in client.get("/account/security/log/").text
