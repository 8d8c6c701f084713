"""Live updates: what has changed is sent to the open pages that show it.

An open page follows topics: a game, everything that concerns one person, the open tables. The version of a
game is sent to the pages that follow it. For the other topics, only the fact that they have changed goes from
process to process; `games/views/open_pages.py` then reads what its pages show of them. A page of a player
gets the new board with its version, so that it need not ask for it.

Updates go through Redis if the site has it, otherwise only to pages that this process serves. An update that
is lost makes a page late, but never wrong: `games/views/open_pages.py` compares all open pages with the
database regularly.

All functions except `publish` belong to the event loop that serves the pages.
"""

import asyncio
import contextlib
import functools
import itertools
import json
import logging
import os
import random
import socket
import time
from collections import Counter, defaultdict
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping
from typing import Any, NamedTuple

import redis
import redis.asyncio
from django.conf import settings
from redis.backoff import NoBackoff
from redis.retry import Retry

logger = logging.getLogger(__name__)

VERSIONS = "novaluna.versions"  # the channel for a game and its version
TOPICS = "novaluna.topics"  # the channel for topics that have changed
RECONNECT_AFTER = 1.0  # seconds
# A connection to a Redis that is gone without a word ends after a minute, not never.
KEEPALIVE = {socket.TCP_KEEPIDLE: 30, socket.TCP_KEEPINTVL: 10, socket.TCP_KEEPCNT: 3}
# A stream ends after an hour at most, and its page opens another one. Behind a proxy, the stream of a page
# that is gone without a word can look open for ever.
LONGEST = 3600.0  # seconds
# What all pages need regularly, they get in so many turns, as boards would wait for 2,000 beats in a row.
TURNS = 20
PAGE = "novaluna.page"  # the name of an open page in the scope of its ASGI request
# Boards that wait to be drawn in this process. More pages than these ask the processes of the pages.
# asyncio has min(32, cores + 4) threads, and some are left to open streams and to check them.
MOST_WAITING = min(10, (os.cpu_count() or 1) + 2)

# A page that has missed more actions than these and the newest one gets only the newest board.
MOST_BETWEEN = 6

Opener = Callable[..., Awaitable[Any]]


class Drawn(NamedTuple):
    """The part of a page that shows a game, and the live version of the game that it shows.

    `between` has this part after each action before, oldest first, if several have followed each other.
    """

    version: int
    html: str
    between: tuple[str, ...] = ()

    def after(self, unsent: "Drawn | None") -> "Drawn":
        """Return the board with one before it that was not sent yet."""
        if unsent is None:
            return self
        between = (*unsent.between, unsent.html, *self.between)
        return self._replace(between=between if len(between) <= MOST_BETWEEN else ())


