"""Settings: preferences for the board, and themes."""

import pytest
from bs4 import BeautifulSoup
from django.test import Client
from django.urls import reverse

from accounts.models import User

pytestmark = pytest.mark.django_db

NAMES = ("confirm_moves", "plays_forced", "shortcuts", "tips", "sound")
ALL_ON = dict.fromkeys(NAMES, "True")


@pytest.mark.parametrize("name", NAMES)
def test_preferences_for_the_board_are_stored(client: Client, ines: User, name: str) -> None:
    client.force_login(ines)
    assert getattr(ines, name) == (name != "sound")
    client.post("/account/settings/", ALL_ON | {name: "False"})
    ines.refresh_from_db()
    assert not getattr(ines, name)
    client.post("/account/settings/", ALL_ON)
    ines.refresh_from_db()
    assert getattr(ines, name)


@pytest.mark.parametrize("body", ["", "{not json", "confirm_moves=", "confirm_moves=on", "theme=dark"])
def test_a_post_without_an_answer_changes_nothing(client: Client, ines: User, body: str) -> None:
    client.force_login(ines)
    for content_type in ("application/x-www-form-urlencoded", "application/json"):
        response = client.post("/account/settings/", body, content_type=content_type)
        assert response.status_code == 400
        assert 'class="errorlist"' in response.text
        ines.refresh_from_db()
        assert ines.confirm_moves


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


@pytest.mark.parametrize(
    ("page_name", "current"),
    [("accounts:settings", "Settings"), ("games:hours", "Hours and vacation"), ("account_logout", "")],
)
def test_the_account_pages_name_the_current_one_above_their_links(
    client: Client, ines: User, page_name: str, current: str
) -> None:
    client.force_login(ines)
    [nav] = BeautifulSoup(client.get(reverse(page_name)).text, "html.parser").select(".account__nav")
    assert nav.summary.text.split() == ["Account", *current.split()]
    assert [link.text for link in nav.select("a[aria-current=page]")] == [current] * bool(current)
