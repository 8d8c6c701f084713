"""A display: one player's tiles on an unbounded grid, the groups they form, and the goals they fulfil."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from games.engine.cells import ORIGIN, Cell
from games.engine.tiles import Tile

Support = tuple[int, int, int, int]


class GoalAt(NamedTuple):
    """A goal of a display: the cell of its tile, and its place among the goals of that tile, from 0."""

    cell: Cell
    nth: int


class Group(NamedTuple):
    """Tiles of one colour connected by edges."""

    colour_index: int
    cells: frozenset[Cell]


@dataclass(frozen=True, slots=True)
class Display:
    """The tiles of one player by cell, with what follows from them kept up to date tile by tile.

    `cells` are the cells where a next tile may lie. A fulfilled goal is `covered` once it has a disc.
    """

    tiles: Mapping[Cell, Tile] = field(default_factory=dict)
    cells: Mapping[Cell, None] = field(default_factory=lambda: {ORIGIN: None})
    fulfilled: frozenset[GoalAt] = frozenset()
    covered: frozenset[GoalAt] = frozenset()
    _groups: Mapping[Cell, Group] = field(default_factory=dict, repr=False)

    def with_tile(self, tile: Tile, cell: Cell) -> "Display":
        """Return the display with `tile` on `cell`, one of `cells`; it covers no goal by itself."""
        neighbours = cell.neighbours()
        tiles = dict(self.tiles)
        tiles[cell] = tile
        cells = dict(self.cells)
        del cells[cell]
        for neighbour in neighbours:
            if neighbour not in tiles:
                cells[neighbour] = None

        group = self._joined_group(tile, cell, neighbours)
        groups = dict(self._groups)
        for member in group.cells:
            groups[member] = group

        grown = Display(tiles, cells, self.fulfilled, self.covered, groups)
        fulfilled = grown._newly_fulfilled(cell, group)
        return Display(tiles, cells, self.fulfilled | fulfilled, self.covered, groups) if fulfilled else grown

    def with_discs(self, goals: Iterable[GoalAt]) -> "Display":
        """Return the display with a disc on each of `goals`."""
        return Display(self.tiles, self.cells, self.fulfilled, self.covered.union(goals), self._groups)

    @property
    def waiting(self) -> list[GoalAt]:
        """The fulfilled goals without a disc, in the order in which they get it: x, y, place on the tile."""
        return sorted(self.fulfilled - self.covered)

    @property
    def groups(self) -> frozenset[Group]:
        """The groups that the tiles form; a tile without a neighbour of its colour is one by itself."""
        return frozenset(self._groups.values())

    @property
    def placed(self) -> int:
        """How many discs lie on the goals."""
        return len(self.covered)

    @property
    def cost(self) -> int:
        """The sum of the tiles' time costs."""
        return sum(tile.cost for tile in self.tiles.values())

    def support(self, cell: Cell) -> Support:
        """Return how many tiles of each colour support the tile on `cell`, in the order of `Colour`.

        Each group that touches the tile by an edge counts once with all its tiles. A group of the tile's own
        colour is the one that contains it, and counts without it.
        """
        groups = self._groups
        counts = [0, 0, 0, 0]
        for group in {groups[near] for near in (cell, *cell.neighbours()) if near in groups}:
            counts[group.colour_index] += len(group.cells)
        counts[groups[cell].colour_index] -= 1
        return counts[0], counts[1], counts[2], counts[3]

    def _joined_group(self, tile: Tile, cell: Cell, neighbours: Iterable[Cell]) -> Group:
        """Return the group that a new tile forms with the groups of its colour next to it."""
        colour = tile.colour_index
        members = {cell}
        for neighbour in neighbours:
            group = self._groups.get(neighbour)
            if group is not None and group.colour_index == colour:
                members |= group.cells
        return Group(colour, frozenset(members))

    def _newly_fulfilled(self, new: Cell, group: Group) -> frozenset[GoalAt]:
        """Return the goals fulfilled by the tile on `new`, which made `group`.

        Beside the tile's own these are goals around the group, and only such as ask for its colour.
        """
        colour = group.colour_index
        touched = group.cells.union(*(cell.neighbours() for cell in group.cells)) & self.tiles.keys()
        found = []
        for cell in touched:
            goals = self.tiles[cell].goals
            hopeful = [
                nth
                for nth, goal in enumerate(goals)
                if (goal.needs[colour] or cell == new) and (cell, nth) not in self.fulfilled
            ]
            if hopeful:
                support = self.support(cell)
                found += [GoalAt(cell, nth) for nth in hopeful if goals[nth].is_fulfilled_by(support)]
        return frozenset(found)
