"""The pictures of games beside links: only for public games, and without secrets."""

import os
import re
import time
from io import BytesIO
from pathlib import Path
from unittest import mock

import pytest
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.cache import caches
from django.core.cache.backends.filebased import FileBasedCache
from django.test import Client
from PIL import Image
from pytest_django.fixtures import Settings

from accounts.staff.renaming import give_another_name
from games.models import Game
from games.novaluna.board import mails
from games.novaluna.board.board import Board, build_board
from games.novaluna.board.drawing.painting import Part, Words
from games.novaluna.board.drawing.pictures import part_svg
from games.novaluna.board.drawing.preview import (
    FOOT,
    HEIGHT,
    WIDTH,
    draw_preview,
    site_picture,
    things_on_preview,
)
from games.novaluna.board.game_view import GameView
from games.novaluna.engine import Place, Position, Step, read_record, start
from games.queries.viewing import view_game
from games.services import tables
from games.services.pruning import prune
from games.titles.people import Person
from tests.play import game_of, person, play_one, play_out, play_some, position_of, solo_of

pytestmark = pytest.mark.django_db

RECORDS = Path(__file__).parents[2] / "records"


def size_of(picture: bytes) -> tuple[int, int]:
    opened = Image.open(BytesIO(picture))
    opened.load()
    assert opened.format == "JPEG"
    return opened.size


def meta(page: str) -> dict[str, str]:
    return dict(re.findall(r'<meta (?:property|name)="([^"]+)" content="([^"]*)"', page))


def start_game(*, is_public: bool = True) -> Game:
    game = game_of(person("Ines"), person("Tobias"), is_public=is_public)
    return play_some(game, 5)


def start_unlisted() -> Game:
    return play_some(game_of(person("Halley"), person("Ruth"), is_public=False), 5)


def test_a_public_game_shows_its_picture_to_everybody(client: Client) -> None:
    game = start_game()
    answer = client.get(f"/g/{game.key}/preview.jpg")
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "image/jpeg"
    assert set(answer.headers["Cache-Control"].split(", ")) == {"private", "no-store"}
    assert size_of(answer.content) == (WIDTH, HEIGHT) == (1200, 630)
    before = answer.content
    play_one(game)
    assert client.get(f"/g/{game.key}/preview.jpg").content != before


@pytest.mark.parametrize("kind", ["an unlisted game", "an open table"])
def test_other_games_show_the_picture_of_the_site(client: Client, kind: str) -> None:
    if kind == "an open table":
        game = tables.open_table(person("Ines"), tables.TableOptions(2, is_public=True, pace="slow"))
    else:
        game = start_game(is_public=False)
    answer = client.get(f"/g/{game.key}/preview.jpg")
    assert answer.status_code == 302
    assert re.fullmatch(r"/static/games/icons/link\.\w+\.png", answer.headers["Location"])


def test_an_unknown_game_has_no_picture(client: Client) -> None:
    assert client.get("/g/aaaaaaaaaaaa/preview.jpg").status_code == 404


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Board]:
    """The boards that were drawn during the test."""
    boards: list[Board] = []
    monkeypatch.setattr(mails, "draw_preview", lambda board: boards.append(board) or draw_preview(board))
    return boards


def test_a_picture_is_drawn_once_for_each_version_and_each_language(
    client: Client, drawn: list[Board], settings: Settings
) -> None:
    game, other = start_game(), play_out(solo_of(person("Mina")))
    pictures = [
        [client.get(f"/g/{one.key}/preview.jpg").content for _again in range(3)] for one in (game, other)
    ]
    assert [len(set(same)) for same in pictures] == [1, 1]
    assert len(drawn) == 2
    play_one(game)
    client.get(f"/g/{game.key}/preview.jpg")
    assert len(drawn) == 3, "another version"
    settings.LANGUAGES = [("en", "English"), ("de", "Deutsch")]
    client.get(f"/g/{game.key}/preview.jpg", headers={"accept-language": "de"})
    assert len(drawn) == 4, "another language"


@pytest.mark.parametrize("is_over", [True, False])
def test_no_picture_shows_a_name_that_somebody_has_no_more(
    client: Client, drawn: list[Board], is_over: bool
) -> None:
    ines, tobias = person("Ines"), person("Tobias")
    game = game_of(ines, tobias)
    if is_over:
        play_out(game)
    client.get(f"/g/{game.key}/preview.jpg")
    give_another_name(ines)
    tobias.delete()
    client.get(f"/g/{game.key}/preview.jpg")
    assert [
        sorted(display.person.name for display in (board.display, *board.opponents)) for board in drawn
    ] == [
        ["Ines", "Tobias"],
        sorted([ines.username, "a former player"]),
    ]


