"""Fixtures for the tests of games."""

from functools import partial

import pytest

from games.novaluna import bots
from games.novaluna.bots import Budget


@pytest.fixture
def quick_expert(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the expert a tiny search budget for hints, to make tests fast. Hints are weak, but legal."""
    monkeypatch.setattr(bots, "estimates", partial(bots.estimates, budget=Budget(rollouts=24)))
