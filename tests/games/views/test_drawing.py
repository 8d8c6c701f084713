"""Boards in streams: an open page of a player gets what it would have asked for, and nobody else does."""

import asyncio
import json
import re
import uuid
import zlib
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from html import unescape

import pytest
from django.db import OperationalError
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from accounts.models import User
from games import live
from games.http import SiteRequest
from games.models import Game
from games.novaluna.engine import Resign
from games.services import tables
from games.services.play import play
from games.views import live as views
from games.views.game.catching_up import NEXT_BOARD
from novaluna_site.compression import EventCompressor
from tests.clients import HTMX, client_of, drawn_for
from tests.games.views.test_live import Stream, stream_at
from tests.play import form_of, fresh, game_of, legal_fields, mover, person, play_one
from tests.site.addresses import normalise
from tests.waiting import wait_until


@pytest.fixture
def game() -> Game:
    game = game_of(person("Ines"), person("Tobias"))
    play_one(game)
    return fresh(game)


def other_of(game: Game) -> User:
    other = game.seats.exclude(user=mover(game)).get().user
    assert other is not None
    return other


def boards_of(page: Stream) -> list[dict[str, object]]:
    return [json.loads(event.removeprefix("board ")) for event in page.events if event.startswith("board ")]


@pytest.mark.django_db
@pytest.mark.parametrize("is_over", [False, True])
def test_a_stream_has_the_board_for_which_the_page_would_ask(game: Game, is_over: bool) -> None:
    mover_and_other = mover(game), other_of(game)
    User.objects.update(time_zone="Pacific/Chatham", language="en-xa", shortcuts=False)
    if is_over:
        play(game.key, mover(game), Resign(0), game.version + 1, uuid.uuid4())
    for user in mover_and_other:
        client = client_of(user)
        asked = client.get(game.get_absolute_url(), headers=HTMX)
        drawn = drawn_for(client, game, user)
        assert drawn is not None
        assert drawn.version == fresh(game).version
        assert normalise(drawn.html.encode()) == normalise(asked.content)


@pytest.mark.django_db
def test_the_form_of_a_board_from_a_stream_can_be_sent(game: Game) -> None:
    user, token = mover(game), 32 * "d"
    client = Client(enforce_csrf_checks=True)
    client.force_login(user)
    drawn = drawn_for(client, game, user, token=token)
    assert drawn is not None
    sent = re.search('name="csrfmiddlewaretoken" value="([^"]+)"', unescape(drawn.html))
    assert sent
    client.cookies["csrftoken"] = token
    form = form_of(game, legal_fields(game), csrfmiddlewaretoken=sent[1])
    assert client.post(f"/g/{game.key}/play/", form, headers=HTMX).status_code == 200


@pytest.mark.django_db
def test_a_page_gets_the_boards_after_all_actions_that_it_has_missed(game: Game) -> None:
    user, since = other_of(game), game.live_version
    client = client_of(user)
    for _action in range(3):
        play_one(game)
    drawn = drawn_for(client, game, user, since=since)
    assert drawn is not None
    for number, board in zip((2, 3), drawn.between, strict=True):
        assert f'data-version="{number}" data-shown="{number}"' in board
        # The page keeps its bar until the newest board, so nobody chooses on one between.
        assert '<section id="bar" data-unchanged></section>' in board
        assert 'data-turn="other"' in board
        assert "/play/" not in board
        assert "Your turn" not in board
    asked = client.get(game.get_absolute_url(), headers=HTMX | {"X-Shows": str(since)}).text.split(NEXT_BOARD)
    for path, headers in (("?at=1", HTMX), ("", {})):
        answer = client.get(f"{game.get_absolute_url()}{path}", headers=headers | {"X-Shows": str(since)})
        assert NEXT_BOARD not in answer.text
    together = (*drawn.between, drawn.html)
    assert [normalise(one.encode()) for one in asked] == [normalise(one.encode()) for one in together]


@pytest.mark.django_db
def test_a_page_gets_only_the_newest_board_after_one_action_or_too_many(game: Game) -> None:
    user, client = other_of(game), client_of(other_of(game))
    for since in ("", "x", "-1", "9" * 5000, str(game.live_version)):
        assert NEXT_BOARD not in client.get(game.get_absolute_url(), headers=HTMX | {"X-Shows": since}).text
    for number in range(live.MOST_BETWEEN + 2):
        play_one(game)
        drawn = drawn_for(client, game, user, since=game.live_version)
        assert drawn is not None
        assert len(drawn.between) == (number if number <= live.MOST_BETWEEN else 0)


@pytest.mark.django_db
def test_nothing_is_drawn_for_a_page_whose_person_has_left_or_that_can_send_nothing(game: Game) -> None:
    user, client = mover(game), client_of(mover(game))
    assert drawn_for(client_of(other_of(game)), game, user) is None
    assert drawn_for(client, game, user, token="") is None
    open_table = tables.open_table(user, tables.TableOptions(2))
    assert drawn_for(client, open_table, user) is None
    assert drawn_for(client, game, user) is not None
    User.objects.filter(pk=user.pk).update(suspended_until=timezone.now() + timedelta(days=1))
    assert drawn_for(client, game, user) is None
    User.objects.filter(pk=user.pk).update(suspended_until=None)
    client.logout()
    assert drawn_for(client, game, user) is None


