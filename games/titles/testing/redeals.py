"""Checks of what a seat sees, with deals that the author of a title has changed.

The other checks of secrets trust `guess`: they cannot find a secret that a view shows and `guess` keeps.
These need one more function about the title, which nothing but its tests uses.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from games.titles.rules import IllegalAction, Setup
from games.titles.testing.playouts import Finding, Game
from games.titles.testing.views import name_of, viewers


def redeals_hide(game: Game) -> Iterator[Finding]:
    """After a log on a changed deal, a viewer sees the same position, and has seen the same steps."""
    if game.redeal is None:
        return
    rng = game.rng("redeals")
    has_changed = False
    for number in game.running(rng, 3):
        for viewer in viewers(game) if game.rules.has_hands else (None,):
            dealt = game.redeal(game.setup, game.positions[number], viewer, rng)
            has_changed = has_changed or dealt != game.setup.dealt
            seen: list[Any] = [game.positions[0].seen_by(viewer)]
            seen += [step.seen_by(viewer) for step in game.steps[:number]]
            try:
                changed = _seen_with(game, dealt, number, viewer)
            except IllegalAction as error:
                yield number, f"A deal that was changed for {name_of(viewer)} does not fit the log: {error}"
                continue
            if seen != changed or repr(seen[-1]) != repr(changed[-1]):
                first = next((i for i, value in enumerate(seen) if value != changed[i]), number)
                yield (
                    first,
                    f"seen_by({viewer}) shows a part of the deal that {name_of(viewer)} may not know.",
                )
    if not has_changed:
        yield 0, "The deal was never changed, so nothing was proved."


def _seen_with(game: Game, dealt: Any, number: int, viewer: int | None) -> list[Any]:
    """Return what a viewer sees at the start of a game with another deal, and of each step."""
    setup = Setup(game.seats, game.setup.options, dealt)
    position = game.rules.start(setup, game.version)
    seen: list[Any] = [position.seen_by(viewer)]
    for action in game.actions()[:number]:
        step = position.apply(action)
        seen.append(step.seen_by(viewer))
        position = step.position
    return seen
