"""Convert positions of the rules' engine to states of the search, and cells of the search back."""

from dataclasses import dataclass

from games.novaluna.bots.search.state import (
    AREA,
    BLANK,
    DISCS,
    FIRST_STACK,
    IN_PLAY,
    MARKER,
    MIDDLE,
    MOST_SLOTS,
    ON_WHEEL,
    ORDER,
    OVER,
    PHASE,
    PHASE_SCORE,
    PILE,
    PILE_COUNT,
    SIDE,
    SOLO,
    TIME,
    WAITING,
    WHEEL,
    State,
    close_cell,
    new_state,
    open_cell,
    put_tile,
)
from games.novaluna.bots.search.tiles import CODES, NUMBERS
from games.novaluna.engine import Cell, Display, MultiplayerPosition, Position, SoloPosition

# The least number of cells between a display and the border of its grid.
MARGIN = 2


class TooLarge(ValueError):
    """A display does not fit on the search's grid."""


@dataclass(frozen=True)
class Reading:
    """A state, and for each seat the display's cell that is at the corner of its grid."""

    state: State
    corners: tuple[Cell, ...]

    def cell(self, seat: int, grid_cell: int) -> Cell:
        """Return the display's cell for a cell of the grid."""
        return Cell(grid_cell % SIDE + self.corners[seat].x, grid_cell // SIDE + self.corners[seat].y)

    def grid_cell(self, seat: int, cell: Cell) -> int:
        """Return the grid's cell for a cell of the display."""
        return (cell.y - self.corners[seat].y) * SIDE + cell.x - self.corners[seat].x


def read(position: Position) -> Reading:
    """Return the state of a position. Its draw pile has all tiles that were not drawn yet, ordered by code.

    Raises TooLarge if a display does not fit on its grid.
    """
    state = new_state(position.seats)
    n = state.n
    n[MARKER] = position.wheel.marker
    for space, tile in enumerate(position.wheel.spaces):
        if tile:
            n[WHEEL + space] = NUMBERS[tile.code]
    n[ON_WHEEL] = position.wheel.tile_count
    drawn = set(position.setup.deck[: position.revealed_count])
    hidden = [number for number, code in enumerate(CODES) if code not in drawn]
    n[PILE_COUNT] = len(hidden)
    n[PILE : PILE + len(hidden)] = hidden
    n[OVER] = position.over
    for seat, discs in enumerate(position.discs):
        n[DISCS + seat] = discs
    if isinstance(position, MultiplayerPosition):
        order = position.track.order
        n[TIME : TIME + position.seats] = position.track.time
    else:
        assert isinstance(position, SoloPosition)
        order = (0,)
        n[TIME] = position.time
        n[SOLO] = 1
        n[PHASE] = position.phase
        n[FIRST_STACK] = position.first_stack
        n[PHASE_SCORE] = position.phase_score or 0
        n[WAITING] = len(position.displays[0].waiting_goals)
    n[IN_PLAY] = len(order)
    n[ORDER : ORDER + len(order)] = order
    corners = tuple(_read_display(state, seat, display) for seat, display in enumerate(position.displays))
    return Reading(state, corners)


def _read_display(state: State, seat: int, display: Display) -> Cell:
    """Place the tiles of a display on its grid; return the display's cell at the corner of the grid."""
    if not display.tiles:
        return Cell(-(MIDDLE % SIDE), -(MIDDLE // SIDE))
    corner = Cell(*(_corner([cell[axis] for cell in display.tiles]) for axis in (0, 1)))
    if len(display.tiles) > MOST_SLOTS - 2:
        raise TooLarge(f"A display of {len(display.tiles)} tiles is too large for the search.")
    close_cell(state, seat, MIDDLE)
    state.g[seat * AREA + MIDDLE] = BLANK
    for cell, tile in display.tiles.items():
        grid_cell = (cell.y - corner.y) * SIDE + cell.x - corner.x
        if state.g[seat * AREA + grid_cell] == BLANK:
            open_cell(state, seat, grid_cell)
        put_tile(state, seat, NUMBERS[tile.code], grid_cell)
    return corner


def _corner(values: list[int]) -> int:
    """Return where the grid begins on one axis, so that the display is in its middle."""
    least, most = min(values), max(values)
    if most - least + 1 + 2 * MARGIN > SIDE:
        raise TooLarge(f"A display {most - least + 1} cells long is too large for the search.")
    return (least + most + 1) // 2 - SIDE // 2
