"""A reason for an action, and which of several reasons matter."""

from collections.abc import Sequence
from dataclasses import dataclass

MAX_REASONS = 3
# A reason is left out if it matters less than this share of the most important one.
MIN_SHARE = 0.25


@dataclass(frozen=True)
class Reason:
    """A sentence about an action, and how much it matters; the weight of a drawback is negative."""

    text: str
    weight: float


def select(reasons: Sequence[Reason]) -> list[Reason]:
    """Return the reasons that matter, at most three, the most important first; a drawback is last."""
    gains = sorted((one for one in reasons if one.weight > 0), key=lambda one: -one.weight)
    drawbacks = [one for one in reasons if one.weight < 0]
    enough = MIN_SHARE * gains[0].weight if gains else 0
    most = MAX_REASONS - len(drawbacks)
    return [*[one for one in gains if one.weight >= enough][:most], *drawbacks]
