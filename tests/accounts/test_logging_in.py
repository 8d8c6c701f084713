"""Logging in by name or address, logging out, and where one lands."""

import pytest
from django.test import Client

from accounts.models import User

pytestmark = pytest.mark.django_db

PASSWORD = "moon-and-stars-17"
ELSEWHERE = [
    "https://moon.example/",
    "//moon.example/",
    "/\\moon.example",
    "javascript:alert(1)",
    "http:///moon.example",
]


def is_in(client: Client) -> bool:
    return client.get("/").context["user"].is_authenticated


@pytest.mark.parametrize("login", ["Ines", "ines", "ines@example.org", "INES@example.org"])
def test_by_name_or_address(client: Client, ines: User, login: str) -> None:
    answer = client.post("/account/login/", {"login": login, "password": PASSWORD})
    assert (answer.status_code, answer.url) == (302, "/")
    assert is_in(client)


@pytest.mark.parametrize(
    ("login", "message"),
    [("Ines", "That name and password"), ("ines@example.org", "That address and password")],
)
def test_a_wrong_password_is_answered_in_place(client: Client, ines: User, login: str, message: str) -> None:
    answer = client.post("/account/login/", {"login": login, "password": "sun"})
    assert answer.status_code == 400
    assert message in answer.text
    assert not is_in(client)


def test_too_many_tries(client: Client, ines: User) -> None:
    for _try in range(5):
        client.post("/account/login/", {"login": "Ines", "password": "sun"})
    answer = client.post("/account/login/", {"login": "Ines", "password": PASSWORD})
    assert answer.status_code == 400
    assert "Too many tries" in answer.text
    assert not is_in(client)


def test_an_account_that_is_switched_off(client: Client, ines: User) -> None:
    User.objects.update(is_active=False)
    answer = client.post("/account/login/", {"login": "Ines", "password": PASSWORD}, follow=True)
    assert "This account is switched off" in answer.text
    assert not is_in(client)


def test_logging_out_takes_a_button(client: Client, ines: User) -> None:
    client.force_login(ines)
    assert "Log out?" in client.get("/account/logout/").text
    assert is_in(client)
    assert client.post("/account/logout/").url == "/"
    assert not is_in(client)


def test_back_to_where_one_came_from(client: Client, ines: User) -> None:
    asked = client.get("/account/settings/")
    assert asked.url == "/account/login/?next=/account/settings/"
    page = client.get(asked.url)
    assert '<input type="hidden" name="next" value="/account/settings/">' in page.text
    answer = client.post(
        "/account/login/", {"login": "Ines", "password": PASSWORD, "next": "/account/settings/"}
    )
    assert answer.url == "/account/settings/"


@pytest.mark.parametrize("next_url", ELSEWHERE)
def test_never_to_another_site(client: Client, ines: User, next_url: str) -> None:
    login = {"login": "Ines", "password": PASSWORD, "next": next_url}
    assert client.post("/account/login/", login).url == "/"
    assert client.post("/account/logout/", {"next": next_url}).url == "/"
    newcomer = {"username": "Mina", "email": "mina@example.org", "password1": PASSWORD, "next": next_url}
    assert client.post("/account/signup/", newcomer).url == "/"


@pytest.mark.parametrize("next_url", ELSEWHERE)
def test_nor_after_choosing_a_theme_or_asking_for_a_mail(client: Client, ines: User, next_url: str) -> None:
    client.force_login(ines)
    assert client.post("/account/theme/", {"theme": "dark", "next": next_url}).url == "/"
    assert client.post("/account/settings/confirm-address/", {"next": next_url}).url == "/"
