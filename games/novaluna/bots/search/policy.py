"""A policy: it values every tile on every cell without placing it, and plays the turn of highest value.

The value of a turn is linear in its features, with weights tuned by `manage.py tune_bots`. The most important
feature is the potential of open goals: the value of a goal while dots are missing. It depends on how many
dots are missing, how many of their colours do not touch the goal's tile yet, and how many cells beside the
tile are still free.
"""

from typing import Any, NamedTuple

import numpy as np

from games.compiled.functions import compiled, draw_below, lowest_bit
from games.novaluna.bots.search.state import (
    AREA,
    CELL_COUNT,
    CELLS,
    DISCS,
    DISPLAY,
    DISPLAYS,
    DONE,
    FREE,
    GROUP,
    IN_PLAY,
    MASKS,
    MEMBERS,
    MOST_CELLS,
    ON_WHEEL,
    ORDER,
    OVER,
    SIZE,
    STEPS,
    SUPPORT,
    TILE,
    TIME,
    TOUCHES,
    WANTS,
    WHEEL,
    State,
    can_refill,
    find_reach,
    place,
    refill,
    to_move,
)
from games.novaluna.bots.search.tiles import COLOUR, COST, GOALS, NEEDS
from games.novaluna.engine import MOST_DISCS

MOST_PLACES = 3 * MOST_CELLS

# The weights with which tuning starts. A goal that is completed now is worth 1.
INITIAL_WEIGHTS = (
    0.5, 0.3, 0.2, 0.1,
    0.6,
    0.5,
    0.8,
    1.0,
    0.3,
    0.12,
    0.12,
    0.1,
    0.02,
    0.0,
    0.0,
)  # fmt: skip
NAMES = (
    "missing 1",
    "missing 2",
    "missing 3",
    "missing 4",
    "untouched",
    "cornered",
    "tight",
    "goals early",
    "goals late",
    "cost early",
    "cost late",
    "moves again",
    "group",
    "neighbours",
    "refill below",
)
MISSING = 0  # potential by dots missing, 1 to 4
UNTOUCHED = 4  # factor for each missing colour that does not touch the goal's tile
CORNERED = 5  # factor for a goal whose tile has no free cell left
TIGHT = 6  # factor for a goal whose tile has just enough free cells for its untouched colours
EARLY = 7  # factor of the potential while all discs are left
LATE = 8  # factor of the potential when no disc is left; interpolated between the two
COST_EARLY = 9  # penalty for a unit of time, interpolated in the same way
COST_LATE = 10
AGAIN = 11  # the same seat moves again
GROUP_SIZE = 12  # for each tile of the groups that the new tile joins
NEIGHBOURS = 13  # for each tile beside the new one
REFILL_BELOW = 14  # refill, if allowed, when every turn is worth less than this


class Places(NamedTuple):
    """The turns that a seat may choose from, each with its value and the number of goals it completes."""

    space: Any
    cell: Any
    value: Any
    goals: Any


def new_places() -> Places:
    """Return arrays that are long enough for the turns of any position."""
    return Places(
        np.zeros(MOST_PLACES, np.int64),
        np.zeros(MOST_PLACES, np.int64),
        np.zeros(MOST_PLACES, np.float64),
        np.zeros(MOST_PLACES, np.int64),
    )


class Policy(NamedTuple):
    """Weights, and the table of potentials that is computed from them."""

    weights: Any
    table: Any

    @classmethod
    def from_weights(cls, weights: Any) -> "Policy":
        """Return the policy with these weights, an array or a list."""
        weights = np.array(weights, np.float64)
        return cls(weights, potential_table(weights))


def potential_table(weights: Any) -> Any:
    """Return the potentials of a goal, by missing dots, untouched colours and free cells: 17 x 5 x 5."""
    table = np.zeros((17, 5, 5))
    for missing in range(1, 17):
        for untouched in range(5):
            for free in range(5):
                if untouched > free:
                    continue  # The goal cannot be completed any more.
                value = weights[MISSING + min(missing, 4) - 1] * weights[UNTOUCHED] ** untouched
                if free == 0:
                    value *= weights[CORNERED]
                elif untouched == free:
                    value *= weights[TIGHT]
                table[missing, untouched, free] = value
    return table


