"""Every page in every state worth a look: what the tests check, and what `make screenshots` shows."""

import pytest

# Each fills the list.
from tests.browser.states import accounts, errors, games, hints, learning, lists, other_views, reviews  # noqa: F401
from tests.browser.states.catalogue import MUCH_LIKE_OTHERS, STATES, Look

__all__ = ["STATES", "Look", "every_state"]


def every_state() -> list[object]:
    """Return the names of all states, as the parameters of a test."""
    return [
        pytest.param(name, marks=pytest.mark.whole) if name in MUCH_LIKE_OTHERS else name for name in STATES
    ]
