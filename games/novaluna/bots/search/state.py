"""A position as flat arrays: copying it is three block moves, and an action changes it in place.

`g` has the grids of the displays, 32 x 32 cells each; a cell has the slot of its tile. A slot is the number
of a tile in its display, in the order of placing. `m` has sets of slots, as bits. `n` has everything else.
The rules are those of `games.novaluna.engine`, and tests compare both. Goals are only counted here, because
it makes no difference which of several fulfilled goals gets the last disc.

In functions, `d` is the offset of a seat's display in `n`, `q` the offset of its masks in `m`, and `b` the
offset of a cell in `g`.
"""

from typing import Any, NamedTuple

import numpy as np

from games.compiled.functions import compiled, draw_below, lowest_bit
from games.novaluna.bots.search.tiles import COLOUR, COST, GOALS, NEEDS

SIDE = 32
AREA = SIDE * SIDE
MIDDLE = 16 * SIDE + 16
BLANK, OPEN_CELL, BORDER = -1, -2, -3
STEPS = (1, -1, SIDE, -SIDE)

SPACES = 12
MOST_SEATS = 4
MOST_SLOTS = 63  # bits of a mask
MOST_CELLS = 160

# `n`: facts that all seats share.
MARKER = 0
WHEEL = 1  # 12 tiles, or NO_TILE
ON_WHEEL = 13
PILE_COUNT = 14
PILE = 15  # the tiles of the draw pile; the last one is drawn first
IN_PLAY = 83
ORDER = 84  # seats in turn order
TIME = 88
DISCS = 92
OVER = 96
SOLO = 97
PHASE = 98
FIRST_STACK = 99
PHASE_SCORE = 100
WAITING = 101  # fulfilled goals that wait for a disc of the second stack
SEATS = 102
DISPLAYS = 104  # offset of the first display; the offsets below are within a display
COUNT = 0
CELL_COUNT = 1
TILE = 2
CELL = TILE + 64
GROUP = CELL + 64
DONE = GROUP + 64  # fulfilled goals of a tile, as bits
FREE = DONE + 64  # empty cells beside the tile
SUPPORT = FREE + 64  # by slot and colour
SIZE = SUPPORT + 256  # by group; the number of a group is its latest slot
CELLS = SIZE + 64  # cells where the next tile may be placed
DISPLAY = CELLS + MOST_CELLS

# `m`, for each display: members of a group, neighbours of a group, and slots with an open goal by colour.
MEMBERS = 0
TOUCHES = 64
WANTS = 128
MASKS = 132

NO_TILE = -1
FIRST_DISCS = 8
PENALTY = 10


class State(NamedTuple):
    """A position; create one with `new_state`."""

    n: Any
    g: Any
    m: Any


def new_state(seats: int) -> State:
    """Return a state for this many seats, with an empty wheel and empty displays."""
    n = np.zeros(DISPLAYS + seats * DISPLAY, np.int16)
    grid = np.full((seats, SIDE, SIDE), BLANK, np.int8)
    grid[:, (0, -1), :] = BORDER
    grid[:, :, (0, -1)] = BORDER
    n[WHEEL : WHEEL + SPACES] = NO_TILE
    n[SEATS] = seats
    state = State(n, grid.reshape(-1), np.zeros(seats * MASKS, np.int64))
    for seat in range(seats):
        open_cell(state, seat, MIDDLE)
    return state


@compiled
def copy(source: State, to: State) -> None:
    """Copy `source` to `to`, a state with the same number of seats."""
    to.n[:] = source.n
    to.g[:] = source.g
    to.m[:] = source.m


@compiled
def open_cell(s: State, seat: int, cell: int) -> None:
    """Add a cell to those where the seat may place its next tile."""
    d = DISPLAYS + seat * DISPLAY
    count = s.n[d + CELL_COUNT]
    if count < MOST_CELLS:
        s.n[d + CELLS + count] = cell
        s.n[d + CELL_COUNT] = count + 1
        s.g[seat * AREA + cell] = OPEN_CELL


@compiled
def close_cell(s: State, seat: int, cell: int) -> None:
    """Remove a cell from those where the seat may place its next tile."""
    d = DISPLAYS + seat * DISPLAY
    last = s.n[d + CELL_COUNT] - 1
    for i in range(last + 1):
        if s.n[d + CELLS + i] == cell:
            s.n[d + CELLS + i] = s.n[d + CELLS + last]
            break
    s.n[d + CELL_COUNT] = last