@compiled
def potential(table: Any, tile: int, done: int, s0: int, s1: int, s2: int, s3: int, free: int) -> float:
    """Return the potential of a tile's open goals with this support, where a fulfilled goal counts 1.

    `done` has the goals that are not open, as bits; `s0` to `s3` is the support in each colour.
    """
    total = 0.0
    for goal in range(GOALS[tile]):
        if done >> goal & 1:
            continue
        missing = 0
        untouched = 0
        for k in range(4):
            need = int(NEEDS[tile, goal, k])
            has = s0 if k == 0 else s1 if k == 1 else s2 if k == 2 else s3
            if need > has:
                missing += need - has
                if has == 0:
                    untouched += 1
        total += 1.0 if missing == 0 else table[missing, untouched, free]
    return total


@compiled
def count_completed(tile: int, done: int, s0: int, s1: int, s2: int, s3: int) -> int:
    """Return how many of a tile's open goals this support fulfils; the parameters are as in `potential`."""
    count = 0
    for goal in range(GOALS[tile]):
        if not done >> goal & 1 and (
            s0 >= NEEDS[tile, goal, 0]
            and s1 >= NEEDS[tile, goal, 1]
            and s2 >= NEEDS[tile, goal, 2]
            and s3 >= NEEDS[tile, goal, 3]
        ):
            count += 1
    return count


@compiled
def find_places(s: State, policy: Policy, places: Places) -> int:
    """Write to `places` every place action of the seat to move; return how many there are."""
    n, g, m = s.n, s.g, s.m
    weights, table = policy
    seat = to_move(s)
    d = DISPLAYS + seat * DISPLAY
    q = seat * MASKS
    spaces = np.empty(3, np.int64)
    in_reach = find_reach(s, spaces)
    with_open_goals = m[q + WANTS] | m[q + WANTS + 1] | m[q + WANTS + 2] | m[q + WANTS + 3]

    potentials = np.empty(64, np.float64)
    rest = with_open_goals
    while rest:
        slot = lowest_bit(rest)
        rest &= rest - 1
        at = d + SUPPORT + 4 * slot
        potentials[slot] = potential(
            table,
            n[d + TILE + slot],
            n[d + DONE + slot],
            n[at],
            n[at + 1],
            n[at + 2],
            n[at + 3],
            n[d + FREE + slot],
        )

    discs = int(n[DISCS + seat])
    late = 1.0 - min(discs, MOST_DISCS) / MOST_DISCS
    scale = weights[EARLY] + (weights[LATE] - weights[EARLY]) * late
    per_time = weights[COST_EARLY] + (weights[COST_LATE] - weights[COST_EARLY]) * late
    time_to_beat = int(n[TIME + n[ORDER + 1]]) if n[IN_PLAY] > 1 else 9999

    sides = np.empty(4, np.int64)  # the slots beside a cell
    effect_goals = np.empty(4, np.int64)
    effect_value = np.empty(4, np.float64)
    effect_size = np.empty(4, np.int64)
    support = np.empty(4, np.int64)
    count = 0
    for i in range(n[d + CELL_COUNT]):
        cell = int(n[d + CELLS + i])
        b = seat * AREA + cell
        neighbours = 0
        free = 0
        near = 0
        for step in STEPS:
            other = int(g[b + step])
            if other >= 0:
                sides[neighbours] = other
                neighbours += 1
                near |= 1 << other
            elif other != -3:
                free += 1

        # The support by the groups beside the cell does not depend on the new tile.
        for k in range(4):
            support[k] = 0
            effect_goals[k] = -1
        counted = 0
        for j in range(neighbours):
            other = sides[j]
            if counted >> other & 1:
                continue
            group = int(n[d + GROUP + other])
            counted |= m[q + MEMBERS + group]
            support[COLOUR[n[d + TILE + other]]] += n[d + SIZE + group]

        for j in range(in_reach):
            tile = int(n[WHEEL + spaces[j]])
            colour = int(COLOUR[tile])
            if effect_goals[colour] < 0:
                goals, value = effect_on_goals(
                    s, seat, table, sides[:neighbours], near, with_open_goals, colour, potentials
                )
                effect_goals[colour] = goals
                effect_value[colour] = value
                effect_size[colour] = support[colour]
            own_goals = count_completed(tile, 0, support[0], support[1], support[2], support[3])
            own = potential(table, tile, 0, support[0], support[1], support[2], support[3], free) - own_goals
            goals = effect_goals[colour] + own_goals
            value = goals + scale * (effect_value[colour] + own)
            if goals >= discs:
                value += 1000.0
            time = n[TIME + seat] + COST[tile]
            value -= per_time * COST[tile]
            if time <= time_to_beat:
                value += weights[AGAIN]
            value += weights[GROUP_SIZE] * effect_size[colour] + weights[NEIGHBOURS] * neighbours
            places.space[count] = spaces[j]
            places.cell[count] = cell
            places.value[count] = value
            places.goals[count] = goals
            count += 1
    return count


