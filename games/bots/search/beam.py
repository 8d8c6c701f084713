"""A beam over the turns of a solo game that are known: in phase 1 until the refill, in phase 2 until the end.

Tile by tile, the beam keeps the positions that the policy's values, added up along the way, rank best. Those
that differ only in ways that do not matter (mirrored, turned, moved, another order) are kept once.
"""

from typing import Any, NamedTuple

import numpy as np

from games.bots.search.compiled import compiled
from games.bots.search.policy import MOST_PLACES, Places, Policy, find_places, new_places
from games.bots.search.state import (
    AREA,
    COUNT,
    DISPLAY,
    DISPLAYS,
    DONE,
    FIRST_STACK,
    FREE,
    MARKER,
    MASKS,
    ON_WHEEL,
    OVER,
    PHASE_SCORE,
    SUPPORT,
    TILE,
    TIME,
    State,
    copy,
    place,
    score,
)

NUMBERS = DISPLAYS + DISPLAY


class Level(NamedTuple):
    """Positions of a beam: the states, the value of each, and the turn of the root that leads to each."""

    n: Any
    g: Any
    m: Any
    value: Any
    space: Any
    cell: Any


class Room(NamedTuple):
    """What a beam of some width needs to work in."""

    now: Level
    next: Level
    value: Any
    parent: Any
    space: Any
    cell: Any
    seen: Any
    places: Places


def new_level(width: int) -> Level:
    """Return room for so many positions."""
    return Level(
        np.zeros((width, NUMBERS), np.int16),
        np.zeros((width, AREA), np.int8),
        np.zeros((width, MASKS), np.int64),
        np.zeros(width, np.float64),
        np.zeros(width, np.int64),
        np.zeros(width, np.int64),
    )


def new_room(width: int) -> Room:
    """Return room for a beam of this width, at most."""
    most = width * MOST_PLACES // 4 + MOST_PLACES
    slots = 1
    while slots < 4 * width:
        slots *= 2
    return Room(
        new_level(width),
        new_level(width),
        np.zeros(most, np.float64),
        np.zeros(most, np.int32),
        np.zeros(most, np.int16),
        np.zeros(most, np.int16),
        np.zeros(slots, np.uint64),
        new_places(),
    )


@compiled
def at(level: Level, i: int) -> State:
    """Return a position of a level."""
    return State(level.n[i], level.g[i], level.m[i])


