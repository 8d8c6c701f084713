"""Every page of allauth's that can be reached is in our look, under our policy, and in our words."""

import re

import pytest
from allauth.account import urls as allauth_urls
from django.test import Client
from django.urls import reverse

from tests.play import person

pytestmark = pytest.mark.django_db

# What allauth calls a page -> the title of ours, for a visitor and for somebody who has signed in.
FOR_VISITORS = {
    "account_login": "Log in",
    "account_signup": "Sign up",
    "account_inactive": "This account is switched off",
    "account_email_verification_sent": "Please look into your mail",
    "account_reset_password": "Forgotten password",
    "account_reset_password_done": "Please look into your mail",
    "account_reset_password_from_key_done": "Your new password is set",
}
FOR_MEMBERS = {
    "account_logout": "Log out",
    "account_email": "Addresses",
    "account_change_password": "Change your password",
    "account_reauthenticate": "Is it you?",
    "account_inactive": "This account is switched off",
    "account_reset_password": "Forgotten password",
}
WITH_KEYS = {
    "/account/confirm-email/moon/": "Confirm your address",
    "/account/password/reset/key/1-moon/": "Choose a new password",
}
# These only send on, to a page above.
SEND_ON = {"account_set_password", "account_confirm_login_code"}


def check(client: Client, path: str, title: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    assert re.search(r"<title>\s*(.*?)\s*</title>", answer.text, re.DOTALL)[1] == f"{title} · Nova Luna"
    assert '<header class="top">' in answer.text
    assert "<style" not in answer.text
    assert not re.search(r"<script(?![^>]*\ssrc=)", answer.text)
    assert not re.search(r"\b(Sign In|Sign Out|E-mail|contact us|Verify)\b", answer.text)


@pytest.mark.parametrize(("name", "title"), FOR_VISITORS.items())
def test_for_visitors(client: Client, name: str, title: str) -> None:
    check(client, reverse(name), title)


@pytest.mark.parametrize(("path", "title"), WITH_KEYS.items())
def test_with_a_key(client: Client, path: str, title: str) -> None:
    check(client, path, title)


@pytest.mark.parametrize(("name", "title"), FOR_MEMBERS.items())
def test_for_members(client: Client, name: str, title: str) -> None:
    client.force_login(person("Ines"))
    check(client, reverse(name), title)


def test_somebody_without_a_password_chooses_one(client: Client) -> None:
    user = person("Ines")
    user.set_unusable_password()
    user.save()
    client.force_login(user)
    check(client, reverse("account_set_password"), "Choose a password")


def test_no_page_is_forgotten() -> None:
    """A page that a new version of allauth brings must get our look."""
    known = {
        *FOR_VISITORS,
        *FOR_MEMBERS,
        *SEND_ON,
        "account_confirm_email",
        "account_reset_password_from_key",
    }
    assert {pattern.name for pattern in allauth_urls.urlpatterns} == known
    for name in SEND_ON:
        assert Client().get(reverse(name)).status_code == 302
