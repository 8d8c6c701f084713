"""Fixtures for tests of faults."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django import Settings

from tests.faults.broker import use_broker
from tests.plugins.redis import Redis


@pytest.fixture
def own_redis(tmp_path: Path, settings: Settings) -> Iterator[Redis]:
    """A Redis server for the queues and live updates of this test only, which it can freeze."""
    redis = Redis(tmp_path)
    settings.REDIS_URL = redis.url(0)
    before = use_broker(redis.url(0))
    yield redis
    use_broker(before)
    redis.stop()


@pytest.fixture(autouse=True)
def _only_tests_with_a_worker_queue_for_it() -> None:
    """Queue tasks for the workers that these tests start. Each ends with its test."""
