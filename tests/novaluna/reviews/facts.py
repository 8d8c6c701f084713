"""The facts that hints and reviews state, computed again from the tiles, without the engine's shortcuts."""

import re
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field

from games.novaluna.engine import COLOURS, TILES, Cell, Place, Position, Refill, SoloPosition, Step, Tile
from games.titles.people import Person
from tests.novaluna.engine.games import flood_fill_support, naive_order

COLOUR_OF_WORD = {colour.word: colour for colour in COLOURS}


@dataclass
class PlainPosition:
    """A position as lists of tiles. `tiles_taken` are the (seat, cost) of all place actions so far."""

    position: Position
    tiles_taken: list[tuple[int, int]]
    tiles: list[dict[Cell, Tile]] = field(init=False)
    covered: list[set[tuple[Cell, int]]] = field(init=False)
    discs: list[int] = field(init=False)
    wheel: list[Tile | None] = field(init=False)
    marker: int = field(init=False)

    def __post_init__(self) -> None:
        """Copy the parts of the position that a place action changes."""
        position = self.position
        self.tiles = [dict(display.tiles) for display in position.displays]
        self.covered = [{tuple(goal) for goal in display.covered} for display in position.displays]
        self.discs = [*position.discs]
        if isinstance(position, SoloPosition) and position.phase == 1:
            self.discs = [position.first_stack]
        self.wheel, self.marker = [*position.wheel.spaces], position.wheel.marker

    def copy(self) -> "PlainPosition":
        """Return a copy that can be changed."""
        found = copy(self)
        found.tiles_taken, found.discs, found.wheel = [*self.tiles_taken], [*self.discs], [*self.wheel]
        found.tiles = [dict(tiles) for tiles in self.tiles]
        found.covered = [set(goals) for goals in self.covered]
        return found

    def fulfilled(self, seat: int) -> set[tuple[Cell, int]]:
        """Return the goals without a disc whose dots are supplied."""
        tiles = self.tiles[seat]
        return {
            (cell, nth)
            for cell, tile in tiles.items()
            for nth, goal in enumerate(tile.goals)
            if (cell, nth) not in self.covered[seat]
            and all(map(int.__le__, goal.needs, flood_fill_support(tiles, cell)))
        }

    def after(self, place: Place) -> tuple["PlainPosition", int]:
        """Return the position after an action, and how many goals it covers."""
        after, seat, tile = self.copy(), place.seat, TILES[place.tile]
        after.tiles[seat][Cell(place.x, place.y)] = tile
        after.marker = after.wheel.index(tile)
        after.wheel[after.marker] = None
        after.tiles_taken.append((seat, tile.cost))
        goals = sorted(after.fulfilled(seat))[: after.discs[seat]]
        after.covered[seat].update(goals)
        after.discs[seat] -= len(goals)
        return after, len(goals)

    def order(self) -> list[int]:
        """Return the seats in turn order."""
        return naive_order(self.position.setup, self.tiles_taken)

    def free_cells(self, seat: int) -> set[Cell]:
        """Return the cells on which the next tile may be placed."""
        tiles = self.tiles[seat]
        return {near for cell in tiles for near in cell.neighbours()} - set(tiles) or {Cell(0, 0)}

    def goals_by_tile(self) -> dict[Tile, int]:
        """Return how many goals the next player can cover at most with each tile in reach."""
        seat, spaces = self.order()[0], [*range(self.marker + 1, 12), *range(self.marker)]
        reach = [tile for space in spaces if (tile := self.wheel[space])][:3]
        return {
            tile: max(self.after(Place(seat, tile.code, *cell))[1] for cell in self.free_cells(seat))
            for tile in reach
        }

    def next_goals(self) -> int:
        """Return how many goals the next player can cover at most with one tile."""
        return max(self.goals_by_tile().values(), default=0)

    def can_refill(self) -> bool:
        """Whether the next player of a game with others may refill the wheel."""
        return len([tile for tile in self.wheel if tile]) <= 2 and self.position.draw_pile > 0

    def goals_by_next_tile(self, seat: int) -> Iterator[tuple[str, set[tuple[Cell, int]]]]:
        """Yield (colour, goals) that one more tile would fulfil, for each colour left and each cell."""
        before, colours = self.fulfilled(seat), {*COLOURS}
        if self.position.draw_pile == 0 or getattr(self.position, "phase", 1) == 2:
            colours = {tile.colour for tile in self.wheel if tile}
        for colour in colours:
            for cell in self.free_cells(seat):
                after = self.copy()
                after.tiles[seat][cell] = Tile("", colour, 0, ())
                yield colour.word, after.fulfilled(seat) - before

    def ready_goals(self, seat: int, colour: str = "") -> int:
        """Return the most goals that one more tile, of this colour or of any, could cover."""
        found = [len(goals) for word, goals in self.goals_by_next_tile(seat) if word.startswith(colour)]
        return min(max(found, default=0), self.discs[seat])

    def almost_covered(self, seat: int) -> int:
        """Return how many goals one more tile could fulfil, but no more than there are discs."""
        goals: set[tuple[Cell, int]] = set()
        return min(
            len(goals.union(*(some for _colour, some in self.goals_by_next_tile(seat)))), self.discs[seat]
        )

    def supplied_dots(self, seat: int) -> int:
        """Count the dots of all goals that are supplied."""
        tiles = self.tiles[seat]
        return sum(
            min(need, has)
            for cell, tile in tiles.items()
            for goal in tile.goals
            for need, has in zip(goal.needs, flood_fill_support(tiles, cell), strict=True)
        )

    def cells_beside_open_goals(self, seat: int) -> int:
        """Count the free cells beside a tile with a goal that has no disc."""
        tiles = self.tiles[seat]
        return sum(
            any(
                (near, nth) not in self.covered[seat]
                for near in cell.neighbours()
                if near in tiles
                for nth in range(len(tiles[near].goals))
            )
            for cell in self.free_cells(seat)
        )


