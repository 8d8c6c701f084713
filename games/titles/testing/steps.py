"""Checks of what a seat sees of an action."""

from __future__ import annotations

from collections.abc import Iterator

from games.titles.actions import TakeBack
from games.titles.rules import AnyPosition, AnyStep
from games.titles.testing.playouts import Finding, Game
from games.titles.testing.views import name_of, viewers, worlds

ALTERNATIVES = 6  # other actions of a seat that are compared with the one that it made


def steps_fit_their_positions(game: Game) -> Iterator[Finding]:
    """The view of a step has the view of its position, the seat that acted, and never another action.

    The seat that acted sees its action. A spectator sees no action that a seat does not see.
    """
    for number in game.sampled(game.rng("step views"), 12):
        if not number:
            continue
        step = game.steps[number - 1]
        shown = {viewer: step.seen_by(viewer) for viewer in viewers(game)}
        for viewer, view in shown.items():
            start = f"The step seen by {name_of(viewer)}"
            if view.position != step.position.seen_by(viewer):
                yield number, f"{start} has another position than position.seen_by({viewer})."
            if view.seat != step.seat:
                yield number, f"{start} has the seat {view.seat} instead of {step.seat}."
            if view.action not in (None, step.action):
                yield number, f"{start} has another action: {view.action!r} instead of {step.action!r}."
            if view.seen_by(viewer) != view:
                yield number, f"{start} changes when seen_by({viewer}) is called again."
            if view.action is None and None not in (viewer, shown[None].action):
                yield number, f"{start} hides {step.action!r}, which a spectator sees."
        if step.seat is not None and shown[step.seat].action != step.action:
            yield number, f"Seat {step.seat} does not see its own action {step.action!r}."


def steps_go_back(game: Game) -> Iterator[Finding]:
    """The step of a take-back has the position of then, no events, and nothing to hide."""
    for number in game.sampled(game.rng("take-backs"), 6):
        before, seat = game.positions[number], game.rng(f"taker {number}").randrange(game.seats)
        action = TakeBack(seat, number)
        step = game.rules.step_back(action, before)
        for viewer in viewers(game):
            view = step.seen_by(viewer)
            if (view.action, view.seat, view.events) != (action, seat, ()):
                yield number, f"step_back({action!r}) has another action, seat or events: {view!r}."
            if view.position != before.seen_by(viewer):
                yield number, f"step_back({action!r}) has another position than the one of then."


def steps_hide(game: Game) -> Iterator[Finding]:
    """A step shows a viewer no more than the position after it.

    Compared are steps after which this viewer sees the same position: the same action where something
    else is hidden, and another action that leads to something else that is hidden.
    """
    rng = game.rng("steps")
    for number in game.running(rng, 12):
        if number == len(game.steps):
            continue
        before, action = game.positions[number], game.actions()[number]
        listed = () if action.seat is None else before.legal(action.seat)
        others = [other for other in listed if other != action]
        rivals = rng.sample(others, min(ALTERNATIVES, len(others)))
        for viewer in viewers(game):
            step = before.apply(action)
            for other in rivals:
                yield from _differences(step, before.apply(other), viewer, number + 1)
            for world in _worlds_of(game, number, viewer):
                if world.is_legal(action):
                    yield from _differences(step, world.apply(action), viewer, number + 1)


def _worlds_of(game: Game, number: int, viewer: int | None) -> Iterator[AnyPosition]:
    """Yield positions that fit what a viewer knows: a spectator knows no more than any seat."""
    for seat in range(game.seats) if viewer is None else (viewer,):
        yield from worlds(game, number, seat)


def _differences(step: AnyStep, other: AnyStep, viewer: int | None, number: int) -> Iterator[Finding]:
    own, changed = step.seen_by(viewer), other.seen_by(viewer)
    is_hidden = own.position == changed.position and step.position != other.position
    if not is_hidden:
        return
    start = f"The step seen by {name_of(viewer)}"
    if own.action != changed.action:
        actions = f"the action {own.action!r} or {changed.action!r}"
        yield number, f"{start} shows {actions}, though the position hides which it was."
    elif own != changed or repr(own.events) != repr(changed.events):
        yield number, f"{start} differs with what is hidden: {own.events} or {changed.events}."
