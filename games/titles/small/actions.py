"""Actions of a small title: dataclasses, which can be written as JSON and as lines, and read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Self, get_type_hints

from games.titles.rules import IllegalAction


@dataclass(frozen=True)
class SmallAction:
    """An action of a seat. Each kind is a frozen dataclass with the name `do`, and fields for what is chosen.

    >>> @dataclass(frozen=True)
    ... class Choose(SmallAction):
    ...     do = "choose"
    ...     card: int
    >>> Choose(2, card=5).line
    'choose 5'

    `do` and the names of the fields are stored with games, so they never change. Fields are of the types
    `int`, `str` and `bool`.
    """

    do: ClassVar[str]

    seat: int

    @property
    def chosen(self) -> Mapping[str, Any]:
        """The fields without the seat, by name."""
        return {name: getattr(self, name) for name in _types_of(type(self)) if name != "seat"}

    @property
    def line(self) -> str:
        """The action as people write it in replies to emails."""
        return " ".join(map(str, (self.do, *self.chosen.values())))

    def to_json(self) -> Mapping[str, object]:
        """Return the action as JSON."""
        return {"seat": self.seat, "do": self.do, **self.chosen}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """Return the action of this kind that JSON describes. Raises IllegalAction."""
        types = _types_of(cls)
        if any(type(value.get(name)) is not expected for name, expected in types.items()):
            raise IllegalAction(f"To {cls.do}, an action needs the values {', '.join(types)}.")
        return cls(**{name: value[name] for name in types})


def _types_of(kind: type[SmallAction]) -> Mapping[str, type]:
    """Return the types of the fields of a kind of action, by name."""
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in fields(kind)}
