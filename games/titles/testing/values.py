"""Checks that positions, steps and actions are immutable values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from games.titles.testing.playouts import Finding, Game


def actions_are_hashable(game: Game) -> Iterator[Finding]:
    """Actions and events have hashes: no list, set or dict is in them."""
    for number, step in enumerate(game.steps, start=1):
        for value in (step.action, *step.events):
            try:
                hash(value)
            except TypeError as error:
                yield number, f"{value!r} is not hashable: {error}."


def values_are_frozen(game: Game) -> Iterator[Finding]:
    """No attribute of a position, a step or an action can be set."""
    for number in game.sampled(game.rng("frozen"), 3):
        found: list[Any] = [game.positions[number]]
        if number:
            found += [game.steps[number - 1], game.steps[number - 1].action]
        for value in found:
            name = next(iter(_attributes(value)), None)
            if name is None:
                continue
            try:
                setattr(value, name, getattr(value, name))
            except (AttributeError, TypeError):
                continue
            yield number, f"A {type(value).__name__} lets its {name} be set."


def positions_never_change(game: Game) -> Iterator[Finding]:
    """A position looks as it did when it was new, after all that has happened since."""
    for number, (position, old) in enumerate(zip(game.positions, game.reprs, strict=True)):
        if repr(position) != old:
            yield number, "The position has changed since it was new."


def _attributes(value: Any) -> list[str]:
    for source in ("__dataclass_fields__", "_fields", "__dict__", "__slots__"):
        names = list(getattr(value, source, ()))
        if names:
            return names
    return []
