"""Fixtures for the tests of games."""

from functools import partial

import pytest

from games.log.deals import mixed_deal
from games.novaluna.bots import face as bots
from games.novaluna.bots.face import Budget
from games.services import deals


@pytest.fixture
def quick_expert(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the expert a tiny search budget for hints, to make tests fast. Hints are weak, but legal."""
    monkeypatch.setattr(bots, "estimates", partial(bots.estimates, budget=Budget(rollouts=24)))


@pytest.fixture
def true_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Mix deals from their secrets and nonces, as the site does outside of tests."""
    monkeypatch.setattr(deals, "mixed_deal", mixed_deal)
