"""The text mode: what it shows, how it accepts and refuses actions, and what it keeps secret."""

import random
import uuid
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from django_webtest import DjangoTestApp
from webtest.response import TestResponse

from accounts.models import User
from games.log.replay import secret_log
from games.models import Game
from games.novaluna.board.words import describe_tile
from games.novaluna.engine import TILES
from games.services import tables
from tests import play
from tests.clients import client_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    game = play.game_of(play.person("Ines"), play.person("Tobias"))
    return play.play_some(game, 11, random.Random(4))


def address(game: Game) -> str:
    return f"{game.get_absolute_url()}text/"


def take_a_turn(page: TestResponse) -> TestResponse:
    """Choose the first tile and the first cell and confirm, or refill if nothing else is possible."""
    options = page.html.select(".move .options a")
    if options:
        page = page.goto(options[0]["href"])
        page = page.goto(page.html.select(".move .options a")[0]["href"])
        assert "Your move: confirm it" in page
    [form] = {form for form in page.forms.values() if "do" in form.fields}
    return form.submit().follow()


@pytest.mark.whole
def test_a_solo_game_can_be_played_to_its_end(django_app: DjangoTestApp) -> None:
    ines = play.person("Ines")
    game = play.solo_of(ines)
    page = django_app.get(address(game), user=ines)
    for _turn in range(40):
        if play.fresh(game).is_over:
            break
        page = take_a_turn(page)
        assert page.request.path == address(game)
    assert f"Score {play.fresh(game).score}" in page


@pytest.mark.parametrize("page", ["", "text/"])
def test_the_time_of_the_last_action_has_no_seconds(game: Game, page: str) -> None:
    client = client_of(play.mover(game))
    for ago, words in ((36, "just now"), (100, "a minute ago")):
        Game.objects.filter(pk=game.pk).update(moved_at=timezone.now() - timedelta(seconds=ago))
        assert words in client.get(f"{game.get_absolute_url()}{page}").text


def test_the_other_games_that_wait_are_counted_beside_the_link_to_them(
    django_app: DjangoTestApp, game: Game
) -> None:
    user = play.mover(game)
    other = play.play_some(play.solo_of(user), 2)
    for path in (address(other), f"{other.get_absolute_url()}text/try/1/"):
        link = django_app.get(path, user=user).html.select_one("nav a[href='/']")
        assert " ".join(link.get_text().split()) == "Games (Games waiting for you: 2)"
    waiting = next(seat.user for seat in game.seats.all() if seat.user != user)
    assert django_app.get(address(game), user=waiting).html.select_one("nav a[href='/']").text == "Games"


def test_resigning_is_above_the_fingerprint(django_app: DjangoTestApp, game: Game) -> None:
    page = str(django_app.get(address(game), user=play.mover(game)))
    assert page.index("?resign=1") < page.index('class="fingerprint')


def test_a_turn_is_stored_and_described(django_app: DjangoTestApp, game: Game) -> None:
    mover = play.mover(game)
    page = django_app.get(address(game), user=mover)
    assert "Your turn" in page
    page = take_a_turn(page)
    assert play.fresh(game).version == 12
    assert "You took" in page


def test_the_display_is_a_table_with_named_rows_and_columns(client: Client, game: Game) -> None:
    mover = play.mover(game)
    client.force_login(mover)
    page = client.get(address(game)).text
    position = play.position_of(game)
    seat = game.seats.get(user=mover).number
    for cell, tile in position.displays[seat].tiles.items():
        covered = {goal.nth for goal in position.displays[seat].covered if goal.cell == cell}
        support = position.displays[seat].support(cell)
        assert describe_tile(tile, covered, support=support) in page
        assert f'<th scope="col" translate="no">{type(cell)(cell.x, 0).name}</th>' in page
        assert f'<th scope="row" translate="no">{type(cell)(0, cell.y).name}</th>' in page


def test_only_the_player_to_move_has_something_to_choose(client: Client, game: Game) -> None:
    other = next(seat.user for seat in game.seats.all() if seat.user != play.mover(game))
    tile = next(tile.code for tile in play.position_of(game).wheel.spaces if tile)
    for viewer in (None, other, play.person("Mina")):
        if viewer:
            client.force_login(viewer)
        page = client.get(address(game) + f"?tile={tile}").text
        assert 'name="do" value="place"' not in page
        assert 'class="panel move"' not in page


def test_no_undrawn_tile_is_shown(client: Client, game: Game) -> None:
    log = secret_log(game)
    seen = {tile for tile in log.position.wheel.spaces if tile}
    seen |= {tile for display in log.position.displays for tile in display.tiles.values()}
    names = {describe_tile(tile) for tile in seen}
    for viewer in (None, play.mover(game)):
        if viewer:
            client.force_login(viewer)
        page = client.get(address(game))
        assert page["Cache-Control"] == "private, no-store"
        for tile in TILES.values():
            if tile.goals and describe_tile(tile) not in names:
                assert f"{describe_tile(tile)}." not in page.text


@pytest.mark.parametrize(
    ("change", "status", "why"),
    [
        ({"number": 3}, 409, "moved on"),
        ({"do": "place", "tile": "B9", "x": 0, "y": 1}, 422, ""),
        ({"do": "place", "tile": "T1", "x": 40, "y": 0}, 422, ""),
        ({"do": "dance"}, 400, "missing or unreadable"),
        ({"number": "moon"}, 400, "missing or unreadable"),
    ],
)
def test_a_refusal_is_shown_on_the_page(
    client: Client, game: Game, change: dict[str, object], status: int, why: str
) -> None:
    client.force_login(play.mover(game))
    fields = play.legal_fields(game) | {"number": 12, "request_id": uuid.uuid4()} | change
    answer = client.post(address(game), fields)
    assert answer.status_code == status
    assert why in answer.text
    assert 'role="alert"' in answer.text
    assert "Moon wheel" in answer.text
    assert play.fresh(game).version == 11


def test_strangers_cannot_move(client: Client, game: Game) -> None:
    fields = play.legal_fields(game) | {"number": 12, "request_id": uuid.uuid4()}
    assert client.post(address(game), fields).status_code == 403
    client.force_login(User.objects.create_user("Mina"))
    assert client.post(address(game), fields).status_code == 403
    assert play.fresh(game).version == 11


def test_resigning_needs_a_confirmation(django_app: DjangoTestApp, game: Game) -> None:
    page = django_app.get(address(game), user=play.mover(game)).click("Resign")
    assert play.fresh(game).is_running
    [form] = {form for form in page.forms.values() if "do" in form.fields and form["do"].value == "resign"}
    page = form.submit().follow()
    assert play.fresh(game).is_over
    assert "Result" in page


def test_a_past_position_is_shown_without_a_form(client: Client, game: Game) -> None:
    early = client.get(address(game) + "?at=3").text
    assert "Action 3 of 11" in early
    assert 'class="panel move"' not in early


def test_a_table_and_an_unknown_game_have_no_text_page(client: Client) -> None:
    table = tables.open_table(play.person("Ines"), tables.TableOptions(2, is_public=True, pace="slow"))
    assert client.get(address(table)).url == table.get_absolute_url()
    assert client.get("/g/AAAAAAAAAAAA/text/").status_code == 404
    assert client.delete(address(table)).status_code == 405