@compiled
def put_tile(s: State, seat: int, tile: int, cell: int) -> int:
    """Place a tile on a cell of a display; return how many goals it fulfils."""
    n, g, m = s.n, s.g, s.m
    d = DISPLAYS + seat * DISPLAY
    b = seat * AREA + cell
    q = seat * MASKS
    colour = COLOUR[tile]
    slot = int(n[d + COUNT])
    slot_bit = 1 << slot
    n[d + COUNT] = slot + 1
    n[d + TILE + slot] = tile
    n[d + CELL + slot] = cell
    n[d + DONE + slot] = 0
    for k in range(4):
        n[d + SUPPORT + 4 * slot + k] = 0
    close_cell(s, seat, cell)
    g[b] = slot

    free = 0
    members = slot_bit
    touches = 0
    size = 1
    merged = (-1, -1, -1, -1)
    for step in STEPS:
        other = int(g[b + step])
        if other in (BLANK, OPEN_CELL):
            free += 1
            if other == BLANK:
                open_cell(s, seat, cell + step)
        if other < 0:
            continue
        n[d + FREE + other] -= 1
        group = int(n[d + GROUP + other])
        if COLOUR[n[d + TILE + other]] != colour:
            touches |= 1 << other
            if not m[q + TOUCHES + group] & slot_bit:
                m[q + TOUCHES + group] |= slot_bit
                n[d + SUPPORT + 4 * slot + COLOUR[n[d + TILE + other]]] += n[d + SIZE + group]
        elif not members & (1 << other):
            members |= m[q + MEMBERS + group]
            touches |= m[q + TOUCHES + group]
            size += n[d + SIZE + group]
            merged = (group, merged[0], merged[1], merged[2])
    n[d + FREE + slot] = free

    rest = touches
    while rest:
        other = lowest_bit(rest)
        rest &= rest - 1
        gain = size
        for group in merged:
            if group >= 0 and m[q + TOUCHES + group] >> other & 1:
                gain -= n[d + SIZE + group]
        n[d + SUPPORT + 4 * other + colour] += gain
    rest = members
    while rest:
        other = lowest_bit(rest)
        rest &= rest - 1
        n[d + GROUP + other] = slot
        n[d + SUPPORT + 4 * other + colour] = size - 1
    m[q + MEMBERS + slot] = members
    m[q + TOUCHES + slot] = touches
    n[d + SIZE + slot] = size

    fulfilled = find_fulfilled(s, seat, slot)
    rest = (members | touches) & m[q + WANTS + colour] & ~slot_bit
    while rest:
        other = lowest_bit(rest)
        rest &= rest - 1
        fulfilled += find_fulfilled(s, seat, other)
    return fulfilled


@compiled
def find_fulfilled(s: State, seat: int, slot: int) -> int:
    """Update the fulfilled goals of a tile and the needs of its open goals; return how many are new."""
    d = DISPLAYS + seat * DISPLAY
    q = seat * MASKS + WANTS
    tile = s.n[d + TILE + slot]
    done = s.n[d + DONE + slot]
    found = 0
    wants = 0
    for goal in range(GOALS[tile]):
        if done >> goal & 1:
            continue
        if is_fulfilled(s, d + SUPPORT + 4 * slot, tile, goal):
            done |= 1 << goal
            found += 1
        else:
            for k in range(4):
                if NEEDS[tile, goal, k]:
                    wants |= 1 << k
    s.n[d + DONE + slot] = done
    slot_bit = 1 << int(slot)
    for k in range(4):
        if wants >> k & 1:
            s.m[q + k] |= slot_bit
        else:
            s.m[q + k] &= ~slot_bit
    return found


@compiled
def is_fulfilled(s: State, support: int, tile: int, goal: int) -> bool:
    """Whether the support at this offset of `n` fulfils a goal."""
    return bool(
        s.n[support] >= NEEDS[tile, goal, 0]
        and s.n[support + 1] >= NEEDS[tile, goal, 1]
        and s.n[support + 2] >= NEEDS[tile, goal, 2]
        and s.n[support + 3] >= NEEDS[tile, goal, 3]
    )


@compiled
def to_move(s: State) -> int:
    """Return the seat to move."""
    return int(s.n[ORDER])


