"""The moon wheel: twelve spaces in a ring, the marker on one, and face-up tiles on others."""

from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from games.engine.tiles import Tile

SPACES = 12
REACH = 3


class Wheel(NamedTuple):
    """Where the marker stands, and what lies on each of the 12 spaces, clockwise from the new moon."""

    marker: int
    spaces: tuple[Tile | None, ...]

    @classmethod
    def laid_out(cls, tiles: Sequence[Tile]) -> "Wheel":
        """Return the wheel of the start: the marker on space 0, a tile on each other space."""
        return cls(0, (None, *tiles))

    @property
    def in_reach(self) -> tuple[int, ...]:
        """The spaces of the next three tiles clockwise from the marker; fewer where fewer are left."""
        return tuple(islice((space for space in self._clockwise() if self.spaces[space]), REACH))

    @property
    def empty(self) -> tuple[int, ...]:
        """The spaces that a refill fills, in its order: clockwise from the marker, whose own stays empty."""
        return tuple(space for space in self._clockwise() if self.spaces[space] is None)

    @property
    def tile_count(self) -> int:
        """How many tiles lie on the wheel."""
        return len([tile for tile in self.spaces if tile])

    def without(self, space: int) -> "Wheel":
        """Return the wheel after the tile on `space` was taken and the marker moved there."""
        return Wheel(space, (*self.spaces[:space], None, *self.spaces[space + 1 :]))

    def refilled(self, tiles: Sequence[Tile]) -> "Wheel":
        """Return the wheel with `tiles`, no more than there are empty spaces, laid out in order."""
        spaces = list(self.spaces)
        for space, tile in zip(self.empty, tiles, strict=False):
            spaces[space] = tile
        return Wheel(self.marker, tuple(spaces))

    def _clockwise(self) -> list[int]:
        return [*range(self.marker + 1, SPACES), *range(self.marker)]
