"""The 68 tiles. Each has a colour, a time cost and up to three goals."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from importlib import resources
from types import MappingProxyType


class Colour(StrEnum):
    """The colour of a tile. Its value is the letter of the colour in goals."""

    BLUE = "B"
    RED = "R"
    TURQUOISE = "T"
    YELLOW = "Y"

    @property
    def word(self) -> str:
        """The English word for the colour, which style sheets use: `blue`."""
        return self.name.lower()


COLOURS = tuple(Colour)


@dataclass(frozen=True)
class Goal:
    """A goal of a tile: one to four coloured dots, each of which needs a tile of its colour.

    >>> Goal.parse("BBR").needs
    (2, 1, 0, 0)
    """

    dots: tuple[Colour, ...]

    @classmethod
    def parse(cls, letters: str) -> "Goal":
        """Return the goal with the dots of these letters."""
        return cls(tuple(Colour(letter) for letter in letters))

    @cached_property
    def needs(self) -> tuple[int, int, int, int]:
        """The number of tiles of each colour that the goal needs, in the order of `Colour`."""
        blue, red, turquoise, yellow = (self.dots.count(colour) for colour in COLOURS)
        return blue, red, turquoise, yellow

    def is_fulfilled_by(self, support: tuple[int, int, int, int]) -> bool:
        """Whether `support`, the number of tiles of each colour, is enough for the goal."""
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
    """A tile. `code` is its name in records, such as `B4c`."""

    code: str
    colour: Colour
    cost: int
    goals: tuple[Goal, ...]

    @cached_property
    def colour_index(self) -> int:
        """The index of the colour in `COLOURS`, in every support and in `Goal.needs`."""
        return COLOURS.index(self.colour)

    def __hash__(self) -> int:
        """Return the hash of the code: codes are unique, and a hash of all fields would be slower."""
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
