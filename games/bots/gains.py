"""What an action would gain at once, for bots that look no further."""

from typing import NamedTuple

from games.engine import TILES, GoalsCompleted, Place, Position


class Gain(NamedTuple):
    """An action: the goals it completes, the time it costs, the dots of the new tile's goals it supplies."""

    action: Place
    goals: int
    cost: int
    promise: int


def gains(position: Position) -> list[Gain]:
    """Return the gain of every tile and cell that the seat to move may choose."""
    return [_gain(position, action) for action in position.legal_actions if isinstance(action, Place)]


def _gain(position: Position, action: Place) -> Gain:
    step = position.apply(action)
    goals = sum(len(event.goals) for event in step.events if isinstance(event, GoalsCompleted))
    display = step.position.displays[action.seat]
    tile = TILES[action.tile]
    # Dots of the new tile's goals that its neighbourhood supplies already.
    support = display.support(action.cell)
    promise = sum(
        min(has, needs) for goal in tile.goals for has, needs in zip(support, goal.needs, strict=True)
    )
    return Gain(action, goals, tile.cost, promise)
