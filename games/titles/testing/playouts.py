"""Random games, which the checks look at."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from types import MappingProxyType
from typing import Any

from games.titles.actions import Cancel, Resign
from games.titles.rules import AnyPosition, AnyRules, AnyStep, Setup

LONGEST = 2000  # actions; a random game that is longer counts as endless
NO_OPTIONS: Mapping[str, object] = MappingProxyType({})  # those of the title, by default
RESIGNING = 0.1  # the chance of a resign before each action, in each third game

# What a check finds: the number of actions before the position that it is about, and a sentence.
Finding = tuple[int, str]
Check = Callable[["Game"], Iterator[Finding]]

# Returns the deal of a game with changes that a viewer may not know at a whole position: the log up to there
# is still legal, and the viewer has seen the same. `Any` is the class of the title's positions.
Redeal = Callable[[Setup, Any, int | None, Random], Mapping[str, object]]


@dataclass
class Game:
    """A random game from the deal to its end, or to the first fault.

    `positions` are whole, from the start; `steps[i]` leads from `positions[i]` to the next. `reprs` is how
    the positions looked when they were new. `dead_end` is a sentence about why the game could not go on.
    """

    rules: AnyRules
    seed: int
    number: int
    setup: Setup
    version: int
    longest: int = LONGEST
    redeal: Redeal | None = None
    positions: list[AnyPosition] = field(default_factory=list)
    steps: list[AnyStep] = field(default_factory=list)
    reprs: list[str] = field(default_factory=list)
    dead_end: str | None = None

    @property
    def seats(self) -> int:
        """The number of seats."""
        return self.setup.seats

    def rng(self, purpose: str) -> Random:
        """Return the random numbers of a check: the same in each run."""
        return Random(f"{self.seed} {self.number} {self.seats} {purpose}")

    def sampled(self, rng: Random, count: int) -> list[int]:
        """Return the numbers of some positions: the first, the last two, and others at random."""
        last = len(self.positions) - 1
        others = rng.sample(range(last + 1), min(count, last + 1))
        return sorted({0, max(0, last - 1), last, *others})

    def running(self, rng: Random, count: int) -> list[int]:
        """Return the numbers of some positions before the end."""
        return [number for number in self.sampled(rng, count) if self.positions[number].ending is None]

    def actions(self) -> list[Any]:
        """Return the log."""
        return [step.action for step in self.steps]


def play_game(
    rules: AnyRules,
    *,
    seed: int,
    number: int,
    seats: int,
    options: Mapping[str, object] = NO_OPTIONS,
    longest: int = LONGEST,
) -> Game:
    """Return the random game with this number: seats that are awaited act in random order.

    In each third game, seats resign. The versions of the rules take turns, beginning with the newest.
    """
    rng = Random(f"{seed} {number} {seats}")
    versions = sorted(rules.versions, reverse=True)
    checked = rules.checked_options(options, seats)
    dealt = rules.deal(rng.randbytes(32), seats, checked)
    game = Game(rules, seed, number, Setup(seats, checked, dealt), versions[number % len(versions)], longest)
    _add(game, rules.start(game.setup, game.version))
    while game.dead_end is None and game.positions[-1].ending is None:
        if len(game.steps) == longest:
            game.dead_end = f"The game is not over after {longest} random actions."
        else:
            _play(game, rng)
    return game


def play_on(position: AnyPosition, rng: Random, longest: int) -> str | None:
    """Play a position to its end at random; return a sentence about what went wrong, or None."""
    for _ in range(longest):
        if position.ending is not None:
            return None
        try:
            position = position.apply(_random_action(position, rng)).position
        except Exception as error:
            return f"Random play stops with {error!r}."
    return f"The game is not over after {longest} random actions."


def same_json(value: object) -> Any:
    """Return a value as it is after it was stored as JSON. Raises ValueError or TypeError if it is none."""
    return json.loads(json.dumps(value, allow_nan=False))


def is_house_action(action: object) -> bool:
    """Return whether an action is a resign or a cancel, which `legal` does not list."""
    return isinstance(action, Resign | Cancel)


def _play(game: Game, rng: Random) -> None:
    position = game.positions[-1]
    try:
        if game.number % 3 == 2 and rng.random() < RESIGNING:
            action: Any = Resign(rng.choice(sorted(position.in_play)))
        else:
            action = _random_action(position, rng)
        step = position.apply(action)
    except Exception as error:
        game.dead_end = f"Random play stops with {error!r}."
        return
    game.steps.append(step)
    _add(game, step.position)


def _random_action(position: AnyPosition, rng: Random) -> Any:
    seats = sorted(position.awaited)
    if not seats:
        raise ValueError("nobody is awaited, but the game is not over")
    seat = rng.choice(seats)
    actions = list(position.legal(seat))
    if not actions:
        raise ValueError(f"dead end: seat {seat} is awaited, but has no legal action")
    return rng.choice(actions)


def _add(game: Game, position: AnyPosition) -> None:
    game.positions.append(position)
    game.reprs.append(repr(position))
