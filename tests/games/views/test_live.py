"""Live updates: the stream of a real ASGI server, and the poll that replaces it under WSGI."""

import asyncio
import contextlib
import http.client
import json
import re
import socket
import threading
import urllib.request
import uuid
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.db import connections
from django.test import Client
from pytest_django import Settings

from games import live
from games.models import Game, Seat
from games.novaluna.engine import Resign
from games.queries.overviews import overview
from games.services import hand_overs, presence, tables
from games.services.play import play
from games.views import live as views
from tests.clients import client_of
from tests.play import game_of, let_wait, mover, person, play_one
from tests.waiting import wait_until

LONGEST_DELAY = 1.0  # seconds; the promise to the pages of other players


class Stream:
    """A reader of server-sent events that collects them as "event data"."""

    def __init__(self, server: str, path: str, cookie: str = "", source: str = "127.0.0.1") -> None:
        self.connection = http.client.HTTPConnection(
            urlsplit(server).netloc, timeout=30, source_address=(source, 0)
        )
        self.connection.request("GET", path, headers={"Cookie": cookie} if cookie else {})
        self.response = self.connection.getresponse()
        self.events: list[str] = []
        self._arrived = threading.Condition()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def close(self) -> None:
        if self.connection.sock:  # A response that has ended closes its socket.
            with contextlib.suppress(OSError):
                self.connection.sock.shutdown(socket.SHUT_RDWR)
        self._reader.join(10)
        self.connection.close()

    def _read(self) -> None:
        with contextlib.suppress(http.client.HTTPException, OSError):
            self._read_events()

    def _read_events(self) -> None:
        event = ""
        for line in self.response:
            text = line.decode().strip()
            if text.startswith("event:"):
                event = text.removeprefix("event:").strip()
            elif text.startswith("data:"):
                with self._arrived:
                    self.events.append(f"{event} {text.removeprefix('data:').strip()}".strip())
                    self._arrived.notify_all()

    def wait_for(self, event: str, seconds: float) -> None:
        """Wait for an event; fail if it does not arrive within `seconds`."""
        with self._arrived:
            assert self._arrived.wait_for(lambda: event in self.events, seconds), (event, self.events)


def stream(
    server: str, game: Game, client: Client | None = None, source: str = "127.0.0.1"
) -> contextlib.AbstractContextManager[Stream]:
    return stream_at(server, f"/g/{game.key}/stream/", client, source)


@contextlib.contextmanager
def stream_at(
    server: str, path: str, client: Client | None = None, source: str = "127.0.0.1"
) -> Iterator[Stream]:
    cookie = f"sessionid={client.cookies['sessionid'].value}" if client else ""
    reader = Stream(server, path, cookie, source)
    try:
        yield reader
    finally:
        reader.close()


@pytest.mark.databases
@pytest.mark.django_db(transaction=True)
def test_the_stream_sends_the_version_now_and_after_every_action(server: str) -> None:
    game = game_of(person("Ines"), person("Tobias"))
    with stream(server, game) as updates:
        assert updates.response.status == 200
        assert updates.response.headers["Content-Type"] == "text/event-stream"
        assert updates.response.headers["Cache-Control"] == "private, no-store"
        updates.wait_for("version 0", 10)
        for number in (1, 2, 3):
            play_one(game)
            updates.wait_for(f"version {number}", LONGEST_DELAY)


@pytest.mark.django_db(transaction=True)
def test_the_stream_of_a_table_sends_every_change_of_its_seats(server: str) -> None:
    table = tables.open_table(person("Ines"), tables.TableOptions(3, is_public=True, pace="slow"))
    tobias = person("Tobias")
    with stream(server, table) as updates:
        updates.wait_for("version -1", 10)
        tables.join(table.key, tobias)
        updates.wait_for("version -2", LONGEST_DELAY)
        tables.join(table.key, person("Noor"))
        updates.wait_for("version 0", LONGEST_DELAY)


@pytest.mark.django_db(transaction=True)
def test_the_stream_of_a_closed_table_ends(server: str) -> None:
    ines = person("Ines")
    table = tables.open_table(ines, tables.TableOptions(2, is_public=True, pace="slow"))
    with stream(server, table) as updates:
        updates.wait_for("version -1", 10)
        tables.close(table.key, ines)
        updates.wait_for("gone", LONGEST_DELAY)


