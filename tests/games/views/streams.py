"""Readers of the streams of open pages."""

import contextlib
import http.client
import socket
import threading
from collections.abc import Iterator
from urllib.parse import urlsplit

from django.test import Client

from games.models import Game

# Seconds for an update, on a busy machine. A check that finds lost updates comes later (`CHECK_EVERY`).
# `bench.moves` measures the promise to the pages of other players.
LONGEST_DELAY = 15.0
# Seconds for the server's first events, and for those that a check sends.
LONGEST_START = 60.0


class Stream:
    """A reader of server-sent events that collects them as "event data"."""

    def __init__(self, server: str, path: str, cookie: str = "", source: str = "127.0.0.1") -> None:
        self.connection = http.client.HTTPConnection(
            urlsplit(server).netloc, timeout=LONGEST_START, source_address=(source, 0)
        )
        self.connection.request("GET", path, headers={"Cookie": cookie} if cookie else {})
        self.response = self.connection.getresponse()
        self.events: list[str] = []
        self.has_ended = False
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
        with self._arrived:
            self.has_ended = True
            self._arrived.notify_all()

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

    def wait_for(self, event: str, seconds: float = LONGEST_START) -> None:
        """Wait for an event; fail if it does not arrive within `seconds`."""
        with self._arrived:
            assert self._arrived.wait_for(lambda: event in self.events, seconds), (event, self.events)

    def wait_for_turns(self, seconds: float = LONGEST_START) -> None:
        """Wait until the stream has sent how many games wait for its person."""
        with self._arrived:
            has_turns = lambda: any(event.startswith("turns ") for event in self.events)  # noqa: E731
            assert self._arrived.wait_for(has_turns, seconds), self.events

    def wait_for_the_end(self, seconds: float) -> None:
        """Wait until the server has ended the stream."""
        with self._arrived:
            assert self._arrived.wait_for(lambda: self.has_ended, seconds), self.events


def stream(
    server: str, game: Game, client: Client | None = None, source: str = "127.0.0.1"
) -> contextlib.AbstractContextManager[Stream]:
    return stream_at(server, f"/g/{game.key}/stream/", client, source)


@contextlib.contextmanager
def stream_at(
    server: str, path: str, client: Client | None = None, source: str = "127.0.0.1"
) -> Iterator[Stream]:
    cookies = client.cookies.items() if client else ()
    cookie = "; ".join(f"{name}={cookie.value}" for name, cookie in cookies)
    reader = Stream(server, path, cookie, source)
    try:
        yield reader
    finally:
        reader.close()
