"""The policies that `manage.py tune_bots` found: one for each number of seats, or phase of a solo game."""

from functools import cache

from games.novaluna.bots.search.policy import Policy
from games.novaluna.bots.search.stored import kind_of, stored_weights
from games.novaluna.engine import Position

KINDS = ("2", "3", "4", "phase 1", "phase 2")


@cache
def policy_named(kind: str) -> Policy:
    """Return the policy of one of `KINDS`."""
    return Policy.from_weights(list(stored_weights(kind).values()))


def policy_for(position: Position) -> Policy:
    """Return the policy for a position."""
    return policy_named(kind_of(position))