@compiled
def effect_on_goals(
    s: State, seat: int, table: Any, sides: Any, near: int, with_open_goals: int, colour: int, potentials: Any
) -> tuple[int, float]:
    """Return the effect of a new tile of a colour on the goals of the tiles that are already there.

    The effect is the number of goals that it completes, and the change in the potential of the others.
    `sides` are the slots beside the new tile's cell, and `near` the same slots as bits. `with_open_goals` has
    the slots with open goals as bits, and `potentials` the present potential of each slot.
    """
    n, m = s.n, s.m
    d = DISPLAYS + seat * DISPLAY
    q = seat * MASKS
    members = 0
    touches = near
    size = 1
    g0 = g1 = g2 = g3 = -1
    for i in range(len(sides)):
        other = sides[i]
        if COLOUR[n[d + TILE + other]] != colour or members >> other & 1:
            continue
        group = int(n[d + GROUP + other])
        members |= m[q + MEMBERS + group]
        touches |= m[q + TOUCHES + group]
        size += n[d + SIZE + group]
        g0, g1, g2, g3 = group, g0, g1, g2
    touches &= ~members

    goals = 0
    value = 0.0
    rest = (members | touches) & m[q + WANTS + colour] | near & with_open_goals
    while rest:
        slot = lowest_bit(rest)
        rest &= rest - 1
        at = d + SUPPORT + 4 * slot
        gain = 0
        if members >> slot & 1:
            gain = size - 1 - n[at + colour]
        elif touches >> slot & 1:
            gain = size
            if g0 >= 0 and m[q + TOUCHES + g0] >> slot & 1:
                gain -= n[d + SIZE + g0]
            if g1 >= 0 and m[q + TOUCHES + g1] >> slot & 1:
                gain -= n[d + SIZE + g1]
            if g2 >= 0 and m[q + TOUCHES + g2] >> slot & 1:
                gain -= n[d + SIZE + g2]
            if g3 >= 0 and m[q + TOUCHES + g3] >> slot & 1:
                gain -= n[d + SIZE + g3]
        tile = int(n[d + TILE + slot])
        done = int(n[d + DONE + slot])
        s0 = n[at] + (gain if colour == 0 else 0)
        s1 = n[at + 1] + (gain if colour == 1 else 0)
        s2 = n[at + 2] + (gain if colour == 2 else 0)
        s3 = n[at + 3] + (gain if colour == 3 else 0)
        free = n[d + FREE + slot] - (near >> slot & 1)
        found = count_completed(tile, done, s0, s1, s2, s3)
        goals += found
        value += potential(table, tile, done, s0, s1, s2, s3, free) - found - potentials[slot]
    return goals, value


@compiled
def best_place(places: Places, count: int, random: Any) -> int:
    """Return the index of the action with the highest value; if there are several, a random one of them."""
    best = 0
    ties = 1
    for i in range(1, count):
        if places.value[i] > places.value[best]:
            best = i
            ties = 1
        elif places.value[i] == places.value[best]:
            ties += 1
            if draw_below(random, ties) == 0:
                best = i
    return best


@compiled
def play_turn(s: State, policy: Policy, places: Places, random: Any) -> int:
    """Play the policy's choice, a place or a refill; return how many goals it fulfils."""
    if s.n[ON_WHEEL] == 0:
        refill(s)
        return 0
    count = find_places(s, policy, places)
    best = best_place(places, count, random)
    if can_refill(s) and places.value[best] < policy.weights[REFILL_BELOW]:
        refill(s)
        return 0
    return place(s, places.space[best], places.cell[best])


@compiled
def play_out(s: State, policy: Policy, places: Places, random: Any) -> None:
    """Play a game to its end with the policy."""
    while not s.n[OVER]:
        play_turn(s, policy, places, random)
