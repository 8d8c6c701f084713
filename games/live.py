"""Live updates: signals to open pages that their game has changed.

They go through Redis if the site has it, otherwise only to pages that this process serves. An update says
only that something changed. If one is lost, a page is late, but never wrong.
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
from redis.backoff import NoBackoff
from redis.retry import Retry

logger = logging.getLogger(__name__)

CHANNEL = "novaluna.live"
RECONNECT_AFTER = 1.0  # seconds


class Listener:
    """An open page that waits for updates of its game."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._update = asyncio.Event()

    def signal(self) -> None:
        """Signal an update. Call this from any thread, any number of times."""
        with contextlib.suppress(RuntimeError):  # The page's event loop has closed.
            self._loop.call_soon_threadsafe(self._update.set)

    async def wait(self, seconds: float) -> None:
        """Return at the next update, or after `seconds` without one."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._update.wait(), seconds)
        self._update.clear()


# Set when this process stops. Open streams would keep it running otherwise.
shutdown = threading.Event()
_listeners: defaultdict[str, set[Listener]] = defaultdict(set)
_subscriber: asyncio.Task[None] | None = None


def publish(key: str) -> None:
    """Signal an update to every open page of the game `key`, in all processes. Raises RedisError."""
    if settings.REDIS_URL:
        _publisher().publish(CHANNEL, key)
    else:
        _signal(key)


@contextlib.asynccontextmanager
async def listen(key: str) -> AsyncIterator[Listener]:
    """Yield a listener for updates of the game `key`, until the context ends."""
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


def close_streams() -> None:
    """Close all streams of this process."""
    shutdown.set()
    for key in list(_listeners):
        _signal(key)


def _signal(key: str) -> None:
    """Signal an update to the open pages of the game `key` in this process."""
    for listener in list(_listeners.get(key, ())):
        listener.signal()


@functools.cache
def _publisher() -> redis.Redis:
    timeout = settings.REDIS_SEND_TIMEOUT
    return redis.Redis.from_url(
        settings.REDIS_URL,
        socket_timeout=timeout,
        socket_connect_timeout=timeout,
        retry=Retry(NoBackoff(), retries=0),
    )


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
                    _signal(key)  # Updates may have been published before this process subscribed.
                async for message in pubsub.listen():
                    if message["type"] == "message":
                        _signal(message["data"].decode())
        except Exception as error:
            # Catches any error, because without this task no page of this process would get updates again.
            logger.warning("No updates from Redis (%s). Open pages check their game themselves.", error)
        await asyncio.sleep(RECONNECT_AFTER)
