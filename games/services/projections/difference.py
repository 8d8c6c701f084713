"""A projection that is wrong."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Model


@dataclass(frozen=True)
class Difference:
    """A stored value that differs from the value that the log gives."""

    where: str
    field: str
    stored: object
    derived: object

    def __str__(self) -> str:
        return f"{self.where}: {self.field} is {self.stored!r}, but the log gives {self.derived!r}"


def compare(
    where: str, stored: Model | None, derived: Model | None, fields: Sequence[str]
) -> list[Difference]:
    """Return the fields in which a stored row differs from what the log gives; a row may be missing."""
    pairs = [(field, getattr(stored, field, None), getattr(derived, field, None)) for field in fields]
    return [Difference(where, field, before, after) for field, before, after in pairs if before != after]
