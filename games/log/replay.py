"""Replays the log of a game through the rules of its title."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias, cast
from uuid import UUID

from accounts.database.statements import Statement
from games.log.deals import setup_of
from games.models import Action, Game
from games.titles.actions import Resign, TakeBack, entry_from_json, numbers_that_count
from games.titles.registry import title_named
from games.titles.rules import AnyOpenPosition, AnyOpenStep, AnyPosition, AnyRules, AnyStep, Setup

KEPT_LOGS = 64  # in each process; after 60 actions, a log has 0.3 MB


@dataclass(frozen=True)
class Log:
    """A game from its start to now: `steps[n - 1]` is the step of action number n."""

    start: AnyPosition
    steps: tuple[AnyStep, ...]

    @property
    def position(self) -> AnyPosition:
        return self.at(len(self.steps))

    def at(self, number: int) -> AnyPosition:
        """Return the position after action `number`; 0 is the start."""
        return self.steps[number - 1].position if number else self.start


Eye: TypeAlias = int | Literal["all hands"] | None  # a seat; None for a spectator


class KeptView(NamedTuple):
    """A log as a seat may know it and, if everybody may know them, its actions as they are stored."""

    log: Log
    payloads: Sequence[object] = ()


class Kept:
    """What each seat sees of a log that this process has replayed last, with a digest of what it replayed.

    Both are one value that is swapped as a whole, so a thread that was slower stores into views that nobody
    reads any more. No view holds what its seat may not know, and a digest shows nothing. All hands are kept
    only when everybody may see them.
    """

    state: tuple[int | None, dict[Eye, KeptView]] = None, {}

    def views(self, *replayed: object) -> dict[Eye, KeptView]:
        """Return the views of a log that begins like this, which are empty if another one was kept."""
        state, digest = self.state, hash(repr(replayed))
        if state[0] != digest:
            state = self.state = digest, {}
        return state[1]


@lru_cache(maxsize=KEPT_LOGS)
def _kept(_key: str) -> Kept:
    return Kept()


def public_log(game: Game, *, seat: int | None) -> Log:
    """Return the whole log as a seat may know it, for pages, mails and bots; for None, as a spectator may.

    Its steps count as far as their actions are in the log now, so a process may keep actions of a transaction
    that failed. Raises UnknownRules for a log that needs a title, or a version of its rules, that this
    program does not have.
    """
    rules, setup = title_named(game.title).rules, setup_of(game)
    payloads = _payloads_of(game)
    if rules.has_hands:
        views = _views_of(game, setup, payloads)
        view = views.get(seat)
        if view is None:
            # Each new action costs a whole replay, because a kept view has no hands to go on from.
            whole = _whole_log(game, setup, payloads)
            steps = (step.seen_by(seat) for step in whole.steps)
            view = views[seat] = KeptView(_log(whole.start.seen_by(seat), steps))
        return view.log
    views = _views_of(game, setup)
    view = views.get(None) or KeptView(_log(rules.start(setup, game.rules_version).seen_by(None), ()))
    log, count = view.log, _count_equal(view.payloads, payloads)
    if count < len(payloads):
        kept = Log(log.start, log.steps[:count])
        new = _resume(
            count, lambda n: _with_deal(kept.at(n), setup), _read(payloads[count:], rules, after=count), rules
        )
        log = _log(log.start, (*kept.steps, *(step.seen_by(None) for step in new)))
        views[None] = KeptView(log, payloads)
    return log if len(log.steps) == len(payloads) else Log(log.start, log.steps[: len(payloads)])


def open_positions(game: Game) -> tuple[AnyPosition, ...]:
    """Return all positions of a game with hands from the start on: everybody may see all hands by now.

    The caller has checked that the deal is revealed. Raises UnknownRules as `public_log` does.
    """
    setup, payloads = setup_of(game), _payloads_of(game)
    views = _views_of(game, setup, payloads)
    view = views.get("all hands") or KeptView(_whole_log(game, setup, payloads))
    views["all hands"] = view
    return (view.log.start, *(step.position for step in view.log.steps))


def log_as_acted(game: Game, number: int) -> Log:
    """Return the log as the seat that made action `number` sees it."""
    log = public_log(game, seat=None)
    if not title_named(game.title).rules.has_hands:
        return log
    return public_log(game, seat=log.steps[number - 1].seat)


def action_to_take_back(game: Game, log: Log, seat: int) -> int | None:
    """Return the number of the last decision of a seat that counts; None if it learned something since then.

    Nobody who has resigned since then returns by it.

    `log` is as this seat sees it. With hands, every action of others that it sees can show what they had.
    Where the house plays actions without a choice, they are no decisions.
    """
    rules = title_named(game.title).rules
    counting = numbers_that_count(step.action for step in log.steps)
    actions = (number for number in reversed(counting) if log.steps[number - 1].seat == seat)
    decisions = (
        number for number in actions if not rules.plays_forced or log.at(number - 1).forced(seat) is None
    )
    own = next(decisions, None)
    if own is None or log.at(own - 1).known != log.position.known:
        return None
    since = log.steps[own:]
    if any(isinstance(step.action, Resign) for step in since):
        return None
    others = (step for step in since if step.seat != seat)
    is_seen = rules.has_hands and any(step.action or step.events for step in others)
    return None if is_seen else own


def secret_log(game: Game) -> Log:
    """Return the whole log with all its secrets. Only services may use these positions.

    Raises UnknownRules as `public_log` does.
    """
    setup = setup_of(game)
    if title_named(game.title).rules.has_hands:
        return _whole_log(game, setup, _payloads_of(game))
    log = public_log(game, seat=None)
    steps = (cast("AnyOpenStep", step).with_deal(setup.dealt) for step in log.steps)
    return _log(_with_deal(log.start, setup), steps)


def secret_position(game: Game) -> AnyPosition:
    """Return the newest position with its secrets, as in `secret_log`."""
    if title_named(game.title).rules.has_hands:
        return secret_log(game).position
    return _with_deal(public_log(game, seat=None).position, setup_of(game))


def actions_of(game: Game, rules: AnyRules) -> Mapping[int, object]:
    """Return the actions in the log of a game by number, in their order, without those taken back."""
    entries = _read(_payloads_of(game), rules)
    return {number: entries[number - 1] for number in numbers_that_count(entries)}


def hold_log(game: Game) -> dict[UUID, object]:
    """Read the log of a game once for this object; return its actions as they are stored, by request id.

    The caller holds the lock on the game's row, and adds what it stores, so nothing else appends to it.
    """
    held: dict[UUID, object] = dict(_stored.rows(game.pk))
    game.__dict__.setdefault("_prefetched_objects_cache", {})["log"] = held
    return held


_stored = Statement(
    lambda game: Action.objects.filter(game=game).order_by("number").values_list("request_id", "payload")
)


def add_to_log(game: Game, action: Action) -> None:
    """Add an action that was just stored to the log that `hold_log` has read; do nothing without one."""
    held = getattr(game, "_prefetched_objects_cache", {}).get("log")
    if held is not None:
        # As it is read, where a tuple is a list.
        held[action.request_id] = json.loads(json.dumps(action.payload))


def _payloads_of(game: Game) -> list[object]:
    """Return the actions in the log of a game as they are stored, in their order."""
    held = getattr(game, "_prefetched_objects_cache", {}).get("log")
    if held is not None:
        return [*held.values()]
    return _payloads.rows(game.pk)


_payloads: Statement[object] = Statement(
    lambda game: Action.objects.filter(game=game).order_by("number").values_list("payload", flat=True)
)


def _read(payloads: Iterable[object], rules: AnyRules, *, after: int = 0) -> list[object]:
    return [_read_one(payload, number, rules) for number, payload in enumerate(payloads, after + 1)]


def _read_one(payload: object, number: int, rules: AnyRules) -> object:
    try:
        return entry_from_json(rules, payload)
    except Exception as error:
        error.add_note(f"Action {number} cannot be read.")
        raise


def _views_of(game: Game, setup: Setup, *more: object) -> dict[Eye, KeptView]:
    """Return the kept views of a log that begins like this."""
    beginning = (game.title, game.rules_version, setup.seats, setup.options, setup.dealt)
    return _kept(game.key).views(*beginning, *more)


def _whole_log(game: Game, setup: Setup, payloads: Iterable[object]) -> Log:
    """Return a log with all its secrets."""
    rules = title_named(game.title).rules
    start = rules.start(setup, game.rules_version)
    return _log(start, _replay(start, _read(payloads, rules), rules))


def _replay(start: AnyPosition, actions: Sequence[object], rules: AnyRules) -> Iterator[AnyStep]:
    """Yield the steps of a whole log."""
    return _resume(0, lambda _number: start, actions, rules)


def _resume(
    last: int, earlier: Callable[[int], AnyPosition], actions: Sequence[object], rules: AnyRules
) -> Iterator[AnyStep]:
    """Yield the steps of the actions after number `last`. Raises IllegalAction at the first illegal action.

    A note on the error has its number.
    `earlier` returns the whole position after each action up to `last`.
    """
    later: list[AnyPosition] = []
    position = earlier(last)
    for number, action in enumerate(actions, last + 1):
        try:
            if isinstance(action, TakeBack):
                to = action.to
                step = rules.step_back(action, earlier(to) if to <= last else later[to - last - 1])
            else:
                step = position.apply(action)
        except Exception as error:
            error.add_note(f"Action {number} is not possible.")
            raise
        position = step.position
        later.append(position)
        yield step


def _with_deal(position: AnyPosition, setup: Setup) -> AnyPosition:
    """Return a position that everybody sees with the secrets of its deal."""
    return cast("AnyOpenPosition", position).with_deal(setup.dealt)


def _log(start: AnyPosition, steps: Iterable[AnyStep]) -> Log:
    return Log(start, tuple(steps))


def _count_equal(known: Sequence[object], payloads: Sequence[object]) -> int:
    """Return with how many equal payloads both begin."""
    pairs = enumerate(zip(known, payloads, strict=False))
    different = (number for number, (one, other) in pairs if one != other)
    return next(different, min(len(known), len(payloads)))
