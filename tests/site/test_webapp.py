"""The site as an app: what it is installed by, and what its worker keeps."""

import json
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from tests.play import game_of, mover, person

pytestmark = pytest.mark.django_db


def size_of(path: str) -> tuple[int, int]:
    """Return width and height of a PNG among the static files, from its header."""
    name = re.sub(r"\.[0-9a-f]{12}\.", ".", path.removeprefix("/static/"))
    found = finders.find(name)
    assert found, name
    head = Path(found).read_bytes()[:24]
    assert head.startswith(b"\x89PNG")
    return int.from_bytes(head[16:20]), int.from_bytes(head[20:24])


def names_of(client: Client, path: str) -> str:
    """Return the title of a page, spaces taken together."""
    title = re.search(r"<title>(.*?)</title>", client.get(path).text, re.DOTALL)
    assert title
    return " ".join(title[1].split())


def test_the_manifest_names_icons_of_the_sizes_it_says(client: Client) -> None:
    answer = client.get("/manifest.webmanifest")
    assert answer.headers["Content-Type"] == "application/manifest+json"
    manifest = answer.json()
    assert (manifest["start_url"], manifest["scope"], manifest["display"]) == ("/", "/", "standalone")
    pixels = [icon for icon in manifest["icons"] if icon["type"] == "image/png"]
    assert {icon["sizes"] for icon in pixels} == {"192x192", "512x512"}
    assert [icon.get("purpose", "any") for icon in pixels].count("maskable") == 1
    for icon in pixels:
        assert "{}x{}".format(*size_of(icon["src"])) == icon["sizes"]
    for shortcut in manifest["shortcuts"]:
        assert client.get(shortcut["url"]).status_code in (200, 302)  # a new table asks to log in


def test_every_page_leads_to_the_manifest_and_an_icon_for_apple(client: Client) -> None:
    page = client.get("/").text
    assert '<link rel="manifest" href="/manifest.webmanifest"' in page
    icon = re.search(r'rel="apple-touch-icon" href="([^"]+)"', page)
    assert icon
    assert size_of(icon[1]) == (180, 180)


def test_the_worker_keeps_the_offline_page_and_the_files_it_needs(client: Client) -> None:
    answer = client.get("/service-worker.js")
    assert answer.headers["Content-Type"].startswith("text/javascript")
    assert "no-cache" in answer.headers["Cache-Control"]
    kept = re.search(r"const FILES = (.*);", answer.text)
    assert kept
    files = json.loads(kept[1])
    page = client.get("/offline/").text
    assert files
    for file in files:
        assert file.startswith("/static/")
        assert re.search(r"\.[0-9a-f]{12}\.", file)
        assert file in page
    assert set(re.findall(r'rel="stylesheet" href="([^"]+)"', page)) <= set(files)


def test_the_worker_changes_with_what_it_keeps_and_with_nothing_else(client: Client) -> None:
    script = client.get("/service-worker.js").text
    client.force_login(person("Ines"))
    assert client.get("/service-worker.js").text == script
    client.cookies["theme"] = "dark"
    assert client.get("/service-worker.js").text != script


def test_the_offline_page_says_nothing_of_its_reader(client: Client) -> None:
    before = client.get("/offline/").text
    client.force_login(person("Ines"))
    assert client.get("/offline/").text == before
    assert "You are offline" in before
    assert '<a class="btn btn--main" href="">Try again</a>' in before
    assert "<script" not in before


def test_title_and_icon_tell_whose_turn_it_is() -> None:
    game = game_of(person("Ines"), person("Tobias"))
    to_move = mover(game)
    waiting = game.seats.exclude(user=to_move).get().user
    mine, other = Client(), Client()
    mine.force_login(to_move)
    other.force_login(waiting)
    page = game.get_absolute_url()

    assert names_of(mine, page) == f"Your turn · Game with {waiting} · Nova Luna"
    assert names_of(other, page) == f"{to_move} to move · Game with {to_move} · Nova Luna"
    assert names_of(mine, "/").startswith("(1) ")
    assert not names_of(other, "/").startswith("(")
    for path in (page, "/", "/solo/"):
        assert "favicon-turn." in mine.get(path).text
        assert "favicon-turn." not in other.get(path).text


def test_the_part_that_htmx_swaps_brings_title_and_icon() -> None:
    game = game_of(person("Ines"), person("Tobias"))
    client = Client()
    client.force_login(mover(game))
    part = client.get(game.get_absolute_url(), headers={"HX-Request": "true"}).text
    assert re.search(r'data-icon="[^"]*/favicon-turn\.[^"]*svg"', part)
    assert "<title>Your turn" in part