@compiled
def mixed(x: Any) -> Any:
    """Return 64 bits that depend on all of `x` (splitmix64)."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@compiled
def signature(s: State) -> Any:
    """Return a number that is equal for positions which differ only in how the display is turned."""
    n = s.n
    total = np.uint64(n[MARKER] + 1) * np.uint64(0x9E3779B97F4A7C15)
    for slot in range(n[DISPLAYS + COUNT]):
        x = np.uint64(n[DISPLAYS + TILE + slot] + 1)
        x = x * np.uint64(8) + np.uint64(n[DISPLAYS + DONE + slot])
        x = x * np.uint64(8) + np.uint64(n[DISPLAYS + FREE + slot])
        for k in range(4):
            x = x * np.uint64(32) + np.uint64(n[DISPLAYS + SUPPORT + 4 * slot + k])
        total += mixed(x)
    return mixed(total) | np.uint64(1)


@compiled
def is_new(seen: Any, key: Any) -> bool:
    """Note a signature; return whether it is met for the first time."""
    mask = np.uint64(len(seen) - 1)
    i = key & mask
    while seen[i]:
        if seen[i] == key:
            return False
        i = (i + np.uint64(1)) & mask
    seen[i] = key
    return True


@compiled
def begin(root: State, room: Room) -> int:
    """Let the beam begin at a position; return how many there are: one."""
    first = at(room.now, 0)
    copy(root, first)
    room.now.value[0] = 0.0
    return 1


@compiled
def advance(room: Room, count: int, width: int, is_first: bool, policy: Policy) -> int:
    """Write the best positions one turn after those of `now` to `next`; return how many there are."""
    found = 0
    for i in range(count):
        s = at(room.now, i)
        if s.n[OVER] or s.n[ON_WHEEL] == 0:
            continue
        turns = find_places(s, policy, room.places)
        if found + turns > len(room.value):
            break
        for j in range(turns):
            room.value[found] = room.now.value[i] + room.places.value[j]
            room.parent[found] = i
            room.space[found] = room.places.space[j]
            room.cell[found] = room.places.cell[j]
            found += 1
    if found == 0:
        return 0
    values = room.value[:found]
    wanted = min(found, 3 * width)
    least = np.partition(values, found - wanted)[found - wanted]
    best = np.nonzero(values >= least)[0]
    best = best[np.argsort(-values[best])]
    room.seen[:] = 0
    made = 0
    for candidate in best:
        i = room.parent[candidate]
        s = at(room.next, made)
        copy(at(room.now, i), s)
        place(s, room.space[candidate], room.cell[candidate])
        if not is_new(room.seen, signature(s)):
            continue
        room.next.value[made] = values[candidate]
        room.next.space[made] = room.space[candidate] if is_first else room.now.space[i]
        room.next.cell[made] = room.cell[candidate] if is_first else room.now.cell[i]
        made += 1
        if made == width:
            break
    return made


@compiled
def finish(root: State, width: int, policy: Policy, room: Room) -> tuple[int, int, int]:
    """Search phase 2 to its end; return the best score found, and the turn of the root that leads to it."""
    best, space, cell = 32000, -1, -1
    count = begin(root, room)
    depth = 0
    while count:
        count = advance(room, count, width, depth == 0, policy)
        kept = 0
        for i in range(count):
            s = at(room.next, i)
            if s.n[OVER]:
                if score(s) < best:
                    best, space, cell = score(s), int(room.next.space[i]), int(room.next.cell[i])
            elif s.n[PHASE_SCORE] + s.n[TIME] + 1 < best:
                if kept < i:
                    move(room.next, i, kept)
                kept += 1
        swap(room, kept)
        count = kept
        depth += 1
    return best, space, cell


@compiled
def move(level: Level, i: int, to: int) -> None:
    """Move a position of a level to another place of it."""
    copy(at(level, i), at(level, to))
    level.value[to] = level.value[i]
    level.space[to] = level.space[i]
    level.cell[to] = level.cell[i]


@compiled
def swap(room: Room, count: int) -> None:
    """Let the first positions of `next` be those of `now`."""
    for i in range(count):
        copy(at(room.next, i), at(room.now, i))
        room.now.value[i] = room.next.value[i]
        room.now.space[i] = room.next.space[i]
        room.now.cell[i] = room.next.cell[i]


@compiled
def find_ends(root: State, width: int, policy: Policy, room: Room, ends: Level, ranking: Any) -> int:
    """Write to `ends` the best positions in which phase 1 may end by a refill; return how many there are.

    Among them is the root itself, if it may be refilled. `ranking` has what a step of time costs, and a disc
    left on the first stack.
    """
    made = 0
    most = len(ends.value)
    count = begin(root, room)
    depth = 0
    while count:
        for i in range(count):
            s = at(room.now, i)
            if s.n[FIRST_STACK] == 0 or s.n[ON_WHEEL] == 0:
                worth = room.now.value[i] - ranking[0] * s.n[TIME] - ranking[1] * s.n[FIRST_STACK]
                where = made
                if made == most:
                    where = int(np.argmin(ends.value))
                    if ends.value[where] >= worth:
                        continue
                else:
                    made += 1
                copy(s, at(ends, where))
                ends.value[where] = worth
                ends.space[where] = -1 if depth == 0 else room.now.space[i]
                ends.cell[where] = -1 if depth == 0 else room.now.cell[i]
        count = advance(room, count, width, depth == 0, policy)
        swap(room, count)
        depth += 1
    return made
