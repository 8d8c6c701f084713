"""Fixed deals of LUNAR, and a clock that stands still."""

from collections.abc import Iterator
from unittest import mock

import pytest
from django.contrib.humanize.templatetags import humanize
from django.utils import timezone


@pytest.fixture
def dealt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deal the same cards in each game. Seat 0 holds the black lead tile, so it starts."""
    dealt = {"leads": [0, 1], "seed": "07" * 32}
    monkeypatch.setattr("games.services.deals.mixed_deal", lambda *_arguments: dealt)


@pytest.fixture
def stopped_clock() -> Iterator[None]:
    """Stop the clock, so that the same page is the same text."""
    now = timezone.now()
    with mock.patch.object(timezone, "now", return_value=now), mock.patch.object(humanize, "datetime") as own:
        own.now.return_value = now
        yield
