"""The policies that `manage.py tune_bots` found: one for each number of seats, or phase of a solo game."""

import json
from functools import cache
from importlib import resources

from games.bots.search.policy import Policy
from games.engine import Position, SoloPosition

FILE = "weights.json"
KINDS = ("2", "3", "4", "phase 1", "phase 2")


@cache
def policy_named(kind: str) -> Policy:
    """Return the policy of one of `KINDS`."""
    stored = json.loads(resources.files(__package__).joinpath(FILE).read_text(encoding="utf-8"))
    return Policy.from_weights(list(stored[kind].values()))


def policy_for(position: Position) -> Policy:
    """Return the policy for a position."""
    return policy_named(
        f"phase {position.phase}" if isinstance(position, SoloPosition) else str(position.seats)
    )
