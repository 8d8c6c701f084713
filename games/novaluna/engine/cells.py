"""Cells of a display, named by their distance and direction from the first tile."""

import re
from functools import lru_cache
from typing import NamedTuple

_NAME = re.compile(r"(?:([ew])(\d{1,9}))?\s*(?:([ns])(\d{1,9}))?", re.IGNORECASE | re.ASCII)


class Cell(NamedTuple):
    """A cell of a display. `x` grows to the east, `y` grows to the south, and the first tile is at (0, 0)."""

    x: int
    y: int

    @property
    def name(self) -> str:
        """The name of the cell in logs, mails and the text board. It stays the same while the display grows.

        >>> Cell(2, 1).name, Cell(-1, 0).name, Cell(0, -3).name, Cell(0, 0).name
        ('E2 S1', 'W1', 'N3', '0')
        """
        parts = []
        if self.x:
            parts.append(f"{'E' if self.x > 0 else 'W'}{abs(self.x)}")
        if self.y:
            parts.append(f"{'S' if self.y > 0 else 'N'}{abs(self.y)}")
        return " ".join(parts) or "0"

    @classmethod
    def parse(cls, name: str) -> "Cell":
        """Return the cell with this name, in upper or lower case, with or without the space.

        Raises ValueError if `name` is not the name of a cell.

        >>> Cell.parse("e2s1")
        Cell(x=2, y=1)
        """
        name = name.strip()
        if name == "0":
            return cls(0, 0)
        match = _NAME.fullmatch(name)
        if not name or match is None:
            raise ValueError(
                f"{name[:40]!r} is not a cell. Write E2 S1, W1 or N3, or 0 for the cell of the first tile."
            )
        east_west, x, north_south, y = match.groups()
        return cls(
            int(x or 0) * (-1 if (east_west or "").upper() == "W" else 1),
            int(y or 0) * (-1 if (north_south or "").upper() == "N" else 1),
        )

    def neighbours(self) -> "tuple[Cell, Cell, Cell, Cell]":
        """Return the four cells that share an edge with this one."""
        return _neighbours(self)


# Cached because every placed tile needs the neighbours of the same few cells.
@lru_cache(maxsize=4096)
def _neighbours(cell: Cell) -> tuple[Cell, Cell, Cell, Cell]:
    x, y = cell
    return Cell(x + 1, y), Cell(x - 1, y), Cell(x, y + 1), Cell(x, y - 1)


ORIGIN = Cell(0, 0)
