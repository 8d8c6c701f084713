"""Rate limits: all processes count together, floods do not reset them, and they apply without Redis."""

import contextlib
import socket
import threading
import time
from collections.abc import Iterator

import pytest
from allauth.core import ratelimit
from django.conf import settings as site_settings
from django.core.cache import cache
from django.core.cache.backends.locmem import LocMemCache
from django.test import Client, RequestFactory
from pytest_django.fixtures import Settings
from redis import Redis

from novaluna_site import counters
from novaluna_site.counters import SharedCounters
from tests.play import person

pytestmark = pytest.mark.django_db

FLOOD = 400  # requests; a cache of Django's default size has 300 entries


@pytest.fixture(autouse=True)
def _redis_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget that Redis did not answer in an earlier test."""
    monkeypatch.setattr(SharedCounters, "_retry_at", 0.0)


@pytest.fixture
def hanging_server() -> Iterator[socket.socket]:
    """A server that accepts connections and never answers."""
    with socket.create_server(("127.0.0.1", 0), backlog=100) as server:
        yield server


@pytest.fixture
def hanging_redis(hanging_server: socket.socket) -> str:
    """The URL of a Redis that hangs."""
    return f"redis://127.0.0.1:{hanging_server.getsockname()[1]}/0"


def connections_to(server: socket.socket) -> int:
    """Return how many connections to a server that never answers have been opened."""
    server.setblocking(False)
    count = 0
    with contextlib.suppress(BlockingIOError):
        while True:
            server.accept()[0].close()
            count += 1
    return count


def use_cache(settings: Settings, url: str) -> None:
    """Count in the Redis at this URL, or in memory without one, as the settings do."""
    backend = "novaluna_site.counters.SharedCounters" if url else "novaluna_site.counters.LocalCounters"
    default = site_settings.CACHES["default"] | {"BACKEND": backend, "LOCATION": url}
    settings.CACHES = site_settings.CACHES | {"default": default}
    cache.clear()


def try_passwords(count: int, **extra: str) -> int:
    """Try wrong passwords of Ines and return the status of the right one after them."""
    client = Client(**extra)
    for _attempt in range(count):
        client.post("/account/login/", {"login": "Ines", "password": "sun"})
    return client.post("/account/login/", {"login": "Ines", "password": "moon-and-stars-17"}).status_code


@pytest.mark.slow
@pytest.mark.parametrize("where", ["redis", "memory"])
def test_a_flood_of_requests_does_not_reset_the_limit_of_log_ins(settings: Settings, where: str) -> None:
    person("Ines")
    use_cache(settings, settings.REDIS_URL if where == "redis" else "")
    assert try_passwords(5) == 400
    for number in range(FLOOD):
        # As a request to log in does. Whole requests would take a minute.
        request = RequestFactory().post("/account/login/", REMOTE_ADDR=f"10.0.{number // 250}.{number % 250}")
        assert ratelimit.consume(request, action="login")
    assert try_passwords(0) == 400
    cache.clear()
    assert try_passwords(0) == 302


def test_all_processes_count_in_one_redis_and_clearing_leaves_its_queues(settings: Settings) -> None:
    config = settings.CACHES["default"]
    first, second = (SharedCounters(config["LOCATION"], config) for _process in range(2))
    redis = Redis.from_url(settings.REDIS_URL)
    redis.set("another-key", "kept")
    first.set("attempts", [1.0], 60)
    assert second.get("attempts") == [1.0]
    assert not second.add("attempts", [])
    second.clear()
    assert first.get("attempts") is None
    assert redis.get("another-key") == b"kept"
    redis.delete("another-key")


def test_threads_that_have_ended_leave_no_connections_open(settings: Settings) -> None:
    redis = Redis.from_url(settings.REDIS_URL)
    cache.get("attempts")
    before = len(redis.client_list())
    for _number in range(5):
        # The cache of this thread, not of the one that starts it.
        thread = threading.Thread(target=lambda: cache.get("attempts"))
        thread.start()
        thread.join()
    assert len(redis.client_list()) == before


def test_limits_apply_while_redis_hangs_which_costs_one_wait(
    settings: Settings,
    hanging_server: socket.socket,
    hanging_redis: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    person("Ines")
    LocMemCache("counters", {}).clear()
    settings.CACHES = site_settings.CACHES | {
        "default": site_settings.CACHES["default"] | {"LOCATION": hanging_redis}
    }
    monkeypatch.setattr(counters, "OUTAGE", 3600.0)  # longer than this test on any machine
    assert try_passwords(4) == 302
    assert try_passwords(5, REMOTE_ADDR="10.0.0.1") == 400
    assert connections_to(hanging_server) == 1


def test_the_end_of_an_outage_is_noticed(settings: Settings, hanging_redis: str) -> None:
    config = settings.CACHES["default"]
    hanging, answering = (SharedCounters(url, config) for url in (hanging_redis, config["LOCATION"]))
    hanging.set("attempts", [1.0], 60)
    assert answering.get("attempts") == [1.0]  # in the memory of this process
    SharedCounters._retry_at = time.monotonic()
    assert answering.get("attempts") is None
