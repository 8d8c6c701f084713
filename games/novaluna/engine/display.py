"""A display: the tiles of one player on an unbounded grid, their groups and their fulfilled goals."""

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field
from typing import NamedTuple

from games.novaluna.engine.cells import ORIGIN, Cell
from games.novaluna.engine.tiles import Tile

Support = tuple[int, int, int, int]  # tiles of each colour, in the order of `Colour`


class GoalAt(NamedTuple):
    """A goal of a display: the cell of its tile and its number among the goals of the tile, from 0."""

    cell: Cell
    nth: int


class Group(NamedTuple):
    """Tiles of one colour that are connected by edges."""

    colour_index: int
    cells: frozenset[Cell]


@dataclass(frozen=True, slots=True)
class Display:
    """The tiles of one player by cell, with the groups and the fulfilled goals.

    `free_cells` are the cells where the next tile may go, in a stable order. `fulfilled` has all goals that
    are fulfilled, and `covered` has the goals with a disc. Each new tile updates these fields, so they are
    never computed again from all tiles.
    """

    tiles: Mapping[Cell, Tile] = field(default_factory=dict)
    free_cells: Mapping[Cell, None] = field(default_factory=lambda: {ORIGIN: None})
    fulfilled: frozenset[GoalAt] = frozenset()
    covered: frozenset[GoalAt] = frozenset()
    _groups: Mapping[Cell, Group] = field(default_factory=dict, repr=False)

    def with_tile(self, tile: Tile, cell: Cell) -> "Display":
        """Return the display with `tile` on `cell`, which must be one of `free_cells`. Covers no goal."""
        neighbours = cell.neighbours()
        tiles = dict(self.tiles)
        tiles[cell] = tile
        free_cells = dict(self.free_cells)
        del free_cells[cell]
        for neighbour in neighbours:
            if neighbour not in tiles:
                free_cells[neighbour] = None

        group = self._group_of_new_tile(tile, cell, neighbours)
        groups = dict(self._groups)
        for member in group.cells:
            groups[member] = group

        display = Display(tiles, free_cells, self.fulfilled, self.covered, groups)
        new_goals = display._newly_fulfilled_goals(cell)
        if not new_goals:
            return display
        return Display(tiles, free_cells, self.fulfilled | new_goals, self.covered, groups)

    def with_discs(self, goals: Iterable[GoalAt]) -> "Display":
        """Return the display with a disc on each of `goals`."""
        return Display(self.tiles, self.free_cells, self.fulfilled, self.covered.union(goals), self._groups)

    @property
    def waiting_goals(self) -> list[GoalAt]:
        """The fulfilled goals without a disc, in the order in which they get discs.

        The order is by x, then y, then number on the tile.
        """
        return sorted(self.fulfilled - self.covered)

    @property
    def groups(self) -> frozenset[Group]:
        """The groups of the tiles. A tile without a neighbour of its colour is a group of one."""
        return frozenset(self._groups.values())

    @property
    def discs_placed(self) -> int:
        """The number of discs on the goals."""
        return len(self.covered)

    @property
    def cost(self) -> int:
        """The sum of the time costs of the tiles."""
        return sum(tile.cost for tile in self.tiles.values())

    def support(self, cell: Cell) -> Support:
        """Return how many tiles of each colour support the tile on `cell`, in the order of `Colour`.

        Each group that touches the tile by an edge counts once, with all its tiles. The tile's own group
        counts too, but without the tile itself.
        """
        groups = self._groups
        counts = [0, 0, 0, 0]
        for group in {groups[each] for each in (cell, *cell.neighbours()) if each in groups}:
            counts[group.colour_index] += len(group.cells)
        counts[groups[cell].colour_index] -= 1
        return counts[0], counts[1], counts[2], counts[3]

    def supported_by(self, cell: Cell) -> Set[Cell]:
        """Return the cells with tiles that the group on `cell` supports: its own, and those beside it."""
        cells = self._groups[cell].cells
        return cells.union(*(each.neighbours() for each in cells)) & self.tiles.keys()

    def _group_of_new_tile(self, tile: Tile, cell: Cell, neighbours: Iterable[Cell]) -> Group:
        """Return the group that a new tile forms with the adjacent groups of its colour."""
        colour = tile.colour_index
        members = {cell}
        for neighbour in neighbours:
            group = self._groups.get(neighbour)
            if group is not None and group.colour_index == colour:
                members |= group.cells
        return Group(colour, frozenset(members))

    def _newly_fulfilled_goals(self, new_cell: Cell) -> frozenset[GoalAt]:
        """Return the goals that the new tile on `new_cell` fulfils.

        Checks only goals that can change: the goals of the new tile, and those that need its colour on tiles
        that its group supports.
        """
        colour = self.tiles[new_cell].colour_index
        fulfilled = []
        for cell in self.supported_by(new_cell):
            goals = self.tiles[cell].goals
            candidates = [
                nth
                for nth, goal in enumerate(goals)
                if (goal.needs[colour] or cell == new_cell) and (cell, nth) not in self.fulfilled
            ]
            if candidates:
                support = self.support(cell)
                fulfilled += [GoalAt(cell, nth) for nth in candidates if goals[nth].is_fulfilled_by(support)]
        return frozenset(fulfilled)
