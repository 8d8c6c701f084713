"""The moon wheel: a ring of twelve spaces with the marker on one and face-up tiles on others."""

from collections.abc import Sequence
from typing import NamedTuple

from games.novaluna.engine.tiles import Tile

SPACES = 12
REACH = 3

# The spaces clockwise from each space, without that space itself.
_CLOCKWISE = [(*range(start + 1, SPACES), *range(start)) for start in range(SPACES)]


class Wheel(NamedTuple):
    """The space of the marker, and the tile on each of the 12 spaces, clockwise from the new moon."""

    marker: int
    spaces: tuple[Tile | None, ...]

    @classmethod
    def at_start(cls, tiles: Sequence[Tile]) -> "Wheel":
        """Return the wheel at the start of a game: the marker on space 0, a tile on each other space."""
        return cls(0, (None, *tiles))

    @property
    def spaces_in_reach(self) -> tuple[int, ...]:
        """The spaces of the next three tiles clockwise from the marker, or of all tiles that are left."""
        spaces = self.spaces
        return tuple([space for space in _CLOCKWISE[self.marker] if spaces[space]][:REACH])

    @property
    def empty_spaces(self) -> tuple[int, ...]:
        """The spaces that a refill fills, clockwise from the marker. The space of the marker stays empty."""
        return tuple(space for space in _CLOCKWISE[self.marker] if self.spaces[space] is None)

    @property
    def tile_count(self) -> int:
        """The number of tiles on the wheel."""
        return len([*filter(None, self.spaces)])

    def without_tile_on(self, space: int) -> "Wheel":
        """Return the wheel after a player took the tile on `space` and moved the marker there."""
        return Wheel(space, (*self.spaces[:space], None, *self.spaces[space + 1 :]))

    def after_refill(self, tiles: Sequence[Tile]) -> "Wheel":
        """Return the wheel with `tiles` on the empty spaces, in order; the last spaces may stay empty."""
        spaces = list(self.spaces)
        for space, tile in zip(self.empty_spaces, tiles, strict=False):
            spaces[space] = tile
        return Wheel(self.marker, tuple(spaces))
