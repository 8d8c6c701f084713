"""The site as an installable app: the manifest, the service worker and the offline page."""

import json
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from pytest_django import Settings

from tests.clients import HTMX, client_of
from tests.play import fresh, game_of, mover, person, play_one

pytestmark = pytest.mark.django_db

TURN_ICON = re.compile(r' href="[^"]+/favicon-turn\.')


def size_of(path: str) -> tuple[int, int]:
    """Return the width and height of a PNG in the static files."""
    name = re.sub(r"\.[0-9a-f]{12}\.", ".", path.removeprefix("/static/"))
    found = finders.find(name)
    assert found, name
    head = Path(found).read_bytes()[:24]
    assert head.startswith(b"\x89PNG")
    return int.from_bytes(head[16:20]), int.from_bytes(head[20:24])


def title_of(client: Client, path: str) -> str:
    """Return the title of a page with single spaces."""
    title = re.search(r"<title>(.*?)</title>", client.get(path).text, re.DOTALL)
    assert title
    return " ".join(title[1].split())


def test_the_icons_have_the_sizes_that_the_manifest_states(client: Client) -> None:
    response = client.get("/manifest.webmanifest")
    assert response.headers["Content-Type"] == "application/manifest+json"
    manifest = response.json()
    assert (manifest["start_url"], manifest["scope"], manifest["display"]) == ("/", "/", "standalone")
    pngs = [icon for icon in manifest["icons"] if icon["type"] == "image/png"]
    assert {icon["sizes"] for icon in pngs} == {"192x192", "512x512"}
    assert [icon.get("purpose", "any") for icon in pngs].count("maskable") == 1
    for icon in pngs:
        assert "{}x{}".format(*size_of(icon["src"])) == icon["sizes"]
    for shortcut in manifest["shortcuts"]:
        assert client.get(shortcut["url"]).status_code in (
            200,
            302,
        )  # visitors must log in to open a table


def test_pages_link_to_the_manifest_and_an_icon_for_apple(client: Client) -> None:
    page = client.get("/").text
    assert '<link rel="manifest" href="/manifest.webmanifest"' in page
    icon = re.search(r'rel="apple-touch-icon" href="([^"]+)"', page)
    assert icon
    assert size_of(icon[1]) == (180, 180)


def test_the_service_worker_caches_the_files_of_the_offline_page(client: Client) -> None:
    response = client.get("/service-worker.js")
    assert response.headers["Content-Type"].startswith("text/javascript")
    assert "no-cache" in response.headers["Cache-Control"]
    match = re.search(r"const FILES = (.*);", response.text)
    assert match
    files = json.loads(match[1])
    page = client.get("/offline/").text
    assert files
    for file in files:
        assert file.startswith("/static/")
        assert re.search(r"\.[0-9a-f]{12}\.", file)
        assert file in page
    assert set(re.findall(r'rel="stylesheet" href="([^"]+)"', page)) <= set(files)


def test_the_service_worker_changes_only_with_the_files_it_caches(client: Client) -> None:
    script = client.get("/service-worker.js").text
    client.force_login(person("Ines"))
    assert client.get("/service-worker.js").text == script
    client.cookies["theme"] = "dark"
    assert client.get("/service-worker.js").text != script


def test_the_offline_page_is_the_same_for_every_user(client: Client) -> None:
    before = client.get("/offline/").text
    client.force_login(person("Ines"))
    assert client.get("/offline/").text == before
    assert "You are offline" in before
    assert '<a class="btn btn--main" href="">Try again</a>' in before
    assert "<script" not in before


def test_title_and_icon_show_whether_it_is_the_viewers_turn() -> None:
    game = game_of(person("Ines"), person("Tobias"))
    to_move = mover(game)
    waiting = game.seats.exclude(user=to_move).get().user
    mine, other = client_of(to_move), client_of(waiting)
    page = game.get_absolute_url()

    assert title_of(mine, page) == f"Your turn · Game with {waiting} · Nova Luna"
    assert title_of(other, page) == f"{to_move} to move · Game with {to_move} · Nova Luna"
    play_one(game)
    while mover(game) != to_move:
        play_one(game)
    last = fresh(game).version
    assert title_of(mine, f"{page}?at=0").startswith(f"Your turn · Action 0 of {last} · Game with ")
    assert title_of(other, f"{page}?at=0").startswith(f"Action 0 of {last} · Game with ")
    assert title_of(mine, "/").startswith("(1) ")
    assert not title_of(other, "/").startswith("(")
    for path in (page, "/", "/solo/"):
        assert TURN_ICON.search(mine.get(path).text)
        assert not TURN_ICON.search(other.get(path).text)


@pytest.mark.usefixtures("pairs")
def test_the_tab_of_a_site_with_several_titles_names_the_title_of_the_game_once(
    settings: Settings,
) -> None:
    game = game_of(person("Ines"), person("Tobias"))
    address = game.get_absolute_url()
    assert title_of(Client(), address).endswith("to move · Game of Ines and Tobias · Nova Luna")
    settings.SITE_NAME = "Moonlight"
    assert title_of(Client(), address).endswith("to move · Nova Luna · Game of Ines and Tobias · Moonlight")


def test_the_part_for_htmx_contains_title_and_icon() -> None:
    game = game_of(person("Ines"), person("Tobias"))
    client = client_of(mover(game))
    part = client.get(game.get_absolute_url(), headers=HTMX).text
    assert re.search(r'data-icon="[^"]*/favicon-turn\.[^"]*svg"', part)
    assert "<title>Your turn" in part
