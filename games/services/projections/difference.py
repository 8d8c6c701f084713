"""A projection that is wrong."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Difference:
    """A stored value that differs from the value that the log gives."""

    where: str
    field: str
    stored: object
    derived: object

    def __str__(self) -> str:
        return f"{self.where}: {self.field} is {self.stored!r}, but the log gives {self.derived!r}"
