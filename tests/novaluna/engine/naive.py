"""A second, slow implementation of the multiplayer game: it recomputes everything after every action.

The tests compare the engine with it. The bench measures how much faster the engine is.
"""

from games.novaluna.engine import TILES, Action, Cell, Place, Refill, Setup, Tile
from tests.novaluna.engine.games import flood_fill_support, naive_order


class NaiveGame:
    """A mutable game made of plain lists. It has no resign or cancel, and it does not check actions."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.marker = 0
        self.wheel: list[str | None] = [None, *setup.deck[:11]]
        self.pile = list(setup.deck[11:])
        self.displays: list[dict[Cell, Tile]] = [{} for _seat in range(setup.seats)]
        self.covered: list[set[tuple[Cell, int]]] = [set() for _seat in range(setup.seats)]
        self.tiles_taken: list[tuple[int, int]] = []

    @property
    def over(self) -> bool:
        no_tile = not any(self.wheel) and not self.pile
        return no_tile or any(len(covered) == self.setup.goal_discs for covered in self.covered)

    @property
    def to_move(self) -> int:
        return naive_order(self.setup, self.tiles_taken)[0]

    def legal(self) -> list[Action]:
        """Return the legal refill and place actions of the seat to move."""
        if self.over:
            return []
        seat = self.to_move
        display = self.displays[seat]
        cells = {neighbour for cell in display for neighbour in cell.neighbours()} - set(display) or {
            Cell(0, 0)
        }
        clockwise = [self.wheel[(self.marker + offset) % 12] for offset in range(1, 12)]
        tiles = [code for code in clockwise if code]
        places: list[Action] = [Place(seat, code, *cell) for code in tiles[:3] for cell in cells]
        return [Refill(seat), *places] if len(tiles) <= 2 and self.pile else places

    def play(self, action: Action) -> None:
        """Apply a legal refill or place action."""
        if isinstance(action, Refill):
            for space in [(self.marker + offset) % 12 for offset in range(1, 12)]:
                if self.wheel[space] is None and self.pile:
                    self.wheel[space] = self.pile.pop(0)
        elif isinstance(action, Place):
            self.marker = self.wheel.index(action.tile)
            self.wheel[self.marker] = None
            self.tiles_taken.append((action.seat, TILES[action.tile].cost))
            self.displays[action.seat][action.cell] = TILES[action.tile]
            self._cover_goals(action.seat)

    def _cover_goals(self, seat: int) -> None:
        display = self.displays[seat]
        fulfilled = {
            (cell, nth)
            for cell, tile in display.items()
            for nth, goal in enumerate(tile.goals)
            if all(
                has >= needs for has, needs in zip(flood_fill_support(display, cell), goal.needs, strict=True)
            )
        }
        waiting = sorted(fulfilled - self.covered[seat])
        self.covered[seat].update(waiting[: self.setup.goal_discs - len(self.covered[seat])])