@pytest.mark.django_db(transaction=True)
def test_the_page_of_the_others_gets_the_board_and_that_of_the_mover_the_version(
    server: str, game: Game
) -> None:
    path, spectator = f"/g/{game.key}/stream/?board", person("Noor")
    own, other = mover(game), other_of(game)
    clients = [client_of(user) for user in (own, other, spectator)]
    for client in clients:
        client.cookies["csrftoken"] = 32 * "c"
    with (
        stream_at(server, path, clients[0]) as page,
        stream_at(server, path, clients[1]) as page_of_other,
        # Who has no seat gets no boards, because the players must not wait for those of many others.
        stream_at(server, path, clients[2]) as page_of_spectator,
    ):
        for each in (page, page_of_other, page_of_spectator):
            each.wait_for("version 1")
        play_one(game)
        for each in (page, page_of_spectator):
            each.wait_for("version 2")
        wait_until(lambda: boards_of(page_of_other), "the board")
        (board,) = boards_of(page_of_other)
        assert board["version"] == 2
        assert 'data-version="2"' in str(board["html"])
        assert boards_of(page) == boards_of(page_of_spectator) == []
        assert "version 2" not in page_of_other.events


def test_each_event_is_compressed_by_itself_and_all_are_one_stream() -> None:
    events = [b"event: beat\n", b"<b>" * 1000, b"event: beat\n"]
    compressor, reader = EventCompressor(), zlib.decompressobj(wbits=31)
    for event in events:
        assert reader.decompress(compressor.compress(event)) == event
    assert reader.decompress(compressor.end()) == b""
    assert reader.eof


@pytest.mark.parametrize(
    ("drawn", "waiting", "sent"),
    [
        (live.Drawn(3, "<b>"), 0, 'board {"version": 3, "html": "<b>", "between": []}'),
        (live.Drawn(2, "<b>"), 0, "version 3"),
        (None, 0, "version 3"),
        (live.Drawn(3, "<b>"), live.MOST_WAITING, "version 3"),
    ],
    ids=["drawn", "older", "not drawn", "too many wait"],
)
def test_a_page_gets_the_version_where_no_board_can_be_drawn(
    drawn: live.Drawn | None, waiting: int, sent: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.REDIS_URL = ""
    monkeypatch.setattr(live, "_waiting", waiting)

    async def draw(_since: int | None) -> live.Drawn | None:
        return drawn

    async def read() -> bytes:
        page = live.Page("nosuchgame22", "127.0.0.1")
        page.draw = draw
        page.show(1)
        events = page.events()
        await anext(events)
        page.show_board(3)
        event = await anext(events)
        page.close()
        return event

    assert asyncio.run(read()).decode() == "event: {}\ndata: {}\n\n".format(*sent.split(maxsplit=1))


def test_a_board_is_not_sent_after_a_newer_version(settings: Settings) -> None:
    settings.REDIS_URL = ""

    async def draw(_since: int | None) -> live.Drawn:
        return live.Drawn(5, "<b>")

    async def read() -> bytes:
        page = live.Page("nosuchgame22", "127.0.0.1")
        page.draw = draw
        page.show(1)
        events = page.events()
        await anext(events)
        page.show_board(5)
        assert page._drawing
        await page._drawing
        page.show(6)
        event = await anext(events)
        page.close()
        return event

    assert asyncio.run(read()) == b"event: version\ndata: 6\n\n"


def test_the_regular_check_does_not_replace_a_board_that_is_being_drawn(settings: Settings) -> None:
    settings.REDIS_URL = ""

    async def read() -> bytes:
        page, is_checked = live.Page("nosuchgame22", "127.0.0.1"), asyncio.Event()

        async def draw(_since: int | None) -> live.Drawn:
            await is_checked.wait()
            return live.Drawn(2, "<b>")

        page.draw = draw
        page.show(1)
        events = page.events()
        await anext(events)
        page.show_board(2)
        page.check(2)
        is_checked.set()
        event = await anext(events)
        page.check(3)
        assert await anext(events) == b"event: version\ndata: 3\n\n"
        page.close()
        return event

    assert asyncio.run(read()).startswith(b"event: board\n")


def test_drawings_leave_threads_for_streams_that_open() -> None:
    assert ThreadPoolExecutor()._max_workers - 2 >= live.MOST_WAITING


@pytest.mark.django_db
def test_a_database_that_is_away_takes_one_line_of_the_log(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_args: object) -> None:
        raise OperationalError("connection refused\nIs the server running?")

    monkeypatch.setattr(views, "draw_board", fail)
    assert views._draw_from_thread(lambda _path: SiteRequest(), "nosuchgame22", 1, None) is None
    (record,) = caplog.records
    assert record.exc_info is None
    assert record.getMessage().endswith("connection refused Is the server running?")
