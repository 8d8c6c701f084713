"""Every page in every state that matters, for the tests and for `make screenshots`."""

import pytest

# Importing a module adds its states to the list.
from tests.browser.states import (  # noqa: F401
    accounts,
    chat,
    clocks,
    daily,
    deals,
    duplicates,
    errors,
    games,
    hand_overs,
    hints,
    invitations,
    learning,
    lists,
    notifications,
    other_views,
    plans,
    ratings,
    reliability,
    reviews,
    search_waits,
    training,
    try_lines,
    votes,
    webhooks,
)
from tests.browser.states.catalogue import MINOR_STATES, STATES, Visit

__all__ = ["STATES", "Visit", "every_state"]


def every_state() -> list[object]:
    """Return the names of all states as parameters of a test; only `make test-all` runs the minor ones.

    The checks with axe take most of the time of a state, so `make test` has about one state for each page.
    """
    return [pytest.param(name, marks=pytest.mark.whole) if name in MINOR_STATES else name for name in STATES]
