"""Logging in by username or email address, logging out, and the page that follows."""

import pytest
from django.test import Client

from accounts.models import User

pytestmark = pytest.mark.django_db

PASSWORD = "moon-and-stars-17"
OTHER_SITES = [
    "https://moon.example/",
    "//moon.example/",
    "/\\moon.example",
    "javascript:alert(1)",
    "http:///moon.example",
]


def is_logged_in(client: Client) -> bool:
    return client.get("/").context["user"].is_authenticated


@pytest.mark.parametrize("login", ["Ines", "ines", "ines@example.org", "INES@example.org"])
def test_username_or_email_address_log_in(client: Client, ines: User, login: str) -> None:
    response = client.post("/account/login/", {"login": login, "password": PASSWORD})
    assert (response.status_code, response.url) == (302, "/")
    assert is_logged_in(client)


@pytest.mark.parametrize(
    ("login", "message"),
    [("Ines", "This username and password"), ("ines@example.org", "This email address and password")],
)
def test_a_wrong_password_is_refused(client: Client, ines: User, login: str, message: str) -> None:
    response = client.post("/account/login/", {"login": login, "password": "sun"})
    assert response.status_code == 400
    assert message in response.text
    assert not is_logged_in(client)


def test_too_many_attempts_are_refused(client: Client, ines: User) -> None:
    for _attempt in range(5):
        client.post("/account/login/", {"login": "Ines", "password": "sun"})
    response = client.post("/account/login/", {"login": "Ines", "password": PASSWORD})
    assert response.status_code == 400
    assert "Too many attempts" in response.text
    assert not is_logged_in(client)


def test_a_deactivated_account_cannot_log_in(client: Client, ines: User) -> None:
    User.objects.update(is_active=False)
    response = client.post("/account/login/", {"login": "Ines", "password": PASSWORD}, follow=True)
    assert "This account is deactivated" in response.text
    assert not is_logged_in(client)


def test_logging_out_needs_a_button(client: Client, ines: User) -> None:
    client.force_login(ines)
    assert "Log out?" in client.get("/account/logout/").text
    assert is_logged_in(client)
    assert client.post("/account/logout/").url == "/"
    assert not is_logged_in(client)


def test_login_returns_to_the_requested_page(client: Client, ines: User) -> None:
    redirect = client.get("/account/settings/")
    assert redirect.url == "/account/login/?next=/account/settings/"
    page = client.get(redirect.url)
    assert '<input type="hidden" name="next" value="/account/settings/">' in page.text
    response = client.post(
        "/account/login/", {"login": "Ines", "password": PASSWORD, "next": "/account/settings/"}
    )
    assert response.url == "/account/settings/"


@pytest.mark.parametrize("next_url", OTHER_SITES)
def test_login_never_redirects_to_another_site(client: Client, ines: User, next_url: str) -> None:
    login = {"login": "Ines", "password": PASSWORD, "next": next_url}
    assert client.post("/account/login/", login).url == "/"
    assert client.post("/account/logout/", {"next": next_url}).url == "/"
    newcomer = {"username": "Mina", "email": "mina@example.org", "password1": PASSWORD, "next": next_url}
    assert client.post("/account/signup/", newcomer).url == "/"


@pytest.mark.parametrize("next_url", OTHER_SITES)
def test_other_forms_never_redirect_to_another_site(client: Client, ines: User, next_url: str) -> None:
    client.force_login(ines)
    assert client.post("/account/theme/", {"theme": "dark", "next": next_url}).url == "/"
    assert client.post("/account/settings/confirm-address/", {"next": next_url}).url == "/"
