"""The rules, compiled, and the values of displays that the policy needs.

A `State` is a tuple of arrays, in which the first index of most is the seat. A display is a square of
`WIDTH` × `WIDTH` cells, a cell is an index of it, and a slot is the number of a tile on the display in the
order of placing. A group is named by the slot of its newest tile.
"""

import csv
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numba import njit

ROWS = list(
    csv.DictReader(
        (Path(__file__).parents[3] / "games/novaluna/engine/tiles.csv")
        .read_text(encoding="utf-8")
        .splitlines()
    )
)
CODES = [row["code"] for row in ROWS]
TILES = len(CODES)
COLOUR = np.array(["brty".index(row["color"][0]) for row in ROWS], np.int8)
COST = np.array([int(row["cost"]) for row in ROWS], np.int8)
GOALS = np.array([len(row["goals"].split()) for row in ROWS], np.int8)
NEED = np.zeros((TILES, 3, 4), np.int8)  # dots of each colour, of each goal of each tile
for _tile, _row in enumerate(ROWS):
    for _goal, _dots in enumerate(_row["goals"].split()):
        NEED[_tile, _goal] = [_dots.count(letter) for letter in "BRTY"]

WIDTH = 2 * TILES + 8  # A row of all tiles fits on each side of the first tile.
MIDDLE = WIDTH * (WIDTH // 2) + WIDTH // 2
STEPS = (1, -1, WIDTH, -WIDTH)
SPACES, REACH = 12, 3

# Columns of `State.seats`.
PLACED, FRONT, DISCS, TIME, STAMP, OUT = range(6)
# Entries of `State.whole`.
MARKER, DRAWN, CLOCK, WINNER = range(4)

REFILL = -1  # in place of a cell

# Columns of the weights. The first 25 are the potential of an open goal by dots and colours that it lacks.
TIME_COST, AGAIN, LATE, REFILL_BELOW, TIGHT, COMPACT = range(25, 31)


class State(NamedTuple):
    """A position. The last three are scratch space."""

    board: Any  # 0: empty; n > 0: slot n - 1; n < 0: number -n - 1 of the free cells, where a tile may go
    cells: Any  # the cell of each slot
    tiles: Any  # the tile of each slot
    groups: Any  # the group of each slot
    sizes: Any  # the tiles of each group
    open: Any  # a bit for each goal of each slot without a disc
    free: Any  # the cells where a tile may go
    wants: Any  # by slot and colour: what one more tile of the colour would add to the potential
    grows: Any  # by group: the same for one more tile of the group
    tight: Any  # by slot: the potential that needs all of its free neighbours
    seats: Any
    late: Any  # by seat: the worth of potential so late in the game
    wheel: Any  # tiles from 1; 0 for an empty space
    deck: Any
    whole: Any
    support: Any
    near: Any
    scores: Any


def new_state(seats: int, discs: int) -> State:
    """Return empty displays, and an empty wheel."""
    slots = (seats, TILES)
    state = State(
        board=np.zeros((seats, WIDTH * WIDTH), np.int16),
        cells=np.zeros(slots, np.int16),
        tiles=np.zeros(slots, np.int8),
        groups=np.zeros(slots, np.int8),
        sizes=np.zeros(slots, np.int8),
        open=np.zeros(slots, np.int8),
        free=np.zeros((seats, 3 * TILES), np.int16),
        wants=np.zeros((*slots, 4), np.float32),
        grows=np.zeros(slots, np.float32),
        tight=np.zeros(slots, np.float32),
        seats=np.zeros((seats, 6), np.int32),
        late=np.ones(seats, np.float32),
        wheel=np.zeros(SPACES, np.int8),
        deck=np.zeros(TILES, np.int8),
        whole=np.zeros(4, np.int32),
        support=np.zeros(4, np.int32),
        near=np.zeros(5, np.int32),
        scores=np.zeros(9 * TILES + 1, np.float32),
    )
    state.board[:, MIDDLE] = -1
    state.free[:, 0] = MIDDLE
    state.seats[:, FRONT] = 1
    state.seats[:, DISCS] = discs
    state.whole[WINNER] = -1
    return state


@njit(cache=True)
def copy(source: Any, target: Any) -> None:
    """Copy a state, but not the board far from its tiles, nor the deck."""
    for seat in range(len(source.seats)):
        placed, front = target.seats[seat, PLACED], target.seats[seat, FRONT]
        for slot in range(placed):
            target.board[seat, target.cells[seat, slot]] = 0
        for number in range(front):
            target.board[seat, target.free[seat, number]] = 0
        placed, front = source.seats[seat, PLACED], source.seats[seat, FRONT]
        for slot in range(placed):
            target.board[seat, source.cells[seat, slot]] = slot + 1
            target.cells[seat, slot] = source.cells[seat, slot]
            target.tiles[seat, slot] = source.tiles[seat, slot]
            target.groups[seat, slot] = source.groups[seat, slot]
            target.sizes[seat, slot] = source.sizes[seat, slot]
            target.open[seat, slot] = source.open[seat, slot]
            target.grows[seat, slot] = source.grows[seat, slot]
            target.tight[seat, slot] = source.tight[seat, slot]
            for colour in range(4):
                target.wants[seat, slot, colour] = source.wants[seat, slot, colour]
        for number in range(front):
            target.board[seat, source.free[seat, number]] = -number - 1
            target.free[seat, number] = source.free[seat, number]
    target.seats[:] = source.seats
    target.late[:] = source.late
    target.wheel[:] = source.wheel
    target.whole[:] = source.whole


@njit(cache=True)
def below(dice: Any, limit: int) -> int:
    """Return a random number below the limit (xorshift)."""
    x = dice[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    dice[0] = x
    return np.int64((x >> np.uint64(33)) % np.uint64(limit))


@njit(cache=True)
def shuffle(state: Any, dice: Any) -> None:
    """Shuffle the draw pile."""
    for last in range(TILES - 1, state.whole[DRAWN], -1):
        other = state.whole[DRAWN] + below(dice, last - state.whole[DRAWN] + 1)
        state.deck[last], state.deck[other] = state.deck[other], state.deck[last]


@njit(cache=True)
def mover(state: Any) -> int:
    """Return the seat to move: least time, and of those the last to arrive."""
    best = -1
    for seat in range(len(state.seats)):
        if state.seats[seat, OUT]:
            continue
        time, stamp = state.seats[seat, TIME], state.seats[seat, STAMP]
        if (
            best < 0
            or time < state.seats[best, TIME]
            or (time == state.seats[best, TIME] and stamp > state.seats[best, STAMP])
        ):
            best = seat
    return best


@njit(cache=True)
def rank(state: Any, seat: int) -> tuple[int, int, int]:
    """Return a value that is lowest for the winner when the tiles have run out."""
    return state.seats[seat, DISCS], state.seats[seat, TIME], -state.seats[seat, STAMP]


@njit(cache=True)
def on_wheel(state: Any) -> int:
    """Return the number of tiles on the wheel."""
    return np.count_nonzero(state.wheel)


@njit(cache=True)
def reach(state: Any, number: int) -> int:
    """Return the space of the tile with this number from the marker, from 0; -1 if there is none."""
    for step in range(1, SPACES):
        space = (state.whole[MARKER] + step) % SPACES
        if state.wheel[space]:
            if number == 0:
                return space
            number -= 1
    return -1


@njit(cache=True)
def refill(state: Any) -> None:
    """Fill the wheel from the draw pile, clockwise from the marker."""
    for step in range(1, SPACES):
        space = (state.whole[MARKER] + step) % SPACES
        if state.wheel[space] == 0 and state.whole[DRAWN] < TILES:
            state.wheel[space] = state.deck[state.whole[DRAWN]] + 1
            state.whole[DRAWN] += 1


@njit(cache=True)
def look(state: Any, seat: int, cell: int) -> tuple[int, int]:
    """Return how many groups touch a cell, and how many of its neighbours are empty.

    The groups are then in `near`, and their tiles by colour in `support`.
    """
    state.support[:] = 0
    groups = empty = 0
    for step in STEPS:
        there = state.board[seat, cell + step]
        if there <= 0:
            empty += 1
            continue
        group = state.groups[seat, there - 1]
        is_new = True
        for number in range(groups):
            if state.near[number] == group:
                is_new = False
        if is_new:
            state.near[groups] = group
            groups += 1
            state.support[COLOUR[state.tiles[seat, group]]] += state.sizes[seat, group]
    return groups, empty


@njit(cache=True)
def lacks(state: Any, tile: int, goal: int) -> tuple[int, int]:
    """Return how many dots a goal lacks with the current `support`, and how many colours it has none of."""
    dots = colours = 0
    for colour in range(4):
        missing = NEED[tile, goal, colour] - state.support[colour]
        if missing > 0:
            dots += missing
            if state.support[colour] == 0:
                colours += 1
    return dots, colours


@njit(cache=True)
def update(state: Any, seat: int, weights: Any) -> None:
    """Cover the goals of a seat that are fulfilled, and value the others."""
    least = 20
    for other in range(len(state.seats)):
        least = min(least, state.seats[other, DISCS])
    late = weights[LATE] + (1 - weights[LATE]) * min(1.0, least / 12)
    state.late[seat] = late
    placed = state.seats[seat, PLACED]
    for slot in range(placed):
        state.grows[seat, slot] = 0
    for slot in range(placed):
        state.tight[seat, slot] = 0
        for colour in range(4):
            state.wants[seat, slot, colour] = 0
        if state.open[seat, slot] == 0:
            continue
        tile, own = state.tiles[seat, slot], state.groups[seat, slot]
        groups, empty = look(state, seat, state.cells[seat, slot])
        if state.sizes[seat, own] > 1:
            state.support[COLOUR[tile]] -= 1
        else:
            state.near[groups] = own
            groups += 1
        for goal in range(GOALS[tile]):
            if not state.open[seat, slot] >> goal & 1:
                continue
            dots, colours = lacks(state, tile, goal)
            if dots == 0:
                state.open[seat, slot] ^= 1 << goal
                state.seats[seat, DISCS] -= 1
            elif colours <= empty:
                now = weights[5 * dots + colours] * late
                if colours == empty:
                    state.tight[seat, slot] += now
                for colour in range(4):
                    if NEED[tile, goal, colour] > state.support[colour]:
                        fewer = colours - (state.support[colour] == 0)
                        then = 1.0 if dots == 1 else weights[5 * dots - 5 + fewer] * late
                        state.wants[seat, slot, colour] += then - now
        for number in range(groups):
            group = state.near[number]
            state.grows[seat, group] += state.wants[seat, slot, COLOUR[state.tiles[seat, group]]]


@njit(cache=True)
def place(state: Any, space: int, cell: int, weights: Any) -> None:
    """Let the seat to move place the tile on a space of the wheel on a cell."""
    seat = mover(state)
    tile, slot = state.wheel[space] - 1, state.seats[seat, PLACED]
    state.wheel[space], state.whole[MARKER] = 0, space
    state.whole[CLOCK] += 1
    state.seats[seat, PLACED] += 1
    state.seats[seat, TIME] += COST[tile]
    state.seats[seat, STAMP] = state.whole[CLOCK]

    number = -state.board[seat, cell] - 1
    last = state.seats[seat, FRONT] - 1
    state.free[seat, number] = state.free[seat, last]
    state.board[seat, state.free[seat, number]] = -number - 1
    state.board[seat, cell] = slot + 1
    for step in STEPS:
        if state.board[seat, cell + step] == 0:
            state.board[seat, cell + step] = -last - 1
            state.free[seat, last] = cell + step
            last += 1
    state.seats[seat, FRONT] = last

    state.cells[seat, slot], state.tiles[seat, slot], state.groups[seat, slot] = cell, tile, slot
    state.sizes[seat, slot] = 1
    state.open[seat, slot] = (1 << GOALS[tile]) - 1
    for step in STEPS:
        there = state.board[seat, cell + step]
        if there > 0 and COLOUR[state.tiles[seat, there - 1]] == COLOUR[tile]:
            joined = state.groups[seat, there - 1]
            if joined != slot:
                state.sizes[seat, slot] += state.sizes[seat, joined]
                for other in range(slot):
                    if state.groups[seat, other] == joined:
                        state.groups[seat, other] = slot
    update(state, seat, weights)

    if state.seats[seat, DISCS] <= 0:
        state.whole[WINNER] = seat
    elif state.whole[DRAWN] == TILES and on_wheel(state) == 0:
        best = mover(state)
        for other in range(len(state.seats)):
            if not state.seats[other, OUT] and rank(state, other) < rank(state, best):
                best = other
        state.whole[WINNER] = best


@njit(cache=True)
def may_refill(state: Any) -> bool:
    """Return whether the seat to move may refill the wheel, or must."""
    return state.whole[DRAWN] < TILES and on_wheel(state) < REACH
