"""A game from its start through its log."""

from collections.abc import Iterable, Iterator

from games.engine.actions import Action, Cancel, Place, Refill, Resign, action_from_json
from games.engine.multiplayer import MultiplayerPosition
from games.engine.position import Position, Step
from games.engine.setup import Mode, Setup
from games.engine.solo import SoloPosition


def start(setup: Setup) -> Position:
    """Return the position before the first action."""
    return SoloPosition.start(setup) if setup.mode is Mode.SOLO else MultiplayerPosition.start(setup)


def replay(setup: Setup, actions: Iterable[object]) -> Iterator[Step]:
    """Yield the step of each action, given as a value or in the record format's JSON form, in order.

    Raises IllegalAction at the first action that the rules do not allow.
    """
    position = start(setup)
    for value in actions:
        action: Action = (
            value if isinstance(value, Place | Refill | Resign | Cancel) else action_from_json(value)
        )
        step = position.apply(action)
        position = step.position
        yield step