def test_stored_pictures_are_removed_after_a_week(client: Client) -> None:
    """Django removes an expired file only when it is read, but nobody reads one with an earlier name."""
    caches["previews"].clear()
    for game in (start_game(), play_out(solo_of(person("Mina")))):
        client.get(f"/g/{game.key}/preview.jpg")
    older, newer = map(Path, caches["previews"]._list_cache_files())
    for file, days in ((older, 7.01), (newer, 6.99)):
        os.utime(file, times=(time.time() - days * 86_400,) * 2)
    prune()
    assert (older.exists(), newer.exists()) == (False, True)


@pytest.mark.parametrize("method", ["get", "set"])
def test_a_picture_that_cannot_be_stored_or_read_is_sent_all_the_same(
    method: str, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_args: object, **_options: object) -> None:
        raise OSError(30, "Read-only file system")

    game = start_game()
    monkeypatch.setattr(FileBasedCache, method, fail)
    assert size_of(client.get(f"/g/{game.key}/preview.jpg").content) == (WIDTH, HEIGHT)


def test_a_damaged_picture_is_drawn_again(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("WARNING")
    game = start_game()
    address = f"/g/{game.key}/preview.jpg"
    picture = client.get(address).content
    for file in map(Path, caches["previews"]._list_cache_files()):
        file.write_bytes(file.read_bytes()[:100])
    assert client.get(address).content == picture
    assert "Cannot read the stored picture" in caplog.text


def test_only_pictures_of_finished_games_may_be_kept_by_shared_caches(client: Client) -> None:
    finished, running = play_out(solo_of(person("Mina"))), start_game()
    unlisted = play_out(game_of(person("Halley"), person("Noor"), is_public=False))
    headers = [client.get(f"/g/{game.key}/preview.jpg").headers for game in (finished, running, unlisted)]
    assert set(headers[0]["Cache-Control"].split(", ")) == {"public", "max-age=3600"}
    assert "Accept-Language" in headers[0]["Vary"]
    for private in headers[1:]:
        assert set(private["Cache-Control"].split(", ")) == {"private", "no-store"}


def test_lists_have_a_small_picture_that_the_browser_keeps_until_the_next_action(client: Client) -> None:
    game = start_game()
    address = f"/g/{game.key}/preview.webp"
    answer = client.get(f"{address}?v={game.live_version}")
    picture = Image.open(BytesIO(answer.content))
    assert (answer.headers["Content-Type"], picture.format, picture.size) == (
        "image/webp",
        "WEBP",
        (600, 315),
    )
    assert set(answer.headers["Cache-Control"].split(", ")) == {"private", "max-age=3600"}
    play_one(game)
    for old in (f"{address}?v={game.live_version}", address):
        assert set(client.get(old).headers["Cache-Control"].split(", ")) == {"private", "no-store"}
    finished = play_out(solo_of(person("Mina")))
    assert "public" in client.get(f"/g/{finished.key}/preview.webp?v=0").headers["Cache-Control"]
    unlisted = client.get(f"/g/{start_unlisted().key}/preview.webp?v=5")
    assert unlisted.status_code == 302
    assert "no-store" in unlisted.headers["Cache-Control"]


def test_a_small_picture_is_made_of_the_large_one_that_is_stored(client: Client) -> None:
    game = start_game()
    addresses = [f"/g/{game.key}/preview.{kind}" for kind in ("webp", "jpg", "webp")]
    with mock.patch.object(mails, "draw_preview", wraps=draw_preview) as drawn:
        assert [client.get(address).status_code for address in addresses] == [200, 200, 200]
    assert drawn.call_count == 1


def test_the_pictures_of_a_list_are_light(client: Client) -> None:
    """Ten cards of Watch load less than 400 kB, also those of finished games with many tiles."""
    for game in (start_game(), play_out(game_of(person("Mina"), person("Noor")))):
        page = client.get("/watch/").text
        [address] = [one for one in re.findall(r'<img src="([^"]+)"', page) if game.key in one]
        assert len(client.get(address).content) < 40_000


def test_every_viewer_gets_the_picture_for_spectators(client: Client) -> None:
    game = start_game()
    for_all = client.get(f"/g/{game.key}/preview.jpg").content
    client.force_login(game.seats.get(number=game.to_move).user)
    assert client.get(f"/g/{game.key}/preview.jpg").content == for_all


def test_the_drawing_has_no_undrawn_tile() -> None:
    game = start_game()
    things = list(things_on_preview(build_board(view_game(game, AnonymousUser()))))
    position = position_of(game)
    undrawn = set(game.deal.dealt["deck"][-position.draw_pile :])
    shown = {tile.code for display in position.displays for tile in display.tiles.values()}
    shown |= {tile.code for tile in position.wheel.spaces if tile}
    parts = [thing for thing in things if isinstance(thing, Part)]
    assert set(re.findall(r"#tile-(\w+)", "".join(part.svg for part in parts))) == shown
    assert not shown & undrawn
    drawn = part_svg(parts[-1].svg, 10, 10)
    assert 'id="tile-' not in drawn, "a part has only its own tile"
    assert "var(--" not in drawn


def test_names_are_words_and_shortened() -> None:
    people = (Person(0, "<b>&amp;</b>"), Person(1, "W" * 30))
    position = start(read_record((RECORDS / "00004-multiplayer-2.json").read_bytes()).setup)
    things = list(things_on_preview(build_board(GameView(position.public(), (), people))))
    assert {"<b>&amp;</b>", "WWWWWWWWWWWWWWW…"} < {thing.text for thing in things if isinstance(thing, Words)}
    assert "<b>" not in "".join(thing.svg for thing in things if isinstance(thing, Part))


def board_with_rows(record: str) -> Board:
    """Return the board at the end of a game in which every player builds a single row."""
    position: Position = start(read_record((RECORDS / record).read_bytes()).setup)
    steps: list[Step] = []
    while not position.over:
        places = [action for action in position.legal_actions if isinstance(action, Place)]
        action = min(
            places or position.legal_actions,
            key=lambda a: isinstance(a, Place) and (a.cell.y != 0, -a.cell.x),
        )
        steps.append(position.apply(action))
        position = steps[-1].position
    public_steps = tuple(step._replace(position=step.position.public()) for step in steps)
    people = tuple(Person(seat, f"P{seat}") for seat in range(position.seats))
    return build_board(GameView(position.public(), public_steps, people))


@pytest.mark.parametrize(
    "record", ["00003-solo-1.json", "00004-multiplayer-2.json", "00000-multiplayer-4.json"]
)
def test_the_longest_rows_fit_their_panels(record: str) -> None:
    end = board_with_rows(record)
    widest = max(display.cols for display in (end.display, *end.opponents))
    assert widest > 15
    parts = [thing for thing in things_on_preview(end) if isinstance(thing, Part)]
    panels = [part for part in parts if "--surface" in part.svg]
    assert len(panels) == 1 + len(end.opponents)
    count = 0
    for panel in panels:
        foot = panel.y + panel.height - FOOT
        inside = [
            tile
            for tile in parts
            if "#tile-" in tile.svg
            and panel.x <= tile.x <= tile.x + tile.width <= panel.x + panel.width
            and panel.y <= tile.y <= tile.y + tile.height <= foot
        ]
        count += len(inside)
        assert min(tile.width for tile in inside) > 12
    on_wheel = len(end.wheel.tiles) if len(panels) <= 2 else 0
    assert count + on_wheel == sum("#tile-" in part.svg for part in parts)
    assert size_of(draw_preview(end)) == (WIDTH, HEIGHT)


def test_a_finished_game_and_a_solo_game_have_pictures(client: Client) -> None:
    for game in (play_out(game_of(person("Ines"), person("Tobias"))), play_out(solo_of(person("Mina")))):
        assert size_of(client.get(f"/g/{game.key}/preview.jpg").content) == (WIDTH, HEIGHT)


def test_pages_have_the_full_address_of_the_picture(client: Client) -> None:
    game = start_game()
    card = meta(client.get(game.get_absolute_url()).text)
    assert card["og:image"] == f"{settings.SITE_URL}/g/{game.key}/preview.jpg?v=5"
    assert card["og:title"].startswith("Game of Ines and Tobias: ")
    assert card["og:description"].startswith("Action 5: ")
    assert card["twitter:card"] == "summary_large_image"
    assert "/static/games/icons/link." in meta(client.get("/").text)["og:image"]


def test_pages_of_unlisted_games_show_nothing_to_other_sites(client: Client) -> None:
    game = start_game(is_public=False)
    card = meta(client.get(game.get_absolute_url()).text)
    assert card["og:title"] == "A game of Nova Luna"
    assert "/static/games/icons/link." in card["og:image"]
    assert not [text for text in card.values() if "Ines" in text or "Tobias" in text or game.key in text]


def test_the_card_of_an_open_table_invites_people_to_join(client: Client) -> None:
    game = tables.open_table(person("Ines"), tables.TableOptions(3, is_public=True, pace="slow"))
    card = meta(client.get(game.get_absolute_url()).text)
    assert card["og:title"] == "Join a game of Nova Luna"
    assert "2 free seats" in card["og:description"]


def test_the_stored_picture_of_the_site_is_up_to_date_and_its_tiles_are_whole() -> None:
    drawn = site_picture()
    stored = settings.BASE_DIR / "games/static/games/icons/link.png"
    assert drawn == stored.read_bytes(), "run manage.py draw_icons, and look at what it has drawn"
    picture = Image.open(BytesIO(drawn)).convert("RGB")
    # The lower left corners of two tiles: a tile that is drawn too small leaves them dark.
    blue, red = picture.getpixel((742, 92)), picture.getpixel((1042, 92))
    assert blue[2] > 120 > blue[0]
    assert red[0] > 120 > red[2]