@dataclass
class Comparison:
    """Two actions in one position: the one that a sentence praises, and the one played, if there is one."""

    before: PlainPosition
    place: Place
    played: Place | None
    people: Sequence[Person]
    later_steps: Sequence[Step] = ()
    line: Sequence[Place | Refill] = ()  # what the expert expects after `place`

    def __post_init__(self) -> None:
        """Compute both outcomes."""
        self.seat = self.place.seat
        self.is_solo = isinstance(self.before.position, SoloPosition)
        self.better, self.goals = self.before.after(self.place)
        self.other, self.other_goals = self.before.after(self.played) if self.played else (self.before, 0)

    def seat_of(self, name: str) -> int:
        """Return the seat of a player whom a sentence calls by name or `you`."""
        return next(one.seat for one in self.people if (one.is_you if name == "you" else one.name == name))

    def is_true(self, sentence: str) -> bool:
        """Whether a sentence is true. Fails for a sentence that is not known."""
        for pattern, check in CHECKS.items():
            if found := re.fullmatch(pattern, sentence):
                return check(self, *found.groups())
        raise AssertionError(f"No check for {sentence!r}")

    def is_mover(self, name: str) -> bool:
        """Whether this is the player who acts."""
        return self.seat_of(name.lower() if name == "You" else name) == self.seat

    def goals_are(self, count: str, played: str | None = None) -> bool:
        """Whether the actions cover this many goals."""
        return (self.goals, self.other_goals) == (int(count), int(played or 0))

    def wins(self) -> bool:
        """Whether the better action places the last disc."""
        return not self.better.discs[self.seat]

    def scores(self, *scores: str) -> bool:
        """Whether the actions end the game with these scores."""
        actions = [self.place, self.played][: len(scores)]
        return [self.before.position.apply(one).position.score for one in actions] == [*map(int, scores)]

    def has_turn(self, tile: str | None = None, count: str = "0") -> bool:
        """Whether only the better action leads to another turn, in which a tile can cover goals."""
        other_has_turn = self.played and self.other.order()[0] == self.seat
        return self.better.order()[0] == self.seat and not other_has_turn and self.can_cover(count, tile)

    def can_cover_next(self, tile: str, count: str, played: str = "0") -> bool:
        """Whether both actions lead to another turn, and the better one to more goals in it."""
        if self.better.order()[0] != self.seat:
            return False
        other_goals = self.other.next_goals() if self.played and self.other.order()[0] == self.seat else 0
        return self.can_cover(count, tile) and other_goals == int(played) < int(count)

    def can_cover(self, count: str, tile: str | None) -> bool:
        """Whether the next tile covers this many goals: the expected one, else any, and none more."""
        expected = self.line[0] if self.line else None
        if isinstance(expected, Place):
            one = TILES[expected.tile]
            is_named = tile in (None, f"{one.colour.word} {one.cost}")
            return is_named and self.better.after(expected)[1] == int(count)
        by_tile = self.better.goals_by_tile()
        if tile is None:
            return max(by_tile.values(), default=0) == int(count)
        named = [goals for one, goals in by_tile.items() if tile == f"{one.colour.word} {one.cost}"]
        return max(named) == max(by_tile.values()) == int(count)

    def can_win(self, tile: str) -> bool:
        """Whether the player moves again, which the action played does not allow, and can win then."""
        return self.has_turn(tile, str(self.better.discs[self.seat]))

    def can_win_next(self, tile: str) -> bool:
        """Whether only the better of two actions that lead to another turn makes it possible to win in it."""
        count = self.better.discs[self.seat]
        return self.can_cover_next(tile, str(count), str(self.other.next_goals()))

    def stops(self, name: str) -> bool:
        """Whether the next player could win only after the action played."""
        left = self.other.discs[self.seat_of(name)]
        return self.better.next_goals() < left and self.leaves(name, str(self.better.next_goals()), str(left))

    def waits_for(self, count: str, played: str) -> bool:
        """Whether this many opponents play before the player's next turn."""
        found = [after.order().index(self.seat) for after in (self.better, self.other)]
        return found == [int(count), int(played)]

    def takes(self, tile: str, name: str, count: str = "0") -> bool:
        """Whether the next tile that another player took was this one, to cover this many goals."""
        step = next(one for one in self.later_steps if one.tile_taken and one.seat != self.seat)
        taken = TILES[step.tile_taken.tile]
        return (
            taken == TILES[self.place.tile] != TILES[self.played.tile]
            and tile == f"{taken.colour.word} {taken.cost}"
            and step.seat == self.seat_of(name)
            and len(step.goals_covered) == int(count)
        )

    def leaves(self, name: str, count: str, played: str) -> bool:
        """Whether the same player is next after both actions, and can cover this many goals."""
        afters = self.better, self.other
        return (
            [after.order()[0] for after in afters] == [self.seat_of(name)] * 2
            and [after.next_goals() for after in afters] == [int(count), int(played)]
            and not any(after.can_refill() for after in afters)
        )

    def leaves_nothing(self, name: str, played: str | None = None) -> bool:
        """Whether the next player can cover no goal."""
        if played is not None:
            return self.leaves(name, "0", played)
        return (
            self.better.order()[0] == self.seat_of(name)
            and self.better.next_goals() == 0
            and not self.better.can_refill()
        )

    def costs(self, count: str, played: str) -> bool:
        """Whether the tiles cost this much time."""
        return [TILES[self.place.tile].cost, TILES[self.played.tile].cost] == [int(count), int(played)]

    def makes_ready(self, colour: str, count: str, played: str = "0") -> bool:
        """Whether one more tile of this colour could cover this many goals, and fewer after the other."""
        ready = self.better.ready_goals(self.seat, colour)
        other = self.other.ready_goals(self.seat)
        if self.played is None:
            return ready == int(count) > other
        return ready == int(count) > other == int(played)

    def almost_covers(self, count: str, played: str = "0") -> bool:
        """Whether this many goals need only one more tile."""
        found = [after.almost_covered(self.seat) for after in (self.better, self.other)]
        return found == [int(count), int(played)]

    def supplies(self, count: str, played: str = "0") -> bool:
        """Whether this many dots are supplied that were not before."""
        before = self.before.supplied_dots(self.seat)
        found = [after.supplied_dots(self.seat) - before for after in (self.better, self.other)]
        return found == [int(count), int(played)]

    def keeps_space(self, count: str, played: str) -> bool:
        """Whether this many free cells are beside open goals."""
        found = [after.cells_beside_open_goals(self.seat) for after in (self.better, self.other)]
        return found == [int(count), int(played)] and self.goals == self.other_goals