@pytest.mark.django_db(transaction=True)
def test_opening_a_stream_marks_presence(server: str) -> None:
    game = game_of(person("Ines"), person("Tobias"))
    user, client = mover(game), Client()
    client.force_login(user)
    Seat.objects.update(seen_at=None)
    assert not presence.is_here(game.key, user.pk)
    with stream(server, game, client) as updates:
        updates.wait_for("version 0", 10)
        assert presence.is_here(game.key, user.pk)


@pytest.mark.django_db(transaction=True)
def test_every_stream_of_a_person_sends_how_many_games_wait_for_them(server: str) -> None:
    ines, tobias, noor = person("Ines"), person("Tobias"), person("Noor")
    first, table = game_of(tobias, noor), tables.open_table(ines, tables.TableOptions(2))
    with (
        stream_at(server, "/updates/stream/", client_of(ines)) as rules_page,
        stream(server, first, client_of(ines)) as page_of_another_game,
        stream_at(server, "/updates/stream/?lists", client_of(noor)) as home_page_of_another,
    ):
        for page in (rules_page, page_of_another_game):
            page.wait_for("turns 0", 10)
        home_page_of_another.wait_for(f"lists {overview(noor.pk).lists}", 10)
        seen = list(home_page_of_another.events)
        tables.join(table.key, tobias)
        while mover(table) != ines:
            play_one(table)
        for page in (rules_page, page_of_another_game):
            page.wait_for("turns 1", LONGEST_DELAY)
        play_one(first)
        wait_until(lambda: len(home_page_of_another.events) > len(seen), "the update of a game of Noor")
        assert not any("lists" in event for event in rules_page.events)


@pytest.mark.databases
@pytest.mark.django_db(transaction=True)
def test_the_home_page_gets_a_new_version_of_its_lists_with_every_change_of_one(server: str) -> None:
    ines, tobias = person("Ines"), person("Tobias")
    with (
        stream_at(server, "/updates/stream/?lists") as landing,
        stream_at(server, "/updates/stream/?lists", client_of(ines)) as home,
    ):

        def lists_change(*pages: Stream) -> None:
            for page in pages:
                user = ines.pk if page is home else None
                page.wait_for(f"lists {overview(user).lists}", LONGEST_DELAY)

        landing.wait_for(f"lists {overview(None).lists}", 10)
        home.wait_for(f"lists {overview(ines.pk).lists}", 10)
        table = tables.open_table(tobias, tables.TableOptions(3, is_public=True, pace="slow"))
        lists_change(landing, home)
        tables.join(table.key, ines)
        lists_change(landing, home)
        tables.leave(table.key, ines)
        lists_change(landing, home)
        tables.close(table.key, tobias)
        lists_change(landing, home)
        unlisted = tables.open_table(tobias, tables.TableOptions(3))
        tables.join(unlisted.key, ines)
        lists_change(home)
        tables.leave(unlisted.key, ines)
        lists_change(home)
        assert len([event for event in landing.events if "lists" in event]) == 5


@pytest.mark.django_db(transaction=True)
def test_home_pages_follow_the_seats_that_everybody_is_offered(server: str) -> None:
    game = game_of(person("Ines"), person("Tobias"))
    with stream_at(server, "/updates/stream/?lists") as landing:
        before = overview(None).lists
        landing.wait_for(f"lists {before}", 10)
        hand_overs.offer(game.key, mover(game), is_public=True)
        offered = overview(None).lists
        assert offered != before
        landing.wait_for(f"lists {offered}", LONGEST_DELAY)
        hand_overs.withdraw(game.key, mover(game))
        wait_until(lambda: landing.events[-1] == f"lists {before}", "the lists without the seat")


@pytest.mark.django_db(transaction=True)
def test_a_hand_over_updates_the_pages_of_the_former_and_of_the_new_player(server: str) -> None:
    game, noor = game_of(person("Ines"), bots=("easy",)), person("Noor")
    former = game.seats.get(bot="").user
    assert former is not None
    let_wait(game, game.seats.get(bot="").number)
    hand_overs.offer(game.key, former, is_public=False)
    with (
        stream_at(server, "/updates/stream/?lists", client_of(former)) as theirs,
        stream_at(server, "/updates/stream/?lists", client_of(noor)) as hers,
        stream(server, game) as board,
    ):
        theirs.wait_for("turns 1", 10)
        hers.wait_for("turns 0", 10)
        hand_overs.take(game.seat_offers.get().key, noor)
        hers.wait_for("turns 1", LONGEST_DELAY)
        theirs.wait_for("turns 0", LONGEST_DELAY)
        theirs.wait_for(f"lists {overview(former.pk).lists}", LONGEST_DELAY)
        board.wait_for(f"version {Game.objects.get(pk=game.pk).live_version}", LONGEST_DELAY)