class Page:
    """An open page: its events contain the newest values of what it follows. Close it at its end.

    `key` is the game or table that the page shows; it may be empty.
    """

    def __init__(self, key: str, address: str) -> None:
        self.key = key
        self.address = address
        self.user_id: int | None = None
        self.session_key: str | None = None
        self.topics: set[str] = set()
        self.is_opening = False  # whether its user is not known yet
        self.is_live = False  # whether it shows a game at the live pace
        self.on_leave: Callable[[Page], None] | None = None  # called when its visitor closes it
        # Draws what the page shows of its game now, which shows a version; None if it loads this itself.
        self.draw: Callable[[int | None], Awaitable[Drawn | None]] | None = None
        self._version: int | None = None
        self._values: dict[str, object] = {}  # by the name of their event
        self._drawn: Drawn | None = None  # not sent yet
        self._wanted = 0  # the version that is being drawn
        self._drawing: asyncio.Task[None] | None = None
        self._is_gone = False
        self._is_closed = False
        self._is_beat_due = True
        self._opened_at = time.monotonic()
        self.turn = next(_turns)
        # All pages open a stream after a restart of the site. So they do not all do it again an hour later.
        self._part_of_longest = random.uniform(0.5, 1.0)
        self._wakes = asyncio.Event()
        _pages[key].add(self)
        _pages_of_address[address] += 1
        _follow()

    def follow(self, topic: str) -> None:
        """Receive the changes of a topic, beginning with what it is now."""
        self.topics.add(topic)
        _pages[topic].add(self)
        mark_late([self])

    def show(self, version: int | None) -> None:
        """Send this version, or None if the table was closed. Versions older than the last are ignored."""
        if version is None:
            self._is_gone = True
        elif self._is_new(version):
            self._version = version
            self._values["version"] = version
            self._drawn = None  # The page would show it after the newer version.
        self._wakes.set()

    def check(self, version: int | None) -> None:
        """Send this version as `show` does, unless its board is being drawn."""
        if version is None or version > self._wanted or not self._is_drawing:
            self.show(version)

    def show_board(self, version: int) -> None:
        """Send the board of this version, or only the version if this process has much to draw."""
        self._wanted = max(version, self._wanted)
        if not self._is_drawing:
            self._drawing = asyncio.create_task(self._draw())

    @property
    def _is_drawing(self) -> bool:
        return self._drawing is not None and not self._drawing.done()

    async def _draw(self) -> None:
        while not self._is_closed and self._is_new(wanted := self._wanted):
            drawn = await _draw_soon(self, self._version)
            if drawn is None or drawn.version < wanted:
                self.show(wanted)
            elif self._is_new(drawn.version):
                self._version, self._drawn = drawn.version, drawn.after(self._drawn)
                self._wakes.set()

    def _is_new(self, version: int) -> bool:
        return self._version is None or _progress(version) > _progress(self._version)

    def show_values(self, values: Mapping[str, object]) -> None:
        """Send each of these values as an event, unless it was the last one sent by this name."""
        self._values.update(values)
        self._wakes.set()

    def beat(self) -> None:
        """Send a beat, or end a stream that has been open for so long that its visitor may be gone."""
        if time.monotonic() - self._opened_at > LONGEST * self._part_of_longest:
            self.close()
        self._is_beat_due = True
        self._wakes.set()

    async def events(self) -> AsyncGenerator[bytes, None]:
        """Yield server-sent events until the page is closed or the table is gone. The first has a beat."""
        sent: dict[str, object] = {}
        while not self._is_closed and not _is_stopping:
            if self._is_gone:
                yield b"event: gone\ndata:\n\n"
                return
            unsent = {event: value for event, value in self._values.items() if sent.get(event) != value}
            sent |= unsent
            if self._drawn is not None:
                unsent["board"] = json.dumps(self._drawn._asdict())
                self._drawn = None
            if self._is_beat_due:
                # Scripts do not see comments. The number says to the page when the next beat is due.
                unsent["beat"] = f"{settings.STREAMS_BEAT:g}"
                self._is_beat_due = False
            if unsent:
                lines = [f"event: {event}\ndata: {value}\n\n" for event, value in unsent.items()]
                yield "".join(lines).encode()
            await self._wakes.wait()
            self._wakes.clear()

    def leave(self) -> None:
        """End the events, because the visitor has closed the page or the connection."""
        if self.on_leave and not (self._is_closed or _is_stopping):
            self.on_leave(self)
        self.close()

    def close(self) -> None:
        """End the events, and count the page no longer. Closing it twice is harmless."""
        if self._is_closed:
            return
        self._is_closed = True
        self._wakes.set()
        for topic in (self.key, *self.topics):
            _discard(topic, self)
        _late_pages.discard(self)
        _pages_of_address[self.address] -= 1
        if not _pages_of_address[self.address]:
            del _pages_of_address[self.address]


_openers: dict[Callable[..., Any], Opener] = {}
_turns = itertools.cycle(range(TURNS))  # of new pages
_pages: defaultdict[str, set[Page]] = defaultdict(set)  # by the key of their game, and by each topic
_pages_of_address: Counter[str] = Counter()
_loop: asyncio.AbstractEventLoop | None = None
_subscriber: asyncio.Task[None] | None = None
_is_stopping = False
_waiting = 0  # pages whose boards are being drawn
# Set when updates may have been lost, until the open pages are compared with the database.
_may_be_late = asyncio.Event()
_late_pages: set[Page] = set()
_some_are_late = asyncio.Event()


def opens(view: Callable[..., Any]) -> Callable[[Opener], Opener]:
    """Decorate a function that opens the streams for which a view is asked, without Django's middleware."""

    def decorate(opener: Opener) -> Opener:
        _openers[view] = opener
        return opener

    return decorate


def opener_of(view: Callable[..., Any]) -> Opener | None:
    """Return the function that opens the streams of a view; None if it is for something else."""
    return _openers.get(view)


def publish(key: str, version: int | None, topics: Iterable[str] = (), answered: int | None = None) -> None:
    """Send the live version of the game `key` to all its open pages, in all processes; None if it is gone.

    The user `answered` gets the board as the answer to their request. Pages that follow one of the `topics`
    are updated too. Call this from any thread. Raises RedisError.
    """
    _publish((VERSIONS, [key, version, answered]), (TOPICS, list(topics)))


def publish_topics(topics: Iterable[str]) -> None:
    """Update the open pages that follow one of these topics, as `publish` does."""
    _publish((TOPICS, list(topics)))


