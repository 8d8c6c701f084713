"""The 68 tiles: a colour, a time cost, and up to three goals each."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from importlib import resources
from types import MappingProxyType


class Colour(StrEnum):
    """A tile's colour, valued by the letter that stands for it in goals."""

    BLUE = "B"
    RED = "R"
    TURQUOISE = "T"
    YELLOW = "Y"

    @property
    def word(self) -> str:
        """The colour in plain English, as in style sheets: `blue`."""
        return self.name.lower()


COLOURS = tuple(Colour)


@dataclass(frozen=True)
class Goal:
    """What a tile asks of its surroundings: one to four coloured dots.

    >>> Goal.parse("BBR").needs
    (2, 1, 0, 0)
    """

    dots: tuple[Colour, ...]

    @classmethod
    def parse(cls, letters: str) -> "Goal":
        """Read a goal from the letters of its dots."""
        return cls(tuple(Colour(letter) for letter in letters))

    @cached_property
    def needs(self) -> tuple[int, int, int, int]:
        """How many tiles of each colour the goal asks for, in the order of `Colour`."""
        blue, red, turquoise, yellow = (self.dots.count(colour) for colour in COLOURS)
        return blue, red, turquoise, yellow

    def is_fulfilled_by(self, support: tuple[int, int, int, int]) -> bool:
        """Whether `support`, in tiles of each colour, is enough."""
        needs = self.needs
        return (
            support[0] >= needs[0]
            and support[1] >= needs[1]
            and support[2] >= needs[2]
            and support[3] >= needs[3]
        )

    def __str__(self) -> str:
        """Return the letters of the dots."""
        return "".join(self.dots)


@dataclass(frozen=True)
class Tile:
    """A tile, named by its code as in records: `B4c`."""

    code: str
    colour: Colour
    cost: int
    goals: tuple[Goal, ...]

    @cached_property
    def colour_index(self) -> int:
        """The place of the tile's colour in `COLOURS`, and so in supports and needs."""
        return COLOURS.index(self.colour)

    def __hash__(self) -> int:
        """Hash by the code, which names the tile."""
        return hash(self.code)

    def __str__(self) -> str:
        """Return the code."""
        return self.code


def _read_tiles() -> dict[str, Tile]:
    text = resources.files(__package__).joinpath("tiles.csv").read_text(encoding="utf-8")
    return {
        row["code"]: Tile(
            code=row["code"],
            colour=Colour[row["color"].upper()],
            cost=int(row["cost"]),
            goals=tuple(Goal.parse(letters) for letters in row["goals"].split()),
        )
        for row in csv.DictReader(text.splitlines())
    }


TILES: Mapping[str, Tile] = MappingProxyType(_read_tiles())
