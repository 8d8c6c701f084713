"""Checks of what is stored: deals, options, actions and records as JSON, and what a log leads to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from games.titles.actions import Cancel, Resign
from games.titles.records import positions
from games.titles.rules import IllegalAction, Setup, UnknownRules
from games.titles.testing.legality import STRANGE, mutations
from games.titles.testing.playouts import Finding, Game, same_json

SEEDS = 32  # even if a title has only two deals, so many are almost never all the same


def deals(game: Game) -> Iterator[Finding]:
    """A deal is JSON and follows from the seed. Deals differ, unless they are empty."""
    rules, setup, rng = game.rules, game.setup, game.rng("deals")
    if same_json(dict(setup.dealt)) != dict(setup.dealt):
        yield 0, "The deal is not the same after it was stored as JSON."
    seeds = [rng.randbytes(32) for _ in range(SEEDS)]
    first, again = ([rules.deal(seed, game.seats, setup.options) for seed in seeds] for _ in range(2))
    if first != again:
        yield 0, "Two deals from the same seed differ."
    if first[0] and first.count(first[0]) == len(first):
        yield 0, f"Deals from {SEEDS} seeds are the same. A title without chance has empty deals."


def options(game: Game) -> Iterator[Finding]:
    """Options are JSON, and checking them twice changes nothing. Strange values raise ValueError."""
    checked = dict(game.setup.options)
    if same_json(checked) != checked:
        yield 0, "The options are not the same after they were stored as JSON."
    if dict(game.rules.checked_options(checked, game.seats)) != checked:
        yield 0, "checked_options changes options that it has returned."
    for key in checked:
        for value in STRANGE:
            try:
                again = dict(game.rules.checked_options({**checked, key: value}, game.seats))
                same_json(again)
            except ValueError:
                continue
            except Exception as error:
                yield 0, f"checked_options raises {error!r} for {key}={value!r} instead of ValueError."


def versions(game: Game) -> Iterator[Finding]:
    """Versions are positive numbers; others raise UnknownRules."""
    known = game.rules.versions
    if not known or any(type(version) is not int or version < 1 for version in known):
        yield 0, f"The versions {list(known)} are not numbers from 1."
    if game.rules.version not in known:
        yield 0, f"New games start under version {game.rules.version}, which versions does not have."
    for version in (None, max(known) + 1, 0, -1):
        try:
            game.rules.start(game.setup, version)
        except UnknownRules:
            continue
        except Exception as error:
            yield 0, f"start raises {error!r} for version {version} instead of UnknownRules."
        else:
            yield 0, f"start accepts version {version}, which versions does not have."


def actions_as_json(game: Game) -> Iterator[Finding]:
    """An action is the same after it was stored as JSON, with the keys "seat" and "do"."""
    rng = game.rng("actions")
    found = dict.fromkeys((*game.actions(), Resign(0), Resign(0, ""), Resign(0, "absent"), Cancel()))
    for number in game.running(rng, 5):
        position = game.positions[number]
        for seat in position.awaited:
            found.update(dict.fromkeys(list(position.legal(seat))[:50]))
    for action in found:
        value = same_json(game.rules.action_to_json(action))
        if not isinstance(value.get("do"), str) or value.get("seat") != action.seat:
            yield 0, f'{action!r} has no "do" or another "seat" as JSON: {value}.'
        read = game.rules.action_from_json(value)
        if read != action or type(read) is not type(action) or hash(read) != hash(action):
            yield 0, f"{action!r} is {read!r} after it was stored as JSON."


def strange_actions(game: Game) -> Iterator[Finding]:
    """Reading what is no action raises IllegalAction, and nothing else."""
    rng = game.rng("strange")
    for action in rng.sample(game.actions(), min(20, len(game.steps))):
        for value in mutations(same_json(game.rules.action_to_json(action)), rng):
            try:
                read = game.rules.action_from_json(value)
            except IllegalAction:
                continue
            except Exception as error:
                yield 0, f"action_from_json raises {error!r} for {value} instead of IllegalAction."
                continue
            again = game.rules.action_from_json(same_json(game.rules.action_to_json(read)))
            if again != read:
                yield 0, f"{value} is read as {read!r}, which is {again!r} after it was stored as JSON."


def logs_replay(game: Game) -> Iterator[Finding]:
    """The same log, read from JSON, leads to the same positions; so does each action, applied again."""
    setup = Setup(game.seats, same_json(dict(game.setup.options)), same_json(dict(game.setup.dealt)))
    position = game.rules.start(setup, game.version)
    for number, (step, old) in enumerate(zip(game.steps, game.positions, strict=False)):
        if position != old or repr(position) != game.reprs[number]:
            yield number, "The same log leads to another position."
            return
        if old.apply(step.action) != step:
            yield number, f"{step.action!r} leads to another step when it is applied again."
        action = game.rules.action_from_json(same_json(game.rules.action_to_json(step.action)))
        position = position.apply(action).position
    if position != game.positions[len(game.steps)]:
        yield len(game.steps), "The same log leads to another last position."


def records(game: Game) -> Iterator[Finding]:
    """A record is JSON, one of its lists has the actions in order, and it can be read again."""
    record = same_json(game.rules.write_record(game.setup, iter(game.actions())))
    if not isinstance(record, dict):
        yield 0, "The record is not a JSON object."
    actions = [same_json(game.rules.action_to_json(action)) for action in game.actions()]
    if not any(_has(found, actions) for found in _lists(record)):
        yield len(game.steps), "No list of the record has the actions in order."
        return
    read = [*positions(game.rules, {**record, "rules_version": game.version})]
    if read != list(game.positions[: len(game.steps) + 1]):
        yield len(game.steps), "The record leads to other positions when it is read."
    for position in (read[0], read[-1]):
        same_json(game.rules.state(position))


def _lists(value: Any) -> Iterator[list[Any]]:
    if isinstance(value, list):
        yield value
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for part in parts:
        yield from _lists(part)


def _has(found: list[Any], actions: list[Any]) -> bool:
    return len(found) == len(actions) and all(
        isinstance(entry, dict) and {**entry, **action} == entry
        for entry, action in zip(found, actions, strict=True)
    )
