"""The versions of the rules: each starts games and replays their logs.

A log always replays under the version under which it was written. A change that alters the replay of any log
needs a new version, and the old version stays.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from games.novaluna.engine.actions import Action, Place, Refill, action_from_json
from games.novaluna.engine.errors import UnknownRules
from games.novaluna.engine.multiplayer import MultiplayerPosition
from games.novaluna.engine.position import Position, Step
from games.novaluna.engine.setup import Mode, Setup
from games.novaluna.engine.solo import SoloPosition
from games.titles.actions import Cancel, Resign

RULES_VERSION = 1  # the version of new games


def start(setup: Setup) -> Position:
    """Return the position before the first action."""
    return SoloPosition.start(setup) if setup.mode is Mode.SOLO else MultiplayerPosition.start(setup)


def replay(setup: Setup, actions: Iterable[object]) -> Iterator[Step]:
    """Yield the step of each action from the start. Takes and raises what `resume` does."""
    return resume(start(setup), actions)


def resume(position: Position, actions: Iterable[object]) -> Iterator[Step]:
    """Yield the step of each action from a position. An action may be a value or JSON of the record format.

    Raises IllegalAction at the first illegal action.
    """
    for value in actions:
        action: Action = (
            value if isinstance(value, Place | Refill | Resign | Cancel) else action_from_json(value)
        )
        step = position.apply(action)
        position = step.position
        yield step


class Rules(NamedTuple):
    """One version of the rules: its functions `start`, `replay` and `resume`."""

    start: Callable[[Setup], Position]
    replay: Callable[[Setup, Iterable[object]], Iterator[Step]]
    resume: Callable[[Position, Iterable[object]], Iterator[Step]]


RULES: Mapping[int, Rules] = {1: Rules(start, replay, resume)}


def rules(version: int | None) -> Rules:
    """Return the rules of a version. A game that has not started has the version None.

    Raises UnknownRules for None and for a version that this program does not have.

    >>> rules(1).start is start
    True
    >>> rules(2)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    games.novaluna.engine.errors.UnknownRules: This game needs version 2 of the rules. This program has ...
    """
    versions = ", ".join(map(str, RULES))
    if version is None:
        raise UnknownRules(f"This game has no version of the rules. This program has only: {versions}.")
    if version not in RULES:
        raise UnknownRules(
            f"This game needs version {version} of the rules. This program has only: {versions}."
        )
    return RULES[version]
