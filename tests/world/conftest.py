"""Fixtures of the tests of what happens around the site."""

import pytest
from celery import current_app

from tests.frozen import FrozenClock
from tests.world.frozen_site import IMMEDIATE, Site


@pytest.fixture
def site(clock: FrozenClock, monkeypatch: pytest.MonkeyPatch) -> Site:
    """A site whose sweep runs when a test says so, and does at once what it queues."""

    def run(task: str, *args: object, **_options: object) -> bool:
        if task in IMMEDIATE:
            current_app.tasks[task](*args)
        return True

    monkeypatch.setattr("games.tasks.queue", run)
    return Site(clock)
