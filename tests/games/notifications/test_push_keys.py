"""The key of the site for push messages: none are offered without it, and a command makes one."""

import pytest
from django.core.management import call_command
from django.test import Client
from py_vapid import Vapid02

from accounts.models import User
from tests.clients import client_of
from tests.games.notifications.devices import PAGE

pytestmark = pytest.mark.django_db


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
