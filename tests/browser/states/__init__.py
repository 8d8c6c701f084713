"""Every page in every state that matters, for the tests and for `make screenshots`."""

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
    lunar,
    lunar_matches,
    moderation,
    notifications,
    other_views,
    plans,
    provider,
    ratings,
    reliability,
    reviews,
    search_waits,
    training,
    try_lines,
    votes,
    webhooks,
)
from tests.browser.states.catalogue import STATES, Visit

__all__ = ["STATES", "Visit"]
