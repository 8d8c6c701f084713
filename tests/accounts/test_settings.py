"""Turn mails on and off, by the settings and by the link in each mail; themes."""

from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.test import Client

from accounts.mail_links import unsubscribe_url
from accounts.models import User
from tests.play import person

pytestmark = pytest.mark.django_db

ALL_ON = {"turn_mails": "True", "confirm_moves": "True", "shortcuts": "True"}


def wants_mails(user: User) -> bool:
    return User.objects.get(pk=user.pk).turn_mails


def test_turn_mails_can_be_switched_off_and_on(client: Client, ines: User) -> None:
    assert client.post("/account/settings/").url == "/account/login/?next=/account/settings/"
    assert wants_mails(ines)

    client.force_login(ines)
    assert "ines@example.org" in client.get("/account/settings/").text
    off = client.post("/account/settings/", ALL_ON | {"turn_mails": "False"}, follow=True)
    assert "Your settings are saved" in off.text
    assert not wants_mails(ines)
    client.post("/account/settings/", ALL_ON)
    assert wants_mails(ines)


@pytest.mark.parametrize("name", ["confirm_moves", "shortcuts"])
def test_preferences_of_the_board_are_kept(client: Client, ines: User, name: str) -> None:
    client.force_login(ines)
    assert getattr(ines, name)
    client.post("/account/settings/", ALL_ON | {name: "False"})
    ines.refresh_from_db()
    assert not getattr(ines, name)
    client.post("/account/settings/", ALL_ON)
    ines.refresh_from_db()
    assert getattr(ines, name)


@pytest.mark.parametrize("body", ["", "{not json", "turn_mails=", "turn_mails=on", "theme=dark"])
def test_a_post_that_says_nothing_about_mails_switches_nothing(client: Client, ines: User, body: str) -> None:
    client.force_login(ines)
    for content_type in ("application/x-www-form-urlencoded", "application/json"):
        answer = client.post("/account/settings/", body, content_type=content_type)
        assert answer.status_code == 400
        assert 'class="errorlist"' in answer.text
        assert wants_mails(ines)


def test_the_settings_say_where_mails_go(client: Client) -> None:
    client.force_login(person("Mina", confirmed=False))
    page = client.get("/account/settings/").text
    assert "Turn mails wait until you have confirmed <b>mina@example.org</b>" in page
    assert 'action="/account/settings/confirm-address/"' in page


def test_the_link_in_a_mail_asks_and_its_button_unsubscribes(client: Client, ines: User) -> None:
    url = unsubscribe_url(ines)
    assert url.startswith(settings.SITE_URL + "/")
    path = urlsplit(url).path

    assert "Stop turn mails?" in client.get(path).text
    assert wants_mails(ines)  # programs that check mails for malware open links too
    assert "No more turn mails" in client.post(path).text
    assert not wants_mails(ines)
    assert "No more turn mails" in client.get(path).text


def test_mail_programs_unsubscribe_by_one_post(ines: User) -> None:
    """RFC 8058: no cookie, no CSRF token, no redirect."""
    program = Client(enforce_csrf_checks=True)
    answer = program.post(urlsplit(unsubscribe_url(ines)).path, {"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    assert not wants_mails(ines)


def test_nobody_unsubscribes_others(client: Client, ines: User) -> None:
    tobias = person("Tobias")
    path = urlsplit(unsubscribe_url(ines)).path
    swapped = path.replace(f"/{ines.pk}.", f"/{tobias.pk}.")
    assert swapped != path
    for damaged in (swapped, path[:-4] + "/", "/account/turn-mails/off/moon/"):
        for answer in (client.get(damaged), client.post(damaged)):
            assert answer.status_code == 404
            assert "This link does not work" in answer.text
    assert wants_mails(tobias)
    assert wants_mails(ines)


def test_the_link_of_somebody_who_has_gone(client: Client, ines: User) -> None:
    path = urlsplit(unsubscribe_url(ines)).path
    ines.delete()
    assert client.post(path).status_code == 404


def test_the_theme_is_kept_in_a_cookie(client: Client) -> None:
    assert "data-theme" not in client.get("/").text
    answer = client.post("/account/theme/", {"theme": "dark", "next": "/solo/"})
    assert answer.url == "/solo/"
    cookie = answer.cookies["theme"]
    assert (cookie.value, cookie["samesite"], cookie["max-age"]) == ("dark", "Lax", 365 * 24 * 3600)
    assert '<html lang="en" data-theme="dark">' in client.get("/").text

    client.post("/account/theme/", {"theme": "light"})
    assert 'data-theme="light"' in client.get("/").text
    client.post("/account/theme/", {"theme": "system"})
    assert "data-theme" not in client.get("/").text


@pytest.mark.parametrize("theme", ["", "twilight", 'dark"><script>'])
def test_an_unknown_theme_is_refused(client: Client, theme: str) -> None:
    answer = client.post("/account/theme/", {"theme": theme})
    assert answer.status_code == 400
    assert "theme" not in answer.cookies
    client.cookies["theme"] = theme
    assert "data-theme" not in client.get("/").text