@pytest.mark.django_db(transaction=True)
def test_an_invitation_to_a_rematch_changes_the_lists_of_the_invited_person(server: str) -> None:
    ines, tobias = person("Ines"), person("Tobias")
    game = game_of(ines, tobias, is_public=False)
    play(game.key, ines, Resign(0), 1, uuid.uuid4())
    with stream_at(server, "/updates/stream/?lists", client_of(tobias)) as home:
        before = overview(tobias.pk).lists
        home.wait_for(f"lists {before}", 10)
        table = tables.rematch(game.key, ines)
        offered = overview(tobias.pk).lists
        assert offered != before
        home.wait_for(f"lists {offered}", LONGEST_DELAY)
        tables.close(table.key, ines)
        wait_until(lambda: home.events[-1] == f"lists {before}", "the lists without the invitation")


@pytest.mark.django_db(transaction=True)
def test_an_unknown_game_has_no_stream(server: str) -> None:
    connection = http.client.HTTPConnection(urlsplit(server).netloc, timeout=30)
    connection.request("GET", "/g/nosuchgame22/stream/")
    assert connection.getresponse().status == 404
    connection.close()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_one_address_may_open_a_hundred_streams_and_no_more(server: str) -> None:
    game = game_of(person("Ines"), person("Tobias"))
    with contextlib.ExitStack() as opened:
        pages = [opened.enter_context(stream(server, game)) for _page in range(settings.STREAMS_PER_ADDRESS)]
        for page in pages:
            page.wait_for("version 0", 10)
        with stream(server, game) as refused:
            assert refused.response.status == 204
            assert refused.response.headers["Retry-After"] == "60"
        with urllib.request.urlopen(f"{server}/g/{game.key}/version/") as poll:
            assert json.load(poll) == {"version": 0}
        with stream(server, game, source="127.0.0.2") as other:
            other.wait_for("version 0", 10)
        play_one(game)
        for page in pages:
            page.wait_for("version 1", 10)
        pages[0].close()
        wait_until(lambda: is_open_to_one_more(server, game), "the place of the closed stream")


def is_open_to_one_more(server: str, game: Game) -> bool:
    with stream(server, game) as page:
        return bool(page.response.status == 200)


def test_an_older_version_that_arrives_later_is_ignored(settings: Settings) -> None:
    settings.REDIS_URL = ""

    async def read() -> list[bytes]:
        page = live.Page("nosuchgame22", "127.0.0.1")
        events, read = page.events(), []
        for version in (-1, -3, -2, 0, -4, 2, 1, None):
            page.show(version)
            page.beat()
            read.append(await anext(events))
        page.close()
        return read

    sent = [re.findall("(?<=version\ndata: ).*|gone", event.decode()) for event in asyncio.run(read())]
    assert sent == [["-1"], ["-3"], [], ["0"], [], ["2"], [], ["gone"]]


