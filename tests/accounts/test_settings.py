"""Settings: turn emails, the link in each email that stops them, preferences for the board, and themes."""

from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.test import Client

from accounts.mail_links import unsubscribe_url
from accounts.models import User
from tests.play import person

pytestmark = pytest.mark.django_db

ALL_ON = {"turn_mails": "True", "confirm_moves": "True", "shortcuts": "True"}


def wants_turn_mails(user: User) -> bool:
    return User.objects.get(pk=user.pk).turn_mails


def test_turn_emails_can_be_turned_off_and_on(client: Client, ines: User) -> None:
    assert client.post("/account/settings/").url == "/account/login/?next=/account/settings/"
    assert wants_turn_mails(ines)

    client.force_login(ines)
    assert "ines@example.org" in client.get("/account/settings/").text
    off = client.post("/account/settings/", ALL_ON | {"turn_mails": "False"}, follow=True)
    assert "Your settings are saved" in off.text
    assert not wants_turn_mails(ines)
    client.post("/account/settings/", ALL_ON)
    assert wants_turn_mails(ines)


@pytest.mark.parametrize("name", ["confirm_moves", "shortcuts"])
def test_preferences_for_the_board_are_stored(client: Client, ines: User, name: str) -> None:
    client.force_login(ines)
    assert getattr(ines, name)
    client.post("/account/settings/", ALL_ON | {name: "False"})
    ines.refresh_from_db()
    assert not getattr(ines, name)
    client.post("/account/settings/", ALL_ON)
    ines.refresh_from_db()
    assert getattr(ines, name)


@pytest.mark.parametrize("body", ["", "{not json", "turn_mails=", "turn_mails=on", "theme=dark"])
def test_a_post_without_an_answer_about_emails_changes_nothing(client: Client, ines: User, body: str) -> None:
    client.force_login(ines)
    for content_type in ("application/x-www-form-urlencoded", "application/json"):
        response = client.post("/account/settings/", body, content_type=content_type)
        assert response.status_code == 400
        assert 'class="errorlist"' in response.text
        assert wants_turn_mails(ines)


def test_the_settings_ask_to_confirm_the_address(client: Client) -> None:
    client.force_login(person("Mina", confirmed=False))
    page = client.get("/account/settings/").text
    assert "To get turn emails, confirm <b>mina@example.org</b>" in page
    assert 'action="/account/settings/confirm-address/"' in page


def test_the_link_in_an_email_shows_a_button_that_unsubscribes(client: Client, ines: User) -> None:
    url = unsubscribe_url(ines)
    assert url.startswith(settings.SITE_URL + "/")
    path = urlsplit(url).path

    assert "Stop turn emails?" in client.get(path).text
    assert wants_turn_mails(ines)  # malware scanners open the links in emails
    assert "Turn emails are off" in client.post(path).text
    assert not wants_turn_mails(ines)
    assert "Turn emails are off" in client.get(path).text


def test_mail_programs_unsubscribe_with_one_post(ines: User) -> None:
    """RFC 8058 allows no cookie, no CSRF token and no redirect."""
    mail_program = Client(enforce_csrf_checks=True)
    response = mail_program.post(urlsplit(unsubscribe_url(ines)).path, {"List-Unsubscribe": "One-Click"})
    assert response.status_code == 200
    assert not wants_turn_mails(ines)


def test_nobody_can_unsubscribe_others(client: Client, ines: User) -> None:
    tobias = person("Tobias")
    path = urlsplit(unsubscribe_url(ines)).path
    swapped = path.replace(f"/{ines.pk}.", f"/{tobias.pk}.")
    assert swapped != path
    for damaged in (swapped, path[:-4] + "/", "/account/turn-mails/off/moon/"):
        for response in (client.get(damaged), client.post(damaged)):
            assert response.status_code == 404
            assert "This link does not work" in response.text
    assert wants_turn_mails(tobias)
    assert wants_turn_mails(ines)


def test_the_link_of_a_deleted_user_is_not_found(client: Client, ines: User) -> None:
    path = urlsplit(unsubscribe_url(ines)).path
    ines.delete()
    assert client.post(path).status_code == 404


def test_the_theme_is_stored_in_a_cookie(client: Client) -> None:
    assert "data-theme" not in client.get("/").text
    response = client.post("/account/theme/", {"theme": "dark", "next": "/solo/"})
    assert response.url == "/solo/"
    cookie = response.cookies["theme"]
    assert (cookie.value, cookie["samesite"], cookie["max-age"]) == ("dark", "Lax", 365 * 24 * 3600)
    assert '<html lang="en" data-theme="dark">' in client.get("/").text

    client.post("/account/theme/", {"theme": "light"})
    assert 'data-theme="light"' in client.get("/").text
    client.post("/account/theme/", {"theme": "system"})
    assert "data-theme" not in client.get("/").text


@pytest.mark.parametrize("theme", ["", "twilight", 'dark"><script>'])
def test_an_unknown_theme_is_refused(client: Client, theme: str) -> None:
    response = client.post("/account/theme/", {"theme": theme})
    assert response.status_code == 400
    assert "theme" not in response.cookies
    client.cookies["theme"] = theme
    assert "data-theme" not in client.get("/").text
