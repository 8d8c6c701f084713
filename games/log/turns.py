"""Turns: since which action each seat is awaited (`Seat.awaited_since`).

A turn of a seat begins when it becomes awaited, and ends when it no longer is. Several actions in a row are
one turn, and what others do meanwhile does not change it. Only if an action of a seat begins the turns of
others while the seat itself stays awaited, a new turn begins for it as well: all choose again. So do all whom
the game awaits after a take-back.
"""

from collections.abc import Collection, Iterable, Mapping
from functools import reduce

from games.log.replay import Log, secret_log
from games.models import Game, Seat
from games.titles.actions import TakeBack
from games.titles.rules import AnyPosition, AnyStep


def begun_by(before: Collection[int], step: AnyStep) -> frozenset[int]:
    """Return the seats whose turn begins with a step; `before` are those that were awaited until then."""
    awaited = step.position.awaited
    if isinstance(step.action, TakeBack):
        return awaited
    new = awaited.difference(before)
    return new | (awaited & {step.seat}) if new else new


def turns_at_start(position: AnyPosition) -> dict[int, int]:
    """Return the awaited seats at the start of a game, each with 0."""
    return dict.fromkeys(position.awaited, 0)


def turns_after(turns: Mapping[int, int], step: AnyStep, number: int) -> dict[int, int]:
    """Return the awaited seats after action `number`, each with the number of the action that began its turn.

    `turns` are those before it.

    >>> from types import SimpleNamespace as Values
    >>> step = Values(seat=1, action=None, position=Values(awaited=frozenset({1, 2})))
    >>> turns_after({1: 3, 2: 0}, step, 4) == {1: 3, 2: 0}  # It was no turn of anybody else.
    True
    >>> turns_after({1: 3}, step, 4) == {1: 4, 2: 4}  # All choose again.
    True
    """
    begun = begun_by(turns.keys(), step)
    return {seat: number if seat in begun else turns[seat] for seat in step.position.awaited}


def turns_of(log: Log) -> Mapping[int, int]:
    """Return the turns after the last action of a log."""
    steps = enumerate(log.steps, 1)
    start = turns_at_start(log.start)
    return reduce(lambda turns, numbered: turns_after(turns, numbered[1], numbered[0]), steps, start)


def turns_with(game: Game, seats: Iterable[Seat], step: AnyStep, number: int) -> Mapping[int, int]:
    """Return the turns of a game after action `number`, which was just stored; its projections were not.

    `seats` are as they were before it.
    """
    if game.projected_version != number - 1:  # A process of the release before has played.
        return turns_of(secret_log(game))
    turns = {seat.number: seat.awaited_since for seat in seats if seat.awaited_since is not None}
    return turns_after(turns, step, number)
