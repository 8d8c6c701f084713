"""Logging in by username or email address, logging out, and the page that follows."""

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from accounts.models import User
from tests.play import person

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


@pytest.mark.databases
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


def lock_out(client: Client, login: str = "Ines") -> None:
    """Try wrong passwords until the limit is reached."""
    for _attempt in range(6):
        response = client.post("/account/login/", {"login": login, "password": "sun"})
    assert "Too many attempts" in response.text


@pytest.mark.parametrize("login", ["Ines", "INES@example.org"])
def test_a_stranger_does_not_lock_people_out_of_a_browser_that_they_have_used(
    client: Client, ines: User, login: str
) -> None:
    client.post("/account/login/", {"login": "Ines", "password": PASSWORD})
    client.post("/account/logout/")
    lock_out(Client(REMOTE_ADDR="10.0.0.1"), login)
    in_a_new_browser = Client(REMOTE_ADDR="10.0.0.2").post(
        "/account/login/", {"login": login, "password": PASSWORD}
    )
    assert in_a_new_browser.status_code == 400
    assert client.post("/account/login/", {"login": login, "password": PASSWORD}).status_code == 302


def test_other_people_at_the_same_address_do_not_lock_people_out_of_a_browser_that_they_have_used(
    client: Client, ines: User
) -> None:
    client.post("/account/login/", {"login": "Ines", "password": PASSWORD})
    client.post("/account/logout/")
    for number in range(21):
        Client().post("/account/login/", {"login": f"nobody-{number}", "password": "sun"})
    assert Client().post("/account/login/", {"login": "Ines", "password": PASSWORD}).status_code == 400
    assert client.post("/account/login/", {"login": "Ines", "password": PASSWORD}).status_code == 302


def test_right_passwords_in_a_known_browser_do_not_count(client: Client, ines: User) -> None:
    for _time in range(8):
        assert client.post("/account/login/", {"login": "Ines", "password": PASSWORD}).status_code == 302
        client.post("/account/logout/")


def test_attempts_are_limited_in_a_known_browser_too(client: Client, ines: User) -> None:
    client.post("/account/login/", {"login": "Ines", "password": PASSWORD})
    client.post("/account/logout/")
    lock_out(client)
    assert client.post("/account/login/", {"login": "Ines", "password": PASSWORD}).status_code == 400


@pytest.mark.parametrize(
    "cookie", ["own", "other name", "changed", "no number", "before a new password", "none"]
)
def test_only_the_cookie_of_the_account_makes_a_browser_known(
    client: Client, ines: User, cookie: str
) -> None:
    person("Tobias")
    client.post("/account/login/", {"login": "Ines", "password": PASSWORD})
    mine = client.cookies["known_browser"].value
    tobias = Client()
    tobias.post("/account/login/", {"login": "Tobias", "password": PASSWORD})
    client.post("/account/logout/")
    lock_out(Client(REMOTE_ADDR="10.0.0.1"))
    client.cookies["known_browser"] = {
        "own": mine,
        "other name": tobias.cookies["known_browser"].value,
        "changed": f"{ines.pk}:{tobias.cookies['known_browser'].value.partition(':')[2]}",
        "no number": f"²\x00{mine}",
        "before a new password": mine,
        "none": "",
    }[cookie]
    if cookie == "before a new password":
        ines.set_password(PASSWORD)
        ines.save()
    response = client.post("/account/login/", {"login": "Ines", "password": PASSWORD})
    assert response.status_code == (302 if cookie == "own" else 400)


@pytest.mark.parametrize("secure", [True, False])
def test_the_cookie_of_a_known_browser_is_sent_only_where_it_is_needed(
    client: Client, ines: User, settings: Settings, secure: bool
) -> None:
    settings.SESSION_COOKIE_SECURE = secure
    cookie = client.post("/account/login/", {"login": "Ines", "password": PASSWORD}).cookies["known_browser"]
    assert (cookie["path"], cookie["samesite"], cookie["max-age"]) == ("/account/", "Lax", 365 * 24 * 60 * 60)
    assert cookie["httponly"]
    assert bool(cookie["secure"]) == secure


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
