"""Deals, small displays and naive computations for the engine's tests."""

import random
from collections.abc import Iterator, Sequence

from games.novaluna.engine import (
    COLOURS,
    TILES,
    Cell,
    Display,
    Mode,
    Place,
    Position,
    Setup,
    Step,
    Tile,
    start,
)

DISCS = {Mode.MULTIPLAYER: 20, Mode.SOLO: 21}


def deal(seats: int, seed: int, goal_discs: int | None = None) -> Setup:
    """Return the setup of a shuffled game; with one seat, of a solo game."""
    rng = random.Random(seed)
    deck, order = list(TILES), list(range(seats))
    rng.shuffle(deck)
    rng.shuffle(order)
    mode = Mode.SOLO if seats == 1 else Mode.MULTIPLAYER
    return Setup(mode, seats, goal_discs or DISCS[mode], tuple(order), tuple(deck))


def random_play(setup: Setup, rng: random.Random) -> Iterator[Step]:
    """Yield the steps of a game in which every action is a random legal one, to its end."""
    position = start(setup)
    while not position.over:
        step = position.apply(rng.choice(list(position.legal_actions)))
        position = step.position
        yield step


def place(position: Position, tile: str, x: int = 0, y: int = 0) -> Position:
    """Return the position after the seat to move takes this tile and places it at (x, y)."""
    assert position.to_move is not None
    return position.apply(Place(position.to_move, tile, x, y)).position


def display_of(picture: str) -> Display:
    """Return the display that rows of tile codes draw.

    The first code of the first row is at (0, 0). A dot is an empty cell. The tiles are placed in an order in
    which each touches an earlier one.
    """
    rows = [row.split() for row in picture.strip().splitlines()]
    codes = {Cell(x, y): code for y, row in enumerate(rows) for x, code in enumerate(row) if code != "."}
    first = min(codes, key=lambda cell: (cell.y, cell.x))
    tiles_to_place = {Cell(cell.x - first.x, cell.y - first.y): TILES[code] for cell, code in codes.items()}
    display = Display()
    while tiles_to_place:
        cell = next(cell for cell in tiles_to_place if cell in display.free_cells)
        display = display.with_tile(tiles_to_place.pop(cell), cell)
    return display


def flood_fill_support(tiles: dict[Cell, Tile], cell: Cell) -> tuple[int, ...]:
    """Return the support of the tile on `cell`, computed by a flood fill of each group that touches it."""
    counts = dict.fromkeys(COLOURS, 0)
    seen: set[Cell] = set()
    for first in (cell, *cell.neighbours()):
        if first in seen or first not in tiles:
            continue
        colour = tiles[first].colour
        if first != cell and colour == tiles[cell].colour:
            continue  # This neighbour belongs to the tile's own group, which is already counted.
        group, unexplored = {first}, [first]
        while unexplored:
            for neighbour in unexplored.pop().neighbours():
                if neighbour in tiles and neighbour not in group and tiles[neighbour].colour == colour:
                    group.add(neighbour)
                    unexplored.append(neighbour)
        seen |= group
        counts[colour] += len(group - {cell})
    return tuple(counts[colour] for colour in COLOURS)


def naive_order(setup: Setup, tiles_taken: Sequence[tuple[int, int]]) -> list[int]:
    """Return the turn order, computed from the start order and the (seat, cost) of every tile taken."""
    time = dict.fromkeys(range(setup.seats), 0)
    # The number of the place action that put each disc on its space. A later disc is higher in the stack. At
    # the start, the first seat of the start order is on top.
    arrival = {seat: -place for place, seat in enumerate(setup.start_order)}
    for number, (seat, cost) in enumerate(tiles_taken, 1):
        time[seat] += cost
        arrival[seat] = number
    return sorted(time, key=lambda seat: (time[seat], -arrival[seat]))


def all_codes(position: Position) -> list[str]:
    """Return the codes of the tiles on the wheel, on the displays and in the draw pile.

    The position must have a whole deck.
    """
    wheel = [tile.code for tile in position.wheel.spaces if tile]
    placed = [tile.code for display in position.displays for tile in display.tiles.values()]
    return [*wheel, *placed, *position.setup.deck[position.revealed_count :]]
