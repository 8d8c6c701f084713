"""The caches in which rate limits count: Redis, which all processes share, or the memory of one process.

A counter is a list of the times at which something happened, newest first.
"""

import logging
import time
from typing import Any, ClassVar

from django.conf import settings
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from django.utils.functional import cached_property
from redis import RedisError
from redis.backoff import NoBackoff
from redis.retry import Retry

logger = logging.getLogger(__name__)

# Seconds without Redis after a failure: longer than allauth locks a counter, so that no lock is left then.
OUTAGE = 15.0


# Seconds by which the clocks of two machines may differ.
TOLERANCE = 30.0


class LocalCounters(LocMemCache):
    """Counts in the memory of this process."""

    def get(self, *args: Any, **kwargs: Any) -> Any:
        return _without_future(super().get(*args, **kwargs))


class SharedCounters(RedisCache):
    """Counts in Redis; for some seconds after Redis did not answer, in the memory of this process.

    So limits apply without Redis too, and a Redis that hangs costs a process one timeout, not one for each
    counter. Only the methods that allauth's rate limits use do this.
    """

    _retry_at = 0.0  # for all threads of the process
    # By server. With one client for each thread, connections of threads that have ended would stay open.
    _clients: ClassVar[dict[str, Any]] = {}

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        self._server = server
        self._local = LocalCounters("counters", params)
        timeouts = dict.fromkeys(("socket_connect_timeout", "socket_timeout"), settings.REDIS_SEND_TIMEOUT)
        super().__init__(server, params | {"OPTIONS": {"retry": Retry(NoBackoff(), 0), **timeouts}})

    @cached_property
    def _cache(self) -> Any:
        """The client that all threads of the process share."""
        return self._clients.setdefault(self._server, super()._cache)

    def add(self, *args: Any, **kwargs: Any) -> bool:
        return bool(self._call("add", *args, **kwargs))

    def get(self, *args: Any, **kwargs: Any) -> Any:
        return _without_future(self._call("get", *args, **kwargs))

    def set(self, *args: Any, **kwargs: Any) -> None:
        self._call("set", *args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> bool:
        return bool(self._call("delete", *args, **kwargs))

    def clear(self) -> None:
        """Remove all counters, but not the queues, which are in the same Redis database."""
        self._local.clear()
        client = self._cache.get_client(write=True)
        if keys := list(client.scan_iter(match=self.make_key("*"))):
            client.delete(*keys)

    def _call(self, method: str, *args: Any, **kwargs: Any) -> Any:
        if time.monotonic() >= self._retry_at:
            try:
                return getattr(super(), method)(*args, **kwargs)
            except RedisError:
                SharedCounters._retry_at = time.monotonic() + OUTAGE
                logger.warning(
                    "Cannot reach Redis: for %d s, each process counts rate limits itself.", OUTAGE
                )
        return getattr(self._local, method)(*args, **kwargs)


def _without_future(value: Any) -> Any:
    """Return a counter without times from before the clock was set back: they would count for too long."""
    if not isinstance(value, list):
        return value
    return [at for at in value if not isinstance(at, float) or at <= time.time() + TOLERANCE]
