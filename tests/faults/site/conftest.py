"""One running site for all tests of this folder, because it takes long to start."""

from collections.abc import Iterator

import pytest
from pytest_django import Settings

from tests.faults.broker import use_broker
from tests.faults.site.running import RunningSite
from tests.receiver import Receiver, receiver


@pytest.fixture(scope="package")
def _running(tmp_path_factory: pytest.TempPathFactory, django_db_setup: None) -> Iterator[RunningSite]:
    site = RunningSite(tmp_path_factory.mktemp("site"))
    yield site
    site.stop()


@pytest.fixture
def site(_running: RunningSite, settings: Settings) -> Iterator[RunningSite]:
    """The site, which works, and for which this process queues its tasks."""
    settings.REDIS_URL = _running.redis.url(0)
    settings.OUTGOING_TO_LOOPBACK = True
    before = use_broker(settings.REDIS_URL)
    _running.go_on()
    _running.wait_until_it_works()
    yield _running
    use_broker(before)
    _running.pause()


@pytest.fixture
def hook() -> Iterator[Receiver]:
    """A server for webhooks on this machine."""
    with receiver() as server:
        yield server
