"""News of a game for the pages that have it open: over Redis where there is one, else inside this process.

The news says only that something changed. One that is lost costs a page a delay, never its correctness.
"""

import asyncio
import contextlib
import functools
import logging
import threading
from collections import defaultdict
from collections.abc import AsyncIterator

import redis
import redis.asyncio
from django.conf import settings

logger = logging.getLogger(__name__)

CHANNEL = "novaluna.live"
RECONNECT_AFTER = 1.0  # seconds


class Listener:
    """An open page, woken when its game has news."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._news = asyncio.Event()

    def wake(self) -> None:
        """Say that there is news; from any thread, as often as one likes."""
        with contextlib.suppress(RuntimeError):  # the page's event loop has closed
            self._loop.call_soon_threadsafe(self._news.set)

    async def wait(self, seconds: float) -> None:
        """Return at the next news, or after so many seconds without any."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._news.wait(), seconds)
        self._news.clear()


# Set when this process ends, so that it need not wait for pages to leave.
ending = threading.Event()
_listeners: defaultdict[str, set[Listener]] = defaultdict(set)
_subscriber: asyncio.Task[None] | None = None


def publish(key: str) -> None:
    """Tell every open page of the game `key`, in all processes, that it has changed."""
    if not settings.REDIS_URL:
        _wake(key)
        return
    try:
        _publisher().publish(CHANNEL, key)
    except redis.RedisError:
        logger.warning("Redis is out of reach: open pages of game %s hear of it later.", key)


@contextlib.asynccontextmanager
async def listening(key: str) -> AsyncIterator[Listener]:
    """Listen for news of the game `key` while the context lasts."""
    listener = Listener()
    _listeners[key].add(listener)
    if settings.REDIS_URL:
        _ensure_subscriber()
    try:
        yield listener
    finally:
        _listeners[key].discard(listener)
        if not _listeners[key]:
            del _listeners[key]


def end() -> None:
    """Let all streams of this process end."""
    ending.set()
    for key in list(_listeners):
        _wake(key)


def _wake(key: str) -> None:
    for listener in list(_listeners.get(key, ())):
        listener.wake()


@functools.cache
def _publisher() -> redis.Redis:
    return redis.Redis.from_url(settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=2)


def _ensure_subscriber() -> None:
    """Keep one connection to Redis for all pages that this process serves."""
    global _subscriber
    if _subscriber is None or _subscriber.done():
        _subscriber = asyncio.get_running_loop().create_task(_follow_redis())


async def _follow_redis() -> None:
    while True:
        try:
            async with redis.asyncio.Redis.from_url(settings.REDIS_URL) as client, client.pubsub() as pubsub:
                await pubsub.subscribe(CHANNEL)
                for key in list(_listeners):
                    _wake(key)  # for what was said while nobody listened
                async for message in pubsub.listen():
                    if message["type"] == "message":
                        _wake(message["data"].decode())
        except Exception as error:
            # Of whatever kind: without this task no page of the process would hear of anything again.
            logger.warning("No news from Redis (%s): open pages look for themselves now and then.", error)
        await asyncio.sleep(RECONNECT_AFTER)
