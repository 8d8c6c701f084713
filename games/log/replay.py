"""Replays the log of a game through the engine."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from games.log.deals import setup_of
from games.models import Action, Game
from games.novaluna.engine import Position, Setup, Step, action_from_json, rules

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
    """The longest log of a game that this process has replayed last, without undrawn tiles."""

    log: Log | None = None


@lru_cache(maxsize=KEPT_LOGS)
def _kept(_key: str) -> Kept:
    return Kept()


def public_log(game: Game) -> Log:
    """Return the whole log without undrawn tiles in its positions, for pages, mails and bots.

    Replays only the actions after those of the kept log. Its steps count as far as their actions are in the
    log now, so it may hold actions of a transaction that failed. Raises UnknownRules for a log that needs a
    version of the rules that this program does not have.
    """
    setup, game_rules = setup_of(game), rules(game.rules_version)
    payloads = Action.objects.filter(game=game).order_by("number").values_list("payload", flat=True)
    actions = [action_from_json(payload) for payload in payloads]
    kept = _kept(game.key)
    log = kept.log
    if log is None or not _is_of(log, setup):
        log = Log(game_rules.start(setup).public(), ())
    count = _count_equal(log, actions)
    if count == len(actions):
        return log if count == len(log.steps) else Log(log.start, log.steps[:count])
    steps = game_rules.resume(_with_deck(log.at(count), setup), actions[count:])
    public_steps = (step._replace(position=step.position.public()) for step in steps)
    kept.log = log = Log(log.start, (*log.steps[:count], *public_steps))
    return log


def secret_log(game: Game) -> Log:
    """Return the whole log with the real deck. Only services may use these positions.

    They contain the draw pile, which is secret. Raises UnknownRules as `public_log` does.
    """
    log, setup = public_log(game), setup_of(game)
    steps = (step._replace(position=_with_deck(step.position, setup)) for step in log.steps)
    return Log(_with_deck(log.start, setup), tuple(steps))


def secret_position(game: Game) -> Position:
    """Return the newest position with the real deck, which is secret, as in `secret_log`."""
    return _with_deck(public_log(game).position, setup_of(game))


def _is_of(log: Log, setup: Setup) -> bool:
    """Return whether the log is of a game with this setup, as far as its tiles are drawn."""
    newest = log.position
    return newest.setup == _with_deck(newest, setup).public().setup


def _count_equal(log: Log, actions: Sequence[object]) -> int:
    """Return with how many of these actions the log begins."""
    pairs = enumerate(zip(log.steps, actions, strict=False))
    different = (number for number, (step, action) in pairs if step.action != action)
    return next(different, min(len(log.steps), len(actions)))


def _with_deck(position: Position, setup: Setup) -> Position:
    return replace(position, setup=setup)
