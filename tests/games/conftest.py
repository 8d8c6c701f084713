"""Fixtures of the tests of games."""

from functools import partial

import pytest

from games import bots
from games.bots import Budget


@pytest.fixture
def quick_expert(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let hints be thought out in a blink: what is right does not hang on how long the expert thinks."""
    monkeypatch.setattr(bots, "estimates", partial(bots.estimates, budget=Budget(rollouts=24)))
