"""What a place action leads to, counted from what everybody sees: no undrawn tile."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile

from games.novaluna.engine import (
    COLOURS,
    TILES,
    Cell,
    Colour,
    Display,
    GoalAt,
    MultiplayerPosition,
    Place,
    Position,
    Refill,
    SoloPosition,
    Step,
    Tile,
)


@dataclass(frozen=True)
class Placed:
    """What a place action leads to. If it is known, `line` has the actions that the expert expects next."""

    before: Position
    place: Place
    line: Sequence[Place | Refill] = ()

    @cached_property
    def step(self) -> Step:
        """The step of the action."""
        return self.before.apply(self.place)

    @property
    def after(self) -> Position:
        """The position directly after the action."""
        return self.step.position

    @property
    def display(self) -> Display:
        """The player's display after the action."""
        return self.after.displays[self.place.seat]

    @property
    def cost(self) -> int:
        """The time cost of the tile."""
        return TILES[self.place.tile].cost

    @property
    def goals(self) -> int:
        """The number of goals that the action covers."""
        return len(self.step.goals_covered)

    @property
    def is_solo(self) -> bool:
        """Whether this is a solo game."""
        return isinstance(self.before, SoloPosition)

    @property
    def moves_again(self) -> bool:
        """Whether the player takes the next tile too; always true in a solo game that goes on."""
        return self.after.to_move == self.place.seat

    @property
    def opponents_ahead(self) -> int:
        """How many opponents play before the player's next turn."""
        after = self.after
        return after.track.order.index(self.place.seat) if isinstance(after, MultiplayerPosition) else 0

    @cached_property
    def next_goals(self) -> tuple[int, str]:
        """The most goals that the next player can cover with one tile in reach, and the code of that tile."""
        return most_goals(self.after)

    @cached_property
    def next_own_goals(self) -> tuple[int, str]:
        """How many goals the player covers with the next tile if they move again, and the code of that tile.

        The expected line says which tile it is; without one, it is the tile that can cover most.
        """
        for step in self._own_steps[:1]:
            if self.moves_again and step.tile_taken:
                return len(step.goals_covered), step.tile_taken.tile
        return self.next_goals

    def covers_next_with(self, colour: Colour) -> bool:
        """Return whether the player covers a goal with a tile of this colour in the expected line.

        Also true if that line has no tile of theirs.
        """
        covering = [step.tile_taken for step in self._own_steps if step.goals_covered]
        return not self._own_steps or any(taken and TILES[taken.tile].colour is colour for taken in covering)

    @cached_property
    def _own_steps(self) -> Sequence[Step]:
        """The steps of the player in the expected line."""
        position, steps = self.after, []
        for action in takewhile(lambda one: isinstance(one, Place), self.line):
            steps.append(position.apply(action))
            position = steps[-1].position
        return [step for step in steps if step.seat == self.place.seat]

    @cached_property
    def ready_goals(self) -> tuple[int, Colour]:
        """The most open goals that one more tile could cover, and the colour of that tile."""
        return most_ready_goals(self.after, self.place.seat)

    @cached_property
    def almost_covered(self) -> int:
        """How many open goals need only one more tile, but no more than there are discs."""
        goals: set[GoalAt] = set().union(*_goals_by_next_tile(self.after, self.place.seat).values())
        return min(len(goals), _count_discs(self.after, self.place.seat))

    @cached_property
    def dots_supplied(self) -> int:
        """How many dots of goals the display supplies that it did not supply before."""
        before = self.before.displays[self.place.seat]
        return _count_supplied_dots(self.display) - _count_supplied_dots(before)

    @cached_property
    def free_cells(self) -> int:
        """How many free cells are beside tiles with open goals."""
        display = self.display
        with_open_goals = {
            cell
            for cell, tile in display.tiles.items()
            if any(GoalAt(cell, nth) not in display.covered for nth in range(len(tile.goals)))
        }
        return sum(any(near in with_open_goals for near in cell.neighbours()) for cell in display.free_cells)


def most_goals(position: Position) -> tuple[int, str]:
    """Return how many goals the seat to move can cover at most with one tile, and the code of the tile."""
    places = (action for action in position.legal_actions if isinstance(action, Place))
    found = ((len(position.apply(place).goals_covered), place.tile) for place in places)
    return max(found, key=lambda one: one[0], default=(0, ""))


def most_ready_goals(position: Position, seat: int) -> tuple[int, Colour]:
    """Return how many open goals one more tile could cover at most, and the colour of that tile.

    Its own goals do not count, because it can be any tile of that colour.
    """
    discs, by_tile = _count_discs(position, seat), _goals_by_next_tile(position, seat)
    found = ((min(len(goals), discs), colour) for (colour, _cell), goals in by_tile.items())
    return max(found, key=lambda one: one[0], default=(0, COLOURS[0]))


def _count_discs(position: Position, seat: int) -> int:
    """Return how many goals a seat can cover until the end or, in a solo game, until the refill."""
    if isinstance(position, SoloPosition) and position.phase == 1:
        return position.first_stack
    return position.discs[seat]


def _goals_by_next_tile(position: Position, seat: int) -> dict[tuple[Colour, Cell], frozenset[GoalAt]]:
    """Return which goals of a display one more tile would fulfil, by the colour and cell of that tile."""
    display, found = position.displays[seat], {}
    for colour in _colours_left(position):
        tile = Tile("", colour, cost=0, goals=())
        for cell in display.free_cells:
            if goals := display.with_tile(tile, cell).fulfilled - display.fulfilled:
                found[colour, cell] = goals
    return found


def _colours_left(position: Position) -> Sequence[Colour]:
    """Return the colours of the tiles that can still be taken, as far as anybody knows."""
    is_last_wheel = isinstance(position, SoloPosition) and position.phase == 2
    if position.draw_pile and not is_last_wheel:
        return COLOURS
    return sorted({tile.colour for tile in position.wheel.spaces if tile})


def _count_supplied_dots(display: Display) -> int:
    """Count the dots of all goals that tiles in adjacent groups supply."""
    count = 0
    for cell, tile in display.tiles.items():
        support = display.support(cell)
        for goal in tile.goals:
            count += sum(map(min, goal.needs, support))
    return count
