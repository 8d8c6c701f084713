"""Replays the log of a game through the rules of its title."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from games.log.deals import setup_of
from games.models import Action, Game
from games.titles.registry import title_named
from games.titles.rules import AnyOpenPosition, AnyPosition, AnyRules, AnyStep, Setup

if TYPE_CHECKING:
    # Until all rooms work through the contract, most callers know which title they replay.
    from games.novaluna.engine import Position, Step

KEPT_LOGS = 64  # in each process; after 60 actions, a log has 0.3 MB


@dataclass(frozen=True)
class Log:
    """A game from its start to now: `steps[n - 1]` is the step of action number n."""

    start: Position
    steps: tuple[Step, ...]

    @property
    def position(self) -> Position:
        return self.at(len(self.steps))

    def at(self, number: int) -> Position:
        """Return the position after action `number`; 0 is the start."""
        return self.steps[number - 1].position if number else self.start


class Kept:
    """What each seat sees of the log of a game that this process has replayed last. It holds no secrets.

    `beginning` and `actions` are hashes of what was replayed, which show nothing of it.
    """

    def __init__(self) -> None:
        self.beginning: int | None = None
        self.actions: int | None = None
        self.views: dict[int | None, Log] = {}


@lru_cache(maxsize=KEPT_LOGS)
def _kept(_key: str) -> Kept:
    return Kept()


def public_log(game: Game, seat: int | None = None) -> Log:
    """Return the whole log as a seat may know it, for pages, mails and bots; without one, as a spectator may.

    Its steps count as far as their actions are in the log now, so a process may keep actions of a transaction
    that failed. Raises UnknownRules for a log that needs a title, or a version of its rules, that this
    program does not have.
    """
    rules, setup = title_named(game.title).rules, setup_of(game)
    actions, kept = _actions(game, rules), _kept(game.key)
    digest = hash(str((game.title, game.rules_version, setup.seats, setup.options, setup.dealt)))
    if kept.beginning != digest:
        kept.beginning, kept.actions, kept.views = digest, None, {}
    if rules.has_hands:
        return _view_of_hand(kept, game, rules, actions, seat)
    return _common_view(kept, game, rules, actions)


def secret_log(game: Game) -> Log:
    """Return the whole log with all its secrets. Only services may use these positions.

    Raises UnknownRules as `public_log` does.
    """
    rules = title_named(game.title).rules
    start = rules.start(setup_of(game), game.rules_version)
    return _log(start, _resume(start, _actions(game, rules)))


def secret_position(game: Game) -> Position:
    """Return the newest position with its secrets, as in `secret_log`."""
    rules = title_named(game.title).rules
    if rules.has_hands:
        return secret_log(game).position
    return cast("Position", _with_deal(public_log(game).position, setup_of(game)))


def _view_of_hand(
    kept: Kept, game: Game, rules: AnyRules, actions: Sequence[object], seat: int | None
) -> Log:
    """Return what a seat sees of the log. Each new action costs a whole replay, because hands are secret."""
    digest = hash(tuple(actions))
    if kept.actions != digest:
        kept.actions, kept.views = digest, {}
    if seat not in kept.views:
        start = rules.start(setup_of(game), game.rules_version)
        steps = (step.seen_by(seat) for step in _resume(start, actions))
        kept.views[seat] = _log(start.seen_by(seat), steps)
    return kept.views[seat]


def _common_view(kept: Kept, game: Game, rules: AnyRules, actions: Sequence[object]) -> Log:
    """Return what everybody sees of the log, by a replay of the actions after those of the kept view."""
    if None not in kept.views:
        kept.views[None] = _log(rules.start(setup_of(game), game.rules_version).seen_by(None), ())
    log = kept.views[None]
    count = _count_equal(log, actions)
    if count == len(actions):
        return log if count == len(log.steps) else Log(log.start, log.steps[:count])
    steps = _resume(_with_deal(log.at(count), setup_of(game)), actions[count:])
    new = (step.seen_by(None) for step in steps)
    log = kept.views[None] = _log(log.start, (*log.steps[:count], *new))
    return log


def _actions(game: Game, rules: AnyRules) -> list[object]:
    payloads = Action.objects.filter(game=game).order_by("number").values_list("payload", flat=True)
    return [rules.action_from_json(payload) for payload in payloads]


def _resume(position: AnyPosition, actions: Sequence[object]) -> Iterator[AnyStep]:
    """Yield the step of each action from a position. Raises IllegalAction at the first illegal action."""
    for action in actions:
        step = position.apply(action)
        position = step.position
        yield step


def _with_deal(position: AnyPosition, setup: Setup) -> AnyPosition:
    """Return a position that everybody sees with the secrets of its deal."""
    return cast("AnyOpenPosition", position).with_deal(setup.dealt)


def _log(start: AnyPosition, steps: Iterable[AnyStep]) -> Log:
    return Log(cast("Position", start), tuple(cast("Iterable[Step]", steps)))


def _count_equal(log: Log, actions: Sequence[object]) -> int:
    """Return with how many of these actions the log begins."""
    pairs = enumerate(zip(log.steps, actions, strict=False))
    different = (number for number, (step, action) in pairs if step.action != action)
    return next(different, min(len(log.steps), len(actions)))
