"""The page of one display: what it shows, after which action, and which addresses have no display."""

import re
from html import unescape

import pytest
from django.test import Client

from games.models import Game
from games.novaluna.engine import Place
from games.services import tables
from tests import play

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    game = play.game_of(play.person("Ines"), play.person("Tobias"))
    return play.play_some(game, 12)


def tiles(page: str) -> set[str]:
    return set(re.findall(r'<svg class="tile tile__art"[^>]*><use href="#tile-(\w+)"', page))


def test_each_display_shows_only_its_own_tiles(client: Client, game: Game) -> None:
    displays = play.position_of(game).displays
    for seat, display in enumerate(displays):
        page = client.get(f"/g/{game.key}/displays/{seat}/")
        assert tiles(page.text) == {tile.code for tile in display.tiles.values()}
        assert page["Cache-Control"] == "private, no-store"
        assert ("Ines", "Tobias")[seat] in page.text


def test_an_address_shows_the_display_after_an_action(client: Client, game: Game) -> None:
    early = client.get(f"/g/{game.key}/displays/0/?at=4").text
    late = client.get(f"/g/{game.key}/displays/0/").text
    assert tiles(early) < tiles(late)
    assert "after action 4" in early
    assert f'href="/g/{game.key}/displays/1/?at=4"' in early
    assert f'href="/g/{game.key}/?at=4"' in early
    assert f'href="/g/{game.key}/displays/0/?at=3"' in early
    assert f'href="/g/{game.key}/displays/0/?at=5"' in early


def test_columns_and_rows_have_names(client: Client, game: Game) -> None:
    display = play.position_of(game).displays[0]
    page = client.get(f"/g/{game.key}/displays/0/").text
    edges = re.findall(r'<li class="edges[^>]*>(.*?)</li>', page)
    names = re.findall(r"<span>(\w+)</span>", "".join(edges))
    xs, ys = {cell.x for cell in display.tiles}, {cell.y for cell in display.tiles}
    assert len(names) == (max(xs) - min(xs) + 1) + (max(ys) - min(ys) + 1)
    assert "0" in names


def test_the_game_page_links_to_every_display(client: Client, game: Game) -> None:
    page = client.get(f"/g/{game.key}/").text
    past = client.get(f"/g/{game.key}/?at=5").text
    for seat in (0, 1):
        assert f'href="/g/{game.key}/displays/{seat}/"' in page
        assert f'href="/g/{game.key}/displays/{seat}/?at=5"' in past


def test_links_keep_the_choice_made_on_the_game_page(client: Client, game: Game) -> None:
    client.force_login(play.mover(game))
    place = next(one for one in play.position_of(game).legal_actions if isinstance(one, Place))
    chosen = f"tile={place.tile}&amp;x={place.x}&amp;y={place.y}"
    page = client.get(f"/g/{game.key}/?{unescape(chosen)}").text
    assert f'href="/g/{game.key}/displays/1/?{chosen}"' in page
    now = client.get(f"/g/{game.key}/displays/1/?{unescape(chosen)}").text
    assert f'href="/g/{game.key}/?{chosen}"' in now
    assert f'href="/g/{game.key}/displays/0/?{chosen}"' in now
    assert f'href="/g/{game.key}/displays/1/?at=11&amp;{chosen}"' in now
    past = client.get(f"/g/{game.key}/displays/1/?at=11&{unescape(chosen)}").text
    assert f'href="/g/{game.key}/?at=11"' in past  # Nothing can be chosen there.
    assert f'href="/g/{game.key}/displays/1/?{chosen}"' in past


def test_an_unknown_seat_or_game_has_no_display(client: Client, game: Game) -> None:
    assert client.get(f"/g/{game.key}/displays/2/").status_code == 404
    assert client.get("/g/AAAAAAAAAAAA/displays/0/").status_code == 404
    assert client.post(f"/g/{game.key}/displays/0/").status_code == 405


@pytest.mark.parametrize("at", ["moon", "-1", "999", "1e9"])
def test_an_unknown_action_shows_the_newest_display(client: Client, game: Game, at: str) -> None:
    now = client.get(f"/g/{game.key}/displays/0/")
    assert tiles(client.get(f"/g/{game.key}/displays/0/?at={at}").text) == tiles(now.text)


def test_an_open_table_has_no_displays(client: Client) -> None:
    table = tables.open_table(play.person("Ines"), tables.TableOptions(2, is_public=True, pace="slow"))
    assert client.get(f"/g/{table.key}/displays/0/").url == table.get_absolute_url()
