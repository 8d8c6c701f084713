"""All reachable pages of allauth have this site's layout, texts and content security policy."""

import re

import pytest
from allauth.account import urls as allauth_urls
from django.test import Client
from django.urls import reverse

from tests.play import person

pytestmark = pytest.mark.django_db

# Name of a URL of allauth -> title of its page, for visitors and for logged-in users.
FOR_VISITORS = {
    "account_login": "Log in",
    "account_signup": "Sign up",
    "account_inactive": "This account is deactivated",
    "account_email_verification_sent": "Check your email",
    "account_reset_password": "Reset your password",
    "account_reset_password_done": "Check your email",
    "account_reset_password_from_key_done": "Your new password is set",
}
FOR_USERS = {
    "account_logout": "Log out",
    "account_email": "Email addresses",
    "account_change_password": "Change your password",
    "account_reauthenticate": "Confirm your password",
    "account_inactive": "This account is deactivated",
    "account_reset_password": "Reset your password",
}
WITH_KEY = {
    "/account/confirm-email/moon/": "Confirm your email address",
    "/account/password/reset/key/1-moon/": "Choose a new password",
}
# These only redirect to a page above.
REDIRECTS = {"account_set_password", "account_confirm_login_code"}


def check_page(client: Client, path: str, title: str) -> None:
    response = client.get(path)
    assert response.status_code == 200
    assert re.search(r"<title>\s*(.*?)\s*</title>", response.text, re.DOTALL)[1] == f"{title} · Nova Luna"
    assert '<header class="top">' in response.text
    assert "<style" not in response.text
    assert not re.search(r"<script(?![^>]*\ssrc=)", response.text)
    assert not re.search(r"\b(Sign In|Sign Out|E-mail|contact us|Verify)\b", response.text)


@pytest.mark.parametrize(("name", "title"), FOR_VISITORS.items())
def test_pages_for_visitors(client: Client, name: str, title: str) -> None:
    check_page(client, reverse(name), title)


@pytest.mark.parametrize(("path", "title"), WITH_KEY.items())
def test_pages_with_a_key_in_the_url(client: Client, path: str, title: str) -> None:
    check_page(client, path, title)


@pytest.mark.parametrize(("name", "title"), FOR_USERS.items())
def test_pages_for_logged_in_users(client: Client, name: str, title: str) -> None:
    client.force_login(person("Ines"))
    check_page(client, reverse(name), title)


def test_a_user_without_a_password_can_set_one(client: Client) -> None:
    user = person("Ines")
    user.set_unusable_password()
    user.save()
    client.force_login(user)
    check_page(client, reverse("account_set_password"), "Choose a password")


def test_every_url_of_allauth_is_listed_here() -> None:
    """Fails if a new version of allauth adds a page, which then needs this site's layout."""
    known = {
        *FOR_VISITORS,
        *FOR_USERS,
        *REDIRECTS,
        "account_confirm_email",
        "account_reset_password_from_key",
    }
    assert {pattern.name for pattern in allauth_urls.urlpatterns} == known
    for name in REDIRECTS:
        assert Client().get(reverse(name)).status_code == 302
