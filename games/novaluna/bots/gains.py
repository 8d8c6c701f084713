"""The immediate gain of each action, for bots that look no further."""

from typing import NamedTuple

from games.novaluna.engine import TILES, GoalsCompleted, Place, Position


class Gain(NamedTuple):
    """What an action gains and costs."""

    action: Place
    goals: int  # goals that it completes
    cost: int  # time that the tile costs
    supplied: int  # dots that the new tile's goals need and neighbouring groups already supply


def find_gains(position: Position) -> list[Gain]:
    """Return the gain of every tile on every cell that the seat to move may choose."""
    return [_gain(position, action) for action in position.legal_actions if isinstance(action, Place)]


def _gain(position: Position, action: Place) -> Gain:
    step = position.apply(action)
    goals = sum(len(event.goals) for event in step.events if isinstance(event, GoalsCompleted))
    display = step.position.displays[action.seat]
    tile = TILES[action.tile]
    support = display.support(action.cell)
    supplied = sum(
        min(has, needs) for goal in tile.goals for has, needs in zip(support, goal.needs, strict=True)
    )
    return Gain(action, goals, tile.cost, supplied)