@compiled
def can_refill(s: State) -> bool:
    """Whether a refill is allowed or forced."""
    n = s.n
    if n[SOLO]:
        return bool(n[PHASE] == 1 and (n[FIRST_STACK] == 0 or n[ON_WHEEL] == 0))
    return bool(n[ON_WHEEL] <= 2 and n[PILE_COUNT] > 0)


@compiled
def find_reach(s: State, spaces: Any) -> int:
    """Write to `spaces`, an array of 3, the wheel spaces of the tiles in reach; return how many there are."""
    count = 0
    space = s.n[MARKER]
    for _ in range(SPACES - 1):
        space = (space + 1) % SPACES
        if s.n[WHEEL + space] != NO_TILE:
            spaces[count] = space
            count += 1
            if count == 3:
                break
    return count


@compiled
def place(s: State, space: int, cell: int) -> int:
    """Take a tile for the seat to move and place it; return how many goals it fulfils."""
    n = s.n
    seat = to_move(s)
    tile = int(n[WHEEL + space])
    n[WHEEL + space] = NO_TILE
    n[MARKER] = space
    n[ON_WHEEL] -= 1
    fulfilled = put_tile(s, seat, tile, cell)
    n[TIME + seat] += COST[tile]
    if n[SOLO]:
        cover_solo(s, fulfilled)
        if n[PHASE] == 2 and n[ON_WHEEL] == 0:
            n[OVER] = 1
        return fulfilled
    n[DISCS + seat] = max(0, n[DISCS + seat] - fulfilled)
    move_back(s, seat)
    if n[DISCS + seat] == 0 or (n[ON_WHEEL] == 0 and n[PILE_COUNT] == 0):
        n[OVER] = 1
    return fulfilled


@compiled
def move_back(s: State, seat: int) -> None:
    """Move the seat, which is first in the order, behind all seats that have spent less time."""
    n = s.n
    at = 0
    while at + 1 < n[IN_PLAY] and n[TIME + n[ORDER + at + 1]] < n[TIME + seat]:
        n[ORDER + at] = n[ORDER + at + 1]
        at += 1
    n[ORDER + at] = seat


@compiled
def cover_solo(s: State, fulfilled: int) -> None:
    """Place discs of the current stack on goals that are newly fulfilled or have waited."""
    n = s.n
    wanted = n[WAITING] + fulfilled
    stack = n[FIRST_STACK] if n[PHASE] == 1 else n[DISCS]
    used = min(wanted, stack)
    n[WAITING] = wanted - used
    n[DISCS] -= used
    if n[PHASE] == 1:
        n[FIRST_STACK] -= used
    if n[DISCS] == 0:
        n[OVER] = 1


@compiled
def refill(s: State) -> None:
    """Fill the wheel from the draw pile; in a solo game, this starts phase 2."""
    n = s.n
    space = n[MARKER]
    for _ in range(SPACES - 1):
        space = (space + 1) % SPACES
        if n[WHEEL + space] == NO_TILE and n[PILE_COUNT]:
            n[PILE_COUNT] -= 1
            n[WHEEL + space] = n[PILE + n[PILE_COUNT]]
            n[ON_WHEEL] += 1
    if n[SOLO]:
        n[PHASE_SCORE] = n[TIME] + PENALTY * n[FIRST_STACK]
        n[FIRST_STACK] = 0
        n[PHASE] = 2
        cover_solo(s, 0)


@compiled
def shuffle_pile(s: State, random: Any) -> None:
    """Shuffle the draw pile."""
    n = s.n
    for i in range(n[PILE_COUNT] - 1, 0, -1):
        j = draw_below(random, i + 1)
        n[PILE + i], n[PILE + j] = n[PILE + j], n[PILE + i]


@compiled
def leader(s: State) -> int:
    """Return the seat that wins if the game ends here: fewest discs left, then first in turn order."""
    n = s.n
    best = n[ORDER]
    for i in range(1, n[IN_PLAY]):
        if n[DISCS + n[ORDER + i]] < n[DISCS + best]:
            best = n[ORDER + i]
    return int(best)


@compiled
def score(s: State) -> int:
    """Return the score of a solo game, as if it ended now."""
    n = s.n
    phase_score = n[PHASE_SCORE] if n[PHASE] == 2 else n[TIME] + PENALTY * n[FIRST_STACK]
    return int(phase_score + n[TIME] + PENALTY * n[DISCS])
