"""Deals, small displays and naive recomputations for the engine's tests."""

import random
from collections.abc import Iterator, Sequence

from games.engine import COLOURS, TILES, Cell, Display, Mode, Place, Position, Setup, Step, Tile, start

DISCS = {Mode.MULTIPLAYER: 20, Mode.SOLO: 21}


def deal(seats: int, seed: int, goal_discs: int | None = None) -> Setup:
    """Return a shuffled setup for so many seats, solo for one."""
    rng = random.Random(seed)
    deck, order = list(TILES), list(range(seats))
    rng.shuffle(deck)
    rng.shuffle(order)
    mode = Mode.SOLO if seats == 1 else Mode.MULTIPLAYER
    return Setup(mode, seats, goal_discs or DISCS[mode], tuple(order), tuple(deck))


def random_play(setup: Setup, rng: random.Random) -> Iterator[Step]:
    """Yield the steps of a random legal game to its end."""
    position = start(setup)
    while not position.over:
        step = position.apply(rng.choice(list(position.legal_actions)))
        position = step.position
        yield step


def place(position: Position, tile: str, x: int = 0, y: int = 0) -> Position:
    """Return the position after the seat to move took and placed this tile."""
    assert position.to_move is not None
    return position.apply(Place(position.to_move, tile, x, y)).position


def display_of(picture: str) -> Display:
    """Return the display drawn by rows of tile codes; the first code met lies at (0, 0), dots are empty.

    Tiles are placed in an order in which each touches one before.
    """
    rows = [row.split() for row in picture.strip().splitlines()]
    drawn = {Cell(x, y): code for y, row in enumerate(rows) for x, code in enumerate(row) if code != "."}
    first = min(drawn, key=lambda cell: (cell.y, cell.x))
    waiting = {Cell(cell.x - first.x, cell.y - first.y): TILES[code] for cell, code in drawn.items()}
    display = Display()
    while waiting:
        cell = next(cell for cell in waiting if cell in display.cells)
        display = display.with_tile(waiting.pop(cell), cell)
    return display


def flood_fill_support(tiles: dict[Cell, Tile], cell: Cell) -> tuple[int, ...]:
    """Recompute a tile's support from the rules' words alone: every group that touches it, once."""
    counts = dict.fromkeys(COLOURS, 0)
    seen: set[Cell] = set()
    for beginning in (cell, *cell.neighbours()):
        if beginning in seen or beginning not in tiles:
            continue
        colour = tiles[beginning].colour
        if beginning != cell and colour == tiles[cell].colour:
            continue  # connected to the tile itself, so counted with its own group
        group, frontier = {beginning}, [beginning]
        while frontier:
            for neighbour in frontier.pop().neighbours():
                if neighbour in tiles and neighbour not in group and tiles[neighbour].colour == colour:
                    group.add(neighbour)
                    frontier.append(neighbour)
        seen |= group
        counts[colour] += len(group - {cell})
    return tuple(counts[colour] for colour in COLOURS)


def naive_order(setup: Setup, moves: Sequence[tuple[int, int]]) -> list[int]:
    """Recompute the turn order from the start order and every (seat, cost) since."""
    time = dict.fromkeys(range(setup.seats), 0)
    # When a disc arrived at its space: the later, the higher in the stack. The start order's first is on top.
    arrived = {seat: -place for place, seat in enumerate(setup.start_order)}
    for clock, (seat, cost) in enumerate(moves, 1):
        time[seat] += cost
        arrived[seat] = clock
    return sorted(time, key=lambda seat: (time[seat], -arrived[seat]))


def codes(position: Position) -> list[str]:
    """Return every tile's code that lies anywhere in a position with a whole deck."""
    wheel = [tile.code for tile in position.wheel.spaces if tile]
    placed = [tile.code for display in position.displays for tile in display.tiles.values()]
    return [*wheel, *placed, *position.setup.deck[position.revealed :]]