def _publish(*messages: tuple[str, list[Any]]) -> None:
    if settings.REDIS_URL:
        pipeline = _publisher().pipeline(transaction=False)
        for channel, message in messages:
            pipeline.publish(channel, json.dumps(message))
        pipeline.execute()
    elif _loop:
        with contextlib.suppress(RuntimeError):  # The event loop has closed.
            for channel, message in messages:
                _loop.call_soon_threadsafe(_receive, channel, message)


def has_room_for(address: str) -> bool:
    """Return whether this process may open one more page, for a visitor from this IP address."""
    return (
        _pages_of_address.total() < settings.STREAMS_MAX
        and _pages_of_address[address] < settings.STREAMS_PER_ADDRESS
    )


def open_pages() -> list[Page]:
    """Return the open pages of this process."""
    return list({page for pages in _pages.values() for page in pages})


def pages_of_turn(turn: int) -> list[Page]:
    """Return the open pages that get a beat in this turn of `TURNS`, and that are checked in it."""
    return [page for page in open_pages() if page.turn == turn]


async def wait_until_late(seconds: float) -> bool:
    """Return True when updates may have been lost, or False after `seconds`."""
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(_may_be_late.wait(), seconds)
    were_lost = _may_be_late.is_set()
    _may_be_late.clear()
    return were_lost


def mark_late(pages: Iterable[Page]) -> None:
    """Make `late_pages` return these pages, because what they follow may have changed."""
    _late_pages.update(pages)
    if _late_pages:
        _some_are_late.set()


async def late_pages() -> list[Page]:
    """Wait until pages are late, and return them. From then on they no longer count as late."""
    await _some_are_late.wait()
    _some_are_late.clear()
    pages = list(_late_pages)
    _late_pages.clear()
    return pages


def close_all() -> None:
    """End the events of all pages, because this process stops: open streams would keep it running."""
    global _is_stopping
    _is_stopping = True
    for page in open_pages():
        page.close()


def _progress(version: int) -> tuple[bool, int]:
    """Return a value that grows with each change: a table counts -1, -2 …, then its game 0, 1 and so on."""
    return version >= 0, abs(version)


def _show(key: str, version: int | None, answered: int | None = None) -> None:
    for page in _pages.get(key, ()):
        if version is None or version < 0 or page.draw is None or page.user_id == answered:
            page.show(version)
        else:
            page.show_board(version)


async def _draw_soon(page: Page, since: int | None) -> Drawn | None:
    """Return what a page shows of its game now, after version `since`; None if too many others wait."""
    global _waiting
    if page.draw is None or _waiting >= MOST_WAITING:
        return None
    _waiting += 1
    try:
        return await page.draw(since)
    finally:
        _waiting -= 1


def _mark_followers(topics: Iterable[str]) -> None:
    for topic in topics:
        mark_late(_pages.get(topic, ()))


def _discard(topic: str, page: Page) -> None:
    _pages[topic].discard(page)
    if not _pages[topic]:
        del _pages[topic]


@functools.cache
def _publisher() -> redis.Redis:
    timeout = settings.REDIS_SEND_TIMEOUT
    return redis.Redis.from_url(
        settings.REDIS_URL,
        socket_timeout=timeout,
        socket_connect_timeout=timeout,
        retry=Retry(NoBackoff(), retries=0),
    )


def _receive(channel: str, message: list[Any]) -> None:
    if channel == VERSIONS:
        _show(*message)
    else:
        _mark_followers(message)


def _follow() -> None:
    """Receive updates in this event loop, through one connection for all pages that this process serves."""
    global _loop, _subscriber
    _loop = asyncio.get_running_loop()
    if settings.REDIS_URL and (_subscriber is None or _subscriber.done()):
        _subscriber = _loop.create_task(_follow_redis())


def _subscribing_client() -> redis.asyncio.Redis:
    return redis.asyncio.Redis.from_url(
        settings.REDIS_URL, socket_keepalive=True, socket_keepalive_options=KEEPALIVE
    )


async def _follow_redis() -> None:
    while True:
        try:
            async with _subscribing_client() as client, client.pubsub() as pubsub:
                await pubsub.subscribe(VERSIONS, TOPICS)
                _may_be_late.set()  # Updates may have been published before this process subscribed.
                async for message in pubsub.listen():
                    if message["type"] == "message":
                        _receive(message["channel"].decode(), json.loads(message["data"]))
        except Exception as error:
            # Catches any error, because without this task no page of this process would get updates again.
            logger.warning("No updates from Redis (%s). Open pages are updated later.", error)
        await asyncio.sleep(RECONNECT_AFTER)