CHECKS: dict[str, Callable[..., bool]] = {
    r"Places the last disc and wins\.": Comparison.wins,
    r"Ends the game with a score of (\d+)\.": Comparison.scores,
    r"Ends the game with a score of (\d+), not (\d+)\.": Comparison.scores,
    r"Covers (\d+) goals?\.": Comparison.goals_are,
    r"Covers (\d+) goals?, not (\d+)\.": Comparison.goals_are,
    r"Better, although it covers fewer goals immediately \((\d+), not (\d+)\)\.": Comparison.goals_are,
    r"(\w+) moves? again\.": lambda one, name: one.is_mover(name) and one.has_turn(),
    r"(\w+) moves? again and can cover (\d+) goals? with (\w+ \d)\.": lambda one, name, count, tile: (
        one.is_mover(name) and one.has_turn(tile, count)
    ),
    r"(\w+) moves? again and can win with (\w+ \d)\.": lambda one, name, tile: (
        one.is_mover(name) and one.can_win(tile)
    ),
    r"Then (\w+ \d) wins\.": Comparison.can_win_next,
    r"Then (\w+ \d) can cover (\d+) goals?\.": Comparison.can_cover_next,
    r"Then (\w+ \d) can cover (\d+) goals; after the move in the game, no tile can cover more than (\d+)\.": (
        Comparison.can_cover_next
    ),
    r"Stops (\w+) from winning with the next tile\.": Comparison.stops,
    r"Only (\d+) opponents? plays? before the next turn, not (\d+)\.": Comparison.waits_for,
    r"Takes (\w+ \d): in the game, (\w+) took it next\.": Comparison.takes,
    r"Takes (\w+ \d): in the game, (\w+) took it next, and covered (\d+) goals?\.": Comparison.takes,
    r"Leaves (\w+) at most (\d+) goals? to cover next, not (\d+)\.": Comparison.leaves,
    r"Leaves (\w+) no tile that covers a goal\.": Comparison.leaves_nothing,
    r"Leaves (\w+) no tile that covers a goal; the move in the game left one that covers (\d+)\.": (
        Comparison.leaves_nothing
    ),
    r"Costs only (\d+), not (\d+)\.": Comparison.costs,
    r"Then one more (\w+) tile can cover (\d+) open goals?\.": Comparison.makes_ready,
    r"Then one more (\w+) tile can cover (\d+) open goals?; after the move in the game, none can\.": (
        Comparison.makes_ready
    ),
    r"Then one more (\w+) tile can cover (\d+) open goals; "
    r"after the move in the game, no tile can cover more than (\d+)\.": (Comparison.makes_ready),
    r"Leaves (\d+) goals? that needs? only one more tile; the move in the game left none\.": (
        Comparison.almost_covers
    ),
    r"Leaves (\d+) goals that need only one more tile; the move in the game left (\d+)\.": (
        Comparison.almost_covers
    ),
    r"Supplies (\d+) dots that goals need\.": Comparison.supplies,
    r"Supplies (\d+) dots? that goals need; the move in the game supplied none\.": (Comparison.supplies),
    r"Supplies (\d+) dots that goals need, not (\d+)\.": (Comparison.supplies),
    r"Keeps more space around open goals: (\d+) free cells? beside them, not (\d+)\.": (
        Comparison.keeps_space
    ),
}
