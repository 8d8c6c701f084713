"""Fixed deals of LUNAR."""

import pytest


@pytest.fixture
def dealt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deal the same cards in each game. Seat 0 holds the black lead tile, so it starts."""
    dealt = {"leads": [0, 1], "seed": "07" * 32}
    monkeypatch.setattr("games.services.deals.mixed_deal", lambda *_arguments: dealt)
