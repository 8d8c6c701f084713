"""How several games of a person ended."""

from collections.abc import Iterable
from dataclasses import dataclass

# Games: of fewer, a score says less than the numbers beside it: one game moves it by 25 points or more.
ENOUGH = 5


@dataclass(frozen=True, kw_only=True)
class Results:
    """The numbers of games that a person has won, drawn and lost."""

    won: int
    drawn: int
    lost: int

    @property
    def played(self) -> int:
        """The number of games."""
        return self.won + self.drawn + self.lost

    @property
    def points(self) -> float:
        """One for a win, and half of one for a draw."""
        return self.won + self.drawn / 2

    @property
    def share(self) -> float:
        """The share of the points that one could have, from 0 to 1."""
        return self.points / self.played

    @property
    def percent(self) -> int:
        """The share of points in per cent."""
        return self._share(self.points)

    @property
    def won_percent(self) -> int:
        """The share of wins: where the part of draws in a bar begins."""
        return self._share(self.won)

    @property
    def unlost_percent(self) -> int:
        """The share of wins and draws: where the part of losses in a bar begins."""
        return self._share(self.won + self.drawn)

    def _share(self, points: float) -> int:
        return round(100 * points / self.played)


@dataclass(frozen=True, kw_only=True)
class ResultsRow(Results):
    """The games of one kind, and how they ended.

    `even` is the share in per cent that somebody as strong as the others gets on average.
    """

    label: str
    even: int

    @property
    def has_score(self) -> bool:
        """Whether there are enough games for a score, and a bar of it with the mark of an even share."""
        return self.played >= ENOUGH


def have_bars(rows: Iterable[ResultsRow]) -> bool:
    """Return whether a table of these rows has a bar, whose mark a page has to explain."""
    return any(row.has_score for row in rows)
