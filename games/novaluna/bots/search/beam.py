"""A beam search for solo games, over all turns except the refill, the only turn that depends on chance.

Tile by tile, the beam keeps the positions with the highest sums of the policy's values along the way.
Positions that differ only in ways that do not matter (mirrored, rotated, shifted, played in another order)
are kept only once.
"""

from typing import Any, NamedTuple

import numpy as np

from games.compiled.functions import compiled
from games.novaluna.bots.search.policy import MOST_PLACES, Places, Policy, find_places, new_places
from games.novaluna.bots.search.state import (
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


class Beam(NamedTuple):
    """The positions of a beam at one depth: state, value, and the turn at the root that leads to each."""

    n: Any
    g: Any
    m: Any
    value: Any
    space: Any
    cell: Any


class Workspace(NamedTuple):
    """The arrays of a beam search: the beams at this depth and the next, and the turns between them."""

    now: Beam
    next: Beam
    value: Any
    parent: Any
    space: Any
    cell: Any
    signatures: Any  # a hash table of the positions in `next`
    places: Places


def new_beam(width: int) -> Beam:
    """Return arrays for this many positions."""
    return Beam(
        np.zeros((width, NUMBERS), np.int16),
        np.zeros((width, AREA), np.int8),
        np.zeros((width, MASKS), np.int64),
        np.zeros(width, np.float64),
        np.zeros(width, np.int64),
        np.zeros(width, np.int64),
    )


def new_workspace(width: int) -> Workspace:
    """Return the arrays for beams up to this width."""
    most = width * MOST_PLACES // 4 + MOST_PLACES
    slots = 1
    while slots < 4 * width:
        slots *= 2
    return Workspace(
        new_beam(width),
        new_beam(width),
        np.zeros(most, np.float64),
        np.zeros(most, np.int32),
        np.zeros(most, np.int16),
        np.zeros(most, np.int16),
        np.zeros(slots, np.uint64),
        new_places(),
    )


@compiled
def state_at(beam: Beam, i: int) -> State:
    """Return a position of a beam, as a view of its arrays."""
    return State(beam.n[i], beam.g[i], beam.m[i])


@compiled
def mix_bits(x: Any) -> Any:
    """Return 64 bits that depend on all bits of `x` (splitmix64)."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@compiled
def signature(s: State) -> Any:
    """Return a number that is never 0, and is equal for positions whose displays differ in layout only."""
    n = s.n
    total = np.uint64(n[MARKER] + 1) * np.uint64(0x9E3779B97F4A7C15)
    for slot in range(n[DISPLAYS + COUNT]):
        x = np.uint64(n[DISPLAYS + TILE + slot] + 1)
        x = x * np.uint64(8) + np.uint64(n[DISPLAYS + DONE + slot])
        x = x * np.uint64(8) + np.uint64(n[DISPLAYS + FREE + slot])
        for k in range(4):
            x = x * np.uint64(32) + np.uint64(n[DISPLAYS + SUPPORT + 4 * slot + k])
        total += mix_bits(x)
    return mix_bits(total) | np.uint64(1)


@compiled
def add_if_new(signatures: Any, key: Any) -> bool:
    """Add a signature to the hash table; return whether it was not there before."""
    mask = np.uint64(len(signatures) - 1)
    i = key & mask
    while signatures[i]:
        if signatures[i] == key:
            return False
        i = (i + np.uint64(1)) & mask
    signatures[i] = key
    return True


@compiled
def start_beam(root: State, workspace: Workspace) -> int:
    """Write the root to `now`; return the number of positions, which is 1."""
    first = state_at(workspace.now, 0)
    copy(root, first)
    workspace.now.value[0] = 0.0
    return 1


@compiled
def advance(workspace: Workspace, count: int, width: int, is_first: bool, policy: Policy) -> int:
    """Write to `next` the best positions one turn after those in `now`; return how many there are."""
    found = 0
    for i in range(count):
        s = state_at(workspace.now, i)
        if s.n[OVER] or s.n[ON_WHEEL] == 0:
            continue
        turns = find_places(s, policy, workspace.places)
        if found + turns > len(workspace.value):
            break
        for j in range(turns):
            workspace.value[found] = workspace.now.value[i] + workspace.places.value[j]
            workspace.parent[found] = i
            workspace.space[found] = workspace.places.space[j]
            workspace.cell[found] = workspace.places.cell[j]
            found += 1
    if found == 0:
        return 0
    values = workspace.value[:found]
    wanted = min(found, 3 * width)
    least = np.partition(values, found - wanted)[found - wanted]
    best = np.nonzero(values >= least)[0]
    best = best[np.argsort(-values[best])]
    workspace.signatures[:] = 0
    made = 0
    for candidate in best:
        i = workspace.parent[candidate]
        s = state_at(workspace.next, made)
        copy(state_at(workspace.now, i), s)
        place(s, workspace.space[candidate], workspace.cell[candidate])
        if not add_if_new(workspace.signatures, signature(s)):
            continue
        workspace.next.value[made] = values[candidate]
        workspace.next.space[made] = workspace.space[candidate] if is_first else workspace.now.space[i]
        workspace.next.cell[made] = workspace.cell[candidate] if is_first else workspace.now.cell[i]
        made += 1
        if made == width:
            break
    return made


@compiled
def search_phase_2(root: State, width: int, policy: Policy, workspace: Workspace) -> tuple[int, int, int]:
    """Search phase 2 to its end; return the best score, and the space and cell of its turn at the root."""
    best, space, cell = 32000, -1, -1
    count = start_beam(root, workspace)
    depth = 0
    while count:
        count = advance(workspace, count, width, depth == 0, policy)
        kept = 0
        for i in range(count):
            s = state_at(workspace.next, i)
            if s.n[OVER]:
                if score(s) < best:
                    best, space, cell = (
                        score(s),
                        int(workspace.next.space[i]),
                        int(workspace.next.cell[i]),
                    )
            elif s.n[PHASE_SCORE] + s.n[TIME] + 1 < best:
                if kept < i:
                    copy_entry(workspace.next, i, kept)
                kept += 1
        copy_next_to_now(workspace, kept)
        count = kept
        depth += 1
    return best, space, cell


@compiled
def copy_entry(beam: Beam, i: int, to: int) -> None:
    """Copy a position of a beam to another index."""
    copy(state_at(beam, i), state_at(beam, to))
    beam.value[to] = beam.value[i]
    beam.space[to] = beam.space[i]
    beam.cell[to] = beam.cell[i]


@compiled
def copy_next_to_now(workspace: Workspace, count: int) -> None:
    """Copy the first positions of `next` to `now`."""
    for i in range(count):
        copy(state_at(workspace.next, i), state_at(workspace.now, i))
        workspace.now.value[i] = workspace.next.value[i]
        workspace.now.space[i] = workspace.next.space[i]
        workspace.now.cell[i] = workspace.next.cell[i]


@compiled
def find_ends(
    root: State, width: int, policy: Policy, workspace: Workspace, ends: Beam, penalties: Any
) -> int:
    """Write to `ends` the best positions in which a refill may end phase 1; return how many there are.

    The root is one of them if it may be refilled. `penalties` has the cost of a unit of time and of a disc
    left on the first stack.
    """
    made = 0
    most = len(ends.value)
    count = start_beam(root, workspace)
    depth = 0
    while count:
        for i in range(count):
            s = state_at(workspace.now, i)
            if s.n[FIRST_STACK] == 0 or s.n[ON_WHEEL] == 0:
                value = workspace.now.value[i] - penalties[0] * s.n[TIME] - penalties[1] * s.n[FIRST_STACK]
                at = made
                if made == most:
                    at = int(np.argmin(ends.value))
                    if ends.value[at] >= value:
                        continue
                else:
                    made += 1
                copy(s, state_at(ends, at))
                ends.value[at] = value
                ends.space[at] = -1 if depth == 0 else workspace.now.space[i]
                ends.cell[at] = -1 if depth == 0 else workspace.now.cell[i]
        count = advance(workspace, count, width, depth == 0, policy)
        copy_next_to_now(workspace, count)
        depth += 1
    return made
