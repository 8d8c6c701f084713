"""Good actions to offer to a person, by the policy of `medium`, in plain Python.

Processes that send emails and serve pages value one turn at a time, so they do not load the compiled search.
A test checks that its policy and this one compute the same values.
"""

from collections.abc import Callable, Mapping
from functools import cache, partial

from games.novaluna.bots.search.stored import kind_of, stored_weights
from games.novaluna.engine import (
    MOST_DISCS,
    Cell,
    Display,
    MultiplayerPosition,
    Place,
    Position,
    Refill,
    RefillRule,
    Support,
)

MOST_ACTIONS = 5
# Of one tile, so that the choice is one between tiles too.
MOST_PLACES = 2
# An action that is worth this much less than the best is not good. A goal that is completed now is worth 1.
LARGEST_LOSS = 2.0
# The worth of placing the last discs, which is more than everything else.
FINISH = 1000.0

Weights = Mapping[str, float]
Worth = Callable[[Support, Support, int], float]


def good_actions(position: Position, seat: int) -> list[Place | Refill]:
    """Return up to five actions for `seat` that look good, best first, from public information only.

    Places of one tile on cells that are worth the same count as one action, and one tile has two places at
    most. Raises ValueError if it is not the turn of `seat`.
    """
    if position.to_move != seat:
        raise ValueError(f"It is not the turn of seat {seat}.")
    values: dict[Place | Refill, float] = dict(value_places(position).items())
    if position.refill is not RefillRule.NOT_ALLOWED:
        values[Refill(seat)] = stored_weights(kind_of(position))["refill below"]
    best = max(values.values())
    different = {
        (action.tile if isinstance(action, Place) else None, round(value, 6)): action
        for action, value in reversed(values.items())
        if best - value <= LARGEST_LOSS
    }
    good: list[Place | Refill] = []
    for action in sorted(different.values(), key=values.__getitem__, reverse=True):
        if not isinstance(action, Place) or sum(_is_same_tile(action, one) for one in good) < MOST_PLACES:
            good.append(action)
    return good[:MOST_ACTIONS]


def _is_same_tile(place: Place, other: Place | Refill) -> bool:
    return isinstance(other, Place) and other.tile == place.tile


def value_places(position: Position) -> dict[Place, float]:
    """Return the value of every legal place action, as the policy has it; none while the wheel is empty."""
    seat, weights = position.to_move, stored_weights(kind_of(position))
    assert seat is not None
    before, discs = position.displays[seat], position.discs[seat]
    late = 1 - min(discs, MOST_DISCS) / MOST_DISCS
    scale = _interpolated(weights, "goals", late)
    per_time = _interpolated(weights, "cost", late)
    time_left = _time_before_next_player(position)
    # The same goals with the same tiles around them come back after nearly every action.
    worth = cache(partial(_potential_of_goal, weights=weights))
    potential = {cell: _potential(before, cell, worth) for cell in before.tiles}
    values = {}
    for tile in position.in_reach:
        for cell in before.free_cells:
            after = before.with_tile(tile, cell)
            goals = len(after.fulfilled) - len(before.fulfilled)
            gain = sum(
                _potential(after, near, worth) - potential.get(near, 0) for near in after.supported_by(cell)
            )
            value = goals + scale * gain - per_time * tile.cost
            if goals >= discs:
                value += FINISH
            if tile.cost <= time_left:
                value += weights["moves again"]
            value += weights["group"] * after.support(cell)[tile.colour_index]
            value += weights["neighbours"] * sum(near in before.tiles for near in cell.neighbours())
            values[Place(seat, tile.code, *cell)] = value
    return values


def _interpolated(weights: Weights, name: str, late: float) -> float:
    """Return the weight between the early and the late game, where `late` is from 0 to 1."""
    return weights[f"{name} early"] + (weights[f"{name} late"] - weights[f"{name} early"]) * late


def _time_before_next_player(position: Position) -> float:
    """Return how much time the seat to move can spend and move again."""
    if not isinstance(position, MultiplayerPosition) or len(position.track.order) == 1:
        return float("inf")
    first, second, *_others = position.track.order
    return position.track.time[second] - position.track.time[first]


def _potential(display: Display, cell: Cell, worth: Worth) -> float:
    """Return the potential of the goals on a cell that are not fulfilled yet."""
    goals = enumerate(display.tiles[cell].goals)
    needs = [goal.needs for nth, goal in goals if (cell, nth) not in display.fulfilled]
    if not needs:
        return 0.0
    support = display.support(cell)
    free = sum(near not in display.tiles for near in cell.neighbours())
    return sum(worth(each, support, free) for each in needs)


def _potential_of_goal(needs: Support, support: Support, free: int, weights: Weights) -> float:
    """Return the potential of a goal; `free` is the number of free cells beside its tile."""
    missing = sum(max(0, need - has) for need, has in zip(needs, support, strict=True))
    untouched = sum(need > has == 0 for need, has in zip(needs, support, strict=True))
    if untouched > free:
        return 0.0  # The goal cannot be completed any more.
    value = weights[f"missing {min(missing, 4)}"] * weights["untouched"] ** untouched
    if free == 0:
        return value * weights["cornered"]
    return value * weights["tight"] if untouched == free else value
