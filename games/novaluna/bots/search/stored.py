"""The stored weights of the policies, for the compiled policy and for the plain one. This loads no numba."""

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources

from games.novaluna.engine import Position, SoloPosition

FILE = "weights.json"


@cache
def stored_weights(kind: str) -> Mapping[str, float]:
    """Return the weights of a policy, by name: for a number of seats, or for a phase of a solo game."""
    weights = json.loads(resources.files(__package__).joinpath(FILE).read_text(encoding="utf-8"))
    found: Mapping[str, float] = weights[kind]
    return found


def kind_of(position: Position) -> str:
    """Return the kind of the policy for a position."""
    return f"phase {position.phase}" if isinstance(position, SoloPosition) else str(position.seats)
