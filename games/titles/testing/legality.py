"""Checks of which actions are legal, and how a game ends."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from games.titles.actions import Cancel, Resign
from games.titles.rules import AnyPosition, IllegalAction
from games.titles.testing.playouts import Finding, Game, is_house_action, play_game, same_json

STRANGE: tuple[object, ...] = (None, True, False, -1, 0, 1, 99, 10**30, 0.5, "", "x", [], {}, [0], {"a": 1})


def games_end(game: Game) -> Iterator[Finding]:
    """Random games end, without a dead end."""
    if game.dead_end:
        yield len(game.steps), game.dead_end


def awaited_until_the_end(game: Game) -> Iterator[Finding]:
    """Seats are awaited if and only if the game runs, and each of them can act."""
    for number, position in enumerate(game.positions):
        if not isinstance(position.awaited, frozenset):
            yield number, f"awaited is a {type(position.awaited).__name__}, not a frozenset."
        if bool(position.awaited) == (position.ending is not None):
            yield number, f"awaited is {set(position.awaited)}, but ending is {position.ending!r}."
        if not set(position.awaited) <= set(position.in_play) <= set(range(position.seats)):
            yield number, f"awaited {set(position.awaited)} is not part of in_play {set(position.in_play)}."
        for seat in range(position.seats):
            if bool(len(position.legal(seat))) != (seat in position.awaited):
                text = "an awaited" if seat in position.awaited else "an unawaited"
                yield number, f"Seat {seat}, {text} one, has {len(position.legal(seat))} legal actions."


def legal_actions_apply(game: Game) -> Iterator[Finding]:
    """`legal` lists distinct actions of the seat, in the same order each time, and all of them apply."""
    rng = game.rng("legal")
    for number in game.running(rng, 8):
        position = game.positions[number]
        for seat in position.awaited:
            actions = list(position.legal(seat))
            if actions != list(position.legal(seat)) or len(actions) != len(position.legal(seat)):
                yield number, f"legal({seat}) has another order or length when it is asked again."
            if len(set(actions)) != len(actions):
                yield number, f"legal({seat}) lists an action twice."
            for action in rng.sample(actions, min(30, len(actions))):
                if action.seat != seat or is_house_action(action) or action not in position.legal(seat):
                    yield number, f"legal({seat}) lists {action!r}, which does not belong there."
                if not position.is_legal(action):
                    yield number, f"legal({seat}) lists {action!r}, but is_legal denies it."
                yield from _applies(position, action, number)


def illegal_actions_are_refused(game: Game) -> Iterator[Finding]:
    """Actions of other moments and seats, and changed ones, are legal only if `legal` lists them.

    What is illegal raises IllegalAction, and nothing else, and changes nothing.
    """
    rng = game.rng("illegal")
    pool = pool_of(game, rng)
    for number in game.sampled(rng, 8):
        position = game.positions[number]
        before = repr(position)
        for action in rng.sample(pool, min(40, len(pool))):
            is_legal = position.is_legal(action)
            if not is_house_action(action):
                seat = action.seat
                listed = seat in position.awaited and action in list(position.legal(seat))
                if listed != is_legal:
                    yield number, f"is_legal({action!r}) is {is_legal}, but legal({seat}) says {listed}."
            if is_legal:
                yield from _applies(position, action, number)
            else:
                yield from _is_refused(position, action, number)
        if repr(position) != before:
            yield number, "Asking for illegal actions has changed the position."


def house_actions(game: Game) -> Iterator[Finding]:
    """Each seat in play can resign, and all can cancel, while the game runs; then never."""
    for number in game.sampled(game.rng("house"), 8):
        position = game.positions[number]
        runs = position.ending is None
        for seat in range(-1, position.seats + 1):
            resign = Resign(seat, "time")
            expected = runs and seat in position.in_play
            if position.is_legal(resign) != expected:
                yield number, f"is_legal({resign!r}) is not {expected}."
            elif not expected:
                yield from _is_refused(position, resign, number)
            else:
                after = position.apply(resign).position
                if seat in after.awaited or (after.ending is None and seat in after.in_play):
                    yield number, f"Seat {seat} has resigned, but is still in play."
                if after.ending not in (None, "left"):
                    yield number, f"After a resign, ending is {after.ending!r} instead of 'left'."
        if position.is_legal(Cancel()) != runs:
            yield number, f"is_legal(Cancel()) is not {runs}."
        elif not runs:
            yield from _is_refused(position, Cancel(), number)
        else:
            step = position.apply(Cancel())
            if (step.position.ending, tuple(step.position.places), step.seat) != ("cancelled", (), None):
                yield number, "After a cancel, ending is not 'cancelled', or there are places or a seat."


def forced_actions(game: Game) -> Iterator[Finding]:
    """`forced` is the only legal action of a seat, else None."""
    for number, position in enumerate(game.positions):
        for seat in range(position.seats):
            actions = position.legal(seat)
            only = next(iter(actions)) if len(actions) == 1 else None
            if position.forced(seat) != only:
                yield number, f"forced({seat}) is {position.forced(seat)!r} instead of {only!r}."


def mutations(value: dict[str, Any], rng: Random) -> Iterator[object]:
    """Yield JSON values that are nearly an action."""
    for key in value:
        yield {other: value[other] for other in value if other != key}
        yield {**value, key: rng.choice(STRANGE)}
        yield {**value, key: rng.choice(STRANGE)}
    yield {**value, "unknown": 1}
    yield rng.choice(STRANGE)


def pool_of(game: Game, rng: Random) -> list[Any]:
    """Return actions of this game and another one, also by other seats, and what changed JSON is read as."""
    other = play_game(game.rules, seed=game.seed + 1, number=game.number, seats=game.seats, longest=100)
    pool = dict.fromkeys((*game.actions(), *other.actions()))
    for number in game.running(rng, 8):
        position = game.positions[number]
        for seat in position.awaited:
            actions = list(position.legal(seat))
            pool.update(dict.fromkeys(rng.sample(actions, min(10, len(actions)))))
    for action in list(pool):
        value = same_json(game.rules.action_to_json(action))
        others = [{**value, "seat": seat} for seat in range(-1, game.seats + 1)]
        for changed in (*others, *mutations(value, rng)):
            try:
                pool.setdefault(game.rules.action_from_json(changed))
            except IllegalAction:
                continue
    return list(pool)


def _applies(position: AnyPosition, action: Any, number: int) -> Iterator[Finding]:
    try:
        step = position.apply(action)
    except Exception as error:
        yield number, f"{action!r} is legal, but apply raises {error!r}."
        return
    if step.action != action or step.seat != action.seat:
        yield number, f"The step of {action!r} has the action {step.action!r} of seat {step.seat}."


def _is_refused(position: AnyPosition, action: Any, number: int) -> Iterator[Finding]:
    try:
        position.apply(action)
    except IllegalAction:
        return
    except Exception as error:
        yield number, f"{action!r} is illegal, but apply raises {error!r} instead of IllegalAction."
    else:
        yield number, f"{action!r} is illegal by is_legal, but apply accepts it."
