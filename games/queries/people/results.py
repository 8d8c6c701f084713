"""How several games of a person ended."""

from dataclasses import dataclass


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
