"""The parts of a position or of rules, as the words of a title describe them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Table:
    """Rows of short texts below the names of their columns. The first text of a row is its name."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def lines(self) -> list[str]:
        """The rows as lines of plain text, without empty cells. The column of a name is only before a number.

        >>> Table(("Round", "Bonus", "You", "Noor"), (("1", "5", "7", ""),)).lines
        ['Round 1: Bonus 5, You 7']
        >>> Table(("Player", "Points"), (("Noor", "7"),)).lines
        ['Noor: Points 7']
        """
        named = (
            [" ".join(filter(None, pair)) for pair in zip(self.columns, row, strict=True) if pair[1]]
            for row in self.rows
        )
        lines = zip(self.rows, named, strict=True)
        return [
            ": ".join(filter(None, [first if row[0].isdigit() else row[0], ", ".join(others)]))
            for row, (first, *others) in lines
        ]


@dataclass(frozen=True)
class Section:
    """A part with a heading, such as "Your hand", "On the table" or "Rounds so far".

    It shows sentences (`lines`), then short things in a row (`items`), such as the cards of a hand, then a
    table. A part without any of them is not shown.

    `is_later` says whether the page shows it after the actions of the viewer, where it may be long. Without
    it, the page does so with a table that is not in the first part, such as the rounds before.
    """

    heading: str
    lines: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    table: Table | None = None
    is_later: bool | None = None

    def follows_actions(self, place: int) -> bool:
        """Return whether the page shows this part, which has this place among all, after the actions."""
        return place > 0 and self.table is not None if self.is_later is None else self.is_later

    @property
    def is_empty(self) -> bool:
        """Whether the part has nothing to show."""
        return not (self.lines or self.items or (self.table and self.table.rows))