def test_a_stream_begins_with_a_beat_goes_on_with_beats_and_ends_after_an_hour(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.REDIS_URL = ""

    async def read() -> list[bytes]:
        page = live.Page("", "127.0.0.1")
        events = page.events()
        read = [await anext(events)]
        live.beat()
        read.append(await anext(events))
        monkeypatch.setattr(live, "LONGEST", 0.0)
        live.beat()
        assert [event async for event in events] == []
        assert live.open_pages() == []
        return read

    # Scripts see events only, no comments.
    assert asyncio.run(read()) == [b"event: beat\ndata: 20\n\n"] * 2


def test_without_redis_a_change_concerns_the_pages_that_follow_one_of_its_topics(settings: Settings) -> None:
    settings.REDIS_URL = ""

    async def read() -> list[bool]:
        mine, other, landing = (live.Page("", "127.0.0.1") for _page in range(3))
        mine.follow(live.topic_of(1))
        other.follow(live.topic_of(2))
        landing.follow(live.TABLES)
        assert set(await live.late_pages()) == {mine, other, landing}, "pages begin with what is now"
        await asyncio.to_thread(live.publish, "nosuchgame22", 1, [live.topic_of(1), live.TABLES])
        late = await asyncio.wait_for(live.late_pages(), 10)
        for page in (mine, other, landing):
            page.close()
        return [page in late for page in (mine, other, landing)]

    assert asyncio.run(read()) == [True, False, True]


@pytest.mark.databases
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("leaving", ["", "logged out"])
def test_the_regular_check_finds_lost_updates_and_believes_no_open_stream(
    leaving: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.REDIS_URL = ""
    # The threads of this test's event loop end with it.
    monkeypatch.setattr(views, "close_old_connections", connections.close_all)
    game = game_of(person("Ines"), person("Tobias"))
    player = mover(game)
    play_one(game)
    client = client_of(player)
    session = client.session.session_key
    if leaving == "logged out":
        client.logout()
    Seat.objects.update(seen_at=None)

    async def read() -> list[bytes]:
        page, table = live.Page(game.key, "127.0.0.1"), live.Page("nosuchgame22", "127.0.0.1")
        page.user_id, page.session_key = player.pk, session
        page.show(0)
        table.show(-1)
        streams = page.events(), table.events()
        read = [await anext(stream) for stream in streams]
        await views._check()
        read += [await anext(stream) for stream in streams]
        page.close()
        table.close()
        return read

    sent = [event.decode().split() for event in asyncio.run(read())]
    # The page forgets a user who has logged out.
    says_who = ["event:", "person", "data:"] if leaving == "logged out" else []
    beat = ["event:", "beat", "data:", "20"]
    assert sent[0] == ["event:", "version", "data:", "0", *beat]
    assert sent[1] == ["event:", "version", "data:", "-1", *beat]
    assert sent[2] == ["event:", "version", "data:", "1", *says_who]
    assert sent[3] == ["event:", "gone", "data:"]
    assert not presence.is_here(game.key, player.pk), "the connection may have ended without a word"


def test_a_connection_to_a_redis_that_is_gone_without_a_word_ends() -> None:
    async def idle_seconds() -> object:
        async with live._subscribing_client() as client, client.pubsub() as pubsub:
            await pubsub.subscribe("novaluna.test")
            connection = pubsub.connection._writer.get_extra_info("socket")
            assert connection.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
            return connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE)

    assert asyncio.run(idle_seconds()) == 30


@pytest.mark.django_db
def test_under_wsgi_pages_poll_instead_of_streaming() -> None:
    game = game_of(person("Ines"), person("Tobias"))
    assert Client().get(f"/g/{game.key}/stream/").status_code == 204
    assert json.loads(Client().get(f"/g/{game.key}/version/").content) == {"version": 0}
    play_one(game)
    assert json.loads(Client().get(f"/g/{game.key}/version/").content) == {"version": 1}
    assert Client().get("/g/nosuchgame22/version/").status_code == 404
    assert Client().get("/updates/stream/").status_code == 204
    client = client_of(mover(game))
    assert client.get(f"/g/{game.key}/version/").json() == {
        "version": 1,
        "turns": 1,
        "chat": 0,
        "here": "0 1",
    }
    assert client.get(f"/g/{game.key}/version/?visible&brief").json() == {"version": 1}
    assert client.get("/updates/").json() == {"turns": 1}
    assert set(client.get("/updates/?lists").json()) == {"turns", "lists"}
    assert set(Client().get("/updates/?lists").json()) == {"turns", "lists"}


def test_only_a_task_that_has_ended_is_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[str] = []

    def replace(name: str, *, ends: bool) -> None:
        async def work() -> None:
            started.append(name)
            await asyncio.sleep(0 if ends else 60)

        monkeypatch.setattr(views, name, work)

    async def open_pages() -> None:
        for _page in range(2):
            views._start_tasks()
            await asyncio.sleep(0.01)

    monkeypatch.setattr(views, "_tasks", type(views._tasks)())
    replace("_beat_for_ever", ends=True)
    replace("_check_for_ever", ends=False)
    replace("_update_for_ever", ends=False)
    asyncio.run(open_pages())
    assert started == ["_beat_for_ever", "_check_for_ever", "_update_for_ever", "_beat_for_ever"]
