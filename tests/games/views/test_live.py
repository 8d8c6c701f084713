"""News of moves: the stream over a real ASGI server, and the poll that stands in for it."""

import contextlib
import http.client
import json
import socket
import threading
import time
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from django.test import Client

from games.models import Game, Seat
from games.services import presence, tables
from tests.play import game_of, mover, person, play_one

HEARD_WITHIN = 1.0  # seconds, as promised to the other players' pages


class Stream:
    """A reader of server-sent events that notes what it read, and when."""

    def __init__(self, server: str, path: str, cookie: str = "") -> None:
        self.connection = http.client.HTTPConnection(urlsplit(server).netloc, timeout=30)
        self.connection.request("GET", path, headers={"Cookie": cookie} if cookie else {})
        self.response = self.connection.getresponse()
        self.versions: list[str] = []
        self._heard = threading.Condition()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def close(self) -> None:
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
                with self._heard:
                    self.versions.append(f"{event} {text.removeprefix('data:').strip()}".strip())
                    self._heard.notify_all()

    def wait_for(self, news: str, seconds: float) -> float:
        """Return after how many seconds the news came."""
        begin = time.monotonic()
        with self._heard:
            assert self._heard.wait_for(lambda: news in self.versions, seconds), (news, self.versions)
        return time.monotonic() - begin


@contextlib.contextmanager
def stream(server: str, game: Game, client: Client | None = None) -> Iterator[Stream]:
    cookie = f"sessionid={client.cookies['sessionid'].value}" if client else ""
    reader = Stream(server, f"/g/{game.key}/stream/", cookie)
    try:
        yield reader
    finally:
        reader.close()


@pytest.mark.django_db(transaction=True)
def test_the_stream_tells_the_version_now_and_after_every_action(server: str) -> None:
    game = game_of(person("Ines"), person("Tobias"))
    with stream(server, game) as news:
        assert news.response.status == 200
        assert news.response.headers["Content-Type"] == "text/event-stream"
        assert news.response.headers["Cache-Control"] == "private, no-store"
        news.wait_for("version 0", 10)
        for number in (1, 2, 3):
            play_one(game)
            news.wait_for(f"version {number}", HEARD_WITHIN)


@pytest.mark.django_db(transaction=True)
def test_a_table_that_waits_tells_who_comes_and_goes(server: str) -> None:
    table = tables.open_table(person("Ines"), 3, (), beginner=False, is_public=True)
    tobias = person("Tobias")
    with stream(server, table) as news:
        news.wait_for("version -1", 10)
        tables.join(table.key, tobias)
        news.wait_for("version -2", HEARD_WITHIN)
        tables.join(table.key, person("Noor"))
        news.wait_for("version 0", HEARD_WITHIN)


@pytest.mark.django_db(transaction=True)
def test_a_table_that_is_closed_ends_its_stream(server: str) -> None:
    ines = person("Ines")
    table = tables.open_table(ines, 2, (), beginner=False, is_public=True)
    with stream(server, table) as news:
        news.wait_for("version -1", 10)
        tables.close(table.key, ines)
        news.wait_for("gone", HEARD_WITHIN)


@pytest.mark.django_db(transaction=True)
def test_an_open_stream_counts_as_having_the_game_open(server: str) -> None:
    game = game_of(person("Ines"), person("Tobias"))
    user, client = mover(game), Client()
    client.force_login(user)
    Seat.objects.update(seen_at=None)
    assert not presence.is_here(game.key, user.pk)
    with stream(server, game, client) as news:
        news.wait_for("version 0", 10)
        assert presence.is_here(game.key, user.pk)


@pytest.mark.django_db(transaction=True)
def test_an_unknown_game_has_no_stream(server: str) -> None:
    connection = http.client.HTTPConnection(urlsplit(server).netloc, timeout=30)
    connection.request("GET", "/g/nosuchgame22/stream/")
    assert connection.getresponse().status == 404
    connection.close()


@pytest.mark.django_db
def test_under_wsgi_the_stream_sends_pages_to_the_poll() -> None:
    game = game_of(person("Ines"), person("Tobias"))
    assert Client().get(f"/g/{game.key}/stream/").status_code == 204
    assert json.loads(Client().get(f"/g/{game.key}/version/").content) == {"version": 0}
    play_one(game)
    assert json.loads(Client().get(f"/g/{game.key}/version/").content) == {"version": 1}
    assert Client().get("/g/nosuchgame22/version/").status_code == 404
