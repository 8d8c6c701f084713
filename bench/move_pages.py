"""Open pages of games as a browser keeps them: each has a stream, and loads what has changed."""

import asyncio
import contextlib
import json
import time
import urllib.parse
import uuid
from collections.abc import Mapping
from typing import Any

Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]

OPENED_AT_ONCE = 50
LONGEST_LINE = 2**20  # bytes; a board is one line of its stream
HTMX = {"HX-Request": "true", "Accept-Encoding": "gzip, br", "Accept": "text/html"}
CSRF = "c" * 32


class Web:
    """Connections to the web processes, which are used again, as the proxy does."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._free: list[Connection] = []

    async def ask(self, head: str, headers: Mapping[str, str], body: bytes = b"") -> int:
        """Return the status of a request, when its whole answer is here."""
        lines = [f"{head} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", f"Content-Length: {len(body)}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        request = "\r\n".join([*lines, "", ""]).encode() + body
        while True:
            is_new = not self._free
            connection = await asyncio.open_connection("127.0.0.1", self.port) if is_new else self._free.pop()
            try:
                connection[1].write(request)
                status = await _read_answer(connection[0])
            except (OSError, asyncio.IncompleteReadError):
                if is_new:
                    raise
                continue  # The server closes connections after two idle seconds.
            self._free.append(connection)
            return status


async def _read_answer(reader: asyncio.StreamReader) -> int:
    head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
    length = next(line for line in head.splitlines() if line.startswith("content-length:"))
    await reader.readexactly(int(length.removeprefix("content-length:")))
    return int(head.split()[1])


class Page:
    """An open page of one player; it gets or loads the new board if somebody else has changed it."""

    def __init__(self, web: Web, streams_port: int, key: str, cookie: str, *, loads: bool) -> None:
        self.web, self.streams_port, self.key, self.cookie = web, streams_port, key, cookie
        self.path = f"/g/{key}/"
        self.headers = {**HTMX, "Cookie": f"{cookie}; csrftoken={CSRF}", "X-CSRFToken": CSRF}
        self.shown = 0
        self.is_sending = False
        self._loads = loads
        self._has_loaded = asyncio.Event()
        self._listens: asyncio.Task[None] | None = None

    async def open(self, limit: asyncio.Semaphore) -> None:
        """Open the stream, and return after its first event that shows the version."""
        async with limit:
            reader, self._writer = await asyncio.open_connection(
                "127.0.0.1", self.streams_port, limit=LONGEST_LINE
            )
            lines = [f"GET {self.path}stream/?board HTTP/1.1", f"Host: 127.0.0.1:{self.streams_port}"]
            lines += [f"Cookie: {self.headers['Cookie']}", "Accept: text/event-stream", "", ""]
            self._writer.write("\r\n".join(lines).encode())
            self.shown, _has_board = await _next_version(reader)
        self._listens = asyncio.create_task(self._listen(reader))

    async def close(self) -> None:
        """End the stream."""
        assert self._listens is not None
        self._listens.cancel()
        with contextlib.suppress(asyncio.CancelledError, OSError, AssertionError):
            await self._listens
        self._writer.close()

    async def post(self, fields: Mapping[str, object], number: int, changes: int) -> None:
        """Play an action, and show the board of the answer."""
        form = {**fields, "number": number, "changes": changes, "request_id": str(uuid.uuid4())}
        headers = {**self.headers, "Content-Type": "application/x-www-form-urlencoded"}
        self.is_sending = True
        status = await self.web.ask(f"POST {self.path}play/", headers, urllib.parse.urlencode(form).encode())
        self.is_sending = False
        assert status == 200, status
        self.shown = number

    async def shows(self, version: int) -> float:
        """Return when the page shows this version."""
        while self.shown < version:
            self._has_loaded.clear()
            await self._has_loaded.wait()
        return time.perf_counter()

    async def _listen(self, reader: asyncio.StreamReader) -> None:
        while True:
            version, has_board = await _next_version(reader)
            if self._loads and not self.is_sending and version > self.shown:
                if not has_board:
                    status = await self.web.ask(f"GET {self.path}", self.headers)
                    assert status == 200, status
                self.shown = version
                self._has_loaded.set()


async def _next_version(reader: asyncio.StreamReader) -> tuple[int, bool]:
    """Return the version of the next event that has one, and whether it has the board too."""
    while line := await reader.readline():
        if line in (b"event: version\n", b"event: board\n"):
            value = json.loads((await reader.readline()).removeprefix(b"data:"))
            return (value, False) if isinstance(value, int) else (value["version"], True)
    raise AssertionError("the stream has ended")


async def open_all(pages: list[Page]) -> float:
    """Open the streams of these pages; return in how many seconds all have shown their version."""
    began, limit = time.perf_counter(), asyncio.Semaphore(OPENED_AT_ONCE)
    await asyncio.gather(*(page.open(limit) for page in pages))
    return time.perf_counter() - began


async def close_all(pages: list[Page]) -> None:
    """Close the streams of these pages."""
    await asyncio.gather(*(page.close() for page in pages))


async def play_move(own: Page, other: Page, fields: Mapping[str, Any], number: int, changes: int) -> Any:
    """Play a move; return the seconds until its answer, and what waits for those until the other's board."""
    began = time.perf_counter()
    waits = asyncio.create_task(other.shows(number))
    await own.post(fields, number, changes)
    answered = time.perf_counter() - began

    async def other_board() -> float:
        return await waits - began

    return answered, asyncio.create_task(other_board())
