"""Matches between bots: every player gets the same deals, with seats and start order swapped.

This module needs neither Django nor a database, so that it can run in one process per core.
"""

import multiprocessing
import os
import random
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from multiprocessing import connection
from queue import Empty, SimpleQueue
from typing import NamedTuple, Protocol

from games.novaluna.bots.levels import LEVELS, REFERENCES, choose, warm_up
from games.novaluna.bots.luck import luck_of_deal, luck_of_refill
from games.novaluna.bots.programs import Program, ProgramFailed, kill_programs
from games.novaluna.engine import (
    MOST_DISCS,
    SOLO_DISCS,
    TILES,
    Action,
    Mode,
    MultiplayerPosition,
    Place,
    Position,
    Refill,
    Resign,
    Setup,
    SoloPosition,
    start,
)
from games.titles.bots import Budget

PROGRAM_PREFIX = "cmd:"


@dataclass(frozen=True)
class Match:
    """The players of a match and the kind of its games.

    A player is the name of a level, or `cmd:` and the command of a program. With 2 to 4 seats there are two
    players: the first on one seat, the second on all others. With one seat, every player plays solo games.
    A duplicate has two or more players, who sit in turn on the seats of as many tables with the same deal.
    The budget is for levels that search. `luck_samples` is how many other reveals are searched for the luck
    of each one; with 0, no luck is counted.
    """

    players: tuple[str, ...]
    seats: int
    seed: int = 1
    budget: Budget | None = None
    is_duplicate: bool = False
    luck_samples: int = 0

    @property
    def tables(self) -> int:
        """The number of games on each deal."""
        return len(self.players) if self.is_duplicate or self.seats == 1 else self.seats


class ActionTime(NamedTuple):
    """The time that one action took, in seconds: clock time and processor time.

    `processor` is None for programs, because it is not measured.
    """

    clock: float
    processor: float | None


class MatchGame(NamedTuple):
    """The result of one game of a match.

    `players`, `discs` (left at the end) and `times` (of each action) have an item for each seat. Players and
    `winner` are indices of `Match.players`. A solo game has a score and no winner. If a program left the
    game, it is the score so far. `luck` is what each seat gained by all reveals: a chance to win, or points
    of the score. It is empty if the match counts no luck.
    """

    deal: int
    players: tuple[int, ...]
    winner: int | None
    score: int | None
    discs: tuple[int, ...]
    times: tuple[list[ActionTime], ...]
    failures: tuple[str, ...]
    luck: tuple[float, ...] = ()


class Player(Protocol):
    """An object that chooses actions."""

    def choose(
        self, position: Position, actions: Sequence[Action], rng: random.Random
    ) -> Place | Refill | Resign:
        """Return an action for the seat to move; `actions` led to the public position."""


class LevelPlayer:
    """A level as a player."""

    def __init__(self, name: str, budget: Budget | None) -> None:
        """Take a name from `LEVELS` or `REFERENCES`; raise ValueError for another name."""
        if name not in LEVELS and name not in REFERENCES:
            levels = ", ".join([*LEVELS, *REFERENCES])
            raise ValueError(f"There is no level “{name}”: choose from {levels}, or a program as cmd:….")
        self._name = name
        self._budget = budget

    def choose(self, position: Position, actions: Sequence[Action], rng: random.Random) -> Place | Refill:
        """Return the level's action."""
        assert position.to_move is not None
        return choose(position, position.to_move, self._name, rng, self._budget)


@cache
def player_named(name: str, budget: Budget | None) -> Player:
    """Return the player with a name, one object per process; raise ValueError if there is none."""
    if name.startswith(PROGRAM_PREFIX):
        return Program(name.removeprefix(PROGRAM_PREFIX))
    return LevelPlayer(name, budget)


def deal_for(match: Match, number: int) -> Setup:
    """Return deal `number` of a match; it depends on the seed and the seats only, not on the players."""
    rng = random.Random(f"{match.seed}/{number}")
    deck, order = list(TILES), list(range(match.seats))
    rng.shuffle(deck)
    rng.shuffle(order)
    is_solo = match.seats == 1
    mode, discs = (Mode.SOLO, SOLO_DISCS) if is_solo else (Mode.MULTIPLAYER, MOST_DISCS)
    return Setup(mode, match.seats, discs, tuple(order), tuple(deck))


def play_deal(match: Match, number: int) -> list[MatchGame]:
    """Play a deal once for each seat, with the first player on that seat.

    The games are in start order of those seats. In a solo match, each player plays the deal once. In a
    duplicate, each player has each seat once, and the others follow in the order of the players.
    """
    setup = deal_for(match, number)
    seatings: list[tuple[int, ...]]
    if match.is_duplicate or match.seats == 1:
        seatings = [
            tuple((table + seat) % match.tables for seat in range(match.seats))
            for table in range(match.tables)
        ]
    else:
        seatings = [
            tuple(int(seat != first_players) for seat in range(match.seats))
            for first_players in setup.start_order
        ]
    return [_play_game(match, number, setup, seating) for seating in seatings]


def _play_game(match: Match, number: int, setup: Setup, seating: tuple[int, ...]) -> MatchGame:
    players = [player_named(match.players[player], match.budget) for player in seating]
    rngs = [random.Random(f"{match.seed}/{number}/{seating}/{seat}") for seat in range(match.seats)]
    times: tuple[list[ActionTime], ...] = tuple([] for _ in seating)
    failures: list[str] = []
    actions: list[Action] = []
    position = start(setup)
    luck = LuckOfGame(match, position, random.Random(f"{match.seed}/{number}/{seating}/luck"))
    while (seat := position.to_move) is not None:
        public = position.public()
        clock, processor = time.perf_counter(), time.thread_time()
        action: Action
        try:
            action = players[seat].choose(public, actions, rngs[seat])
        except ProgramFailed as failure:
            failures.append(f"{match.players[seating[seat]]} {failure}")
            action = Resign(seat)
        spent = None if isinstance(players[seat], Program) else time.thread_time() - processor
        times[seat].append(ActionTime(time.perf_counter() - clock, spent))
        position = position.apply(action).position
        luck.add(public, action, position)
        actions.append(action)
    return MatchGame(
        deal=number,
        players=seating,
        winner=_winner(position, seating),
        score=position.score_so_far if isinstance(position, SoloPosition) else None,
        discs=position.discs,
        times=times,
        failures=tuple(failures),
        luck=tuple(luck.gains),
    )


class LuckOfGame:
    """What each seat has gained by the reveals of a game; nothing if its match counts no luck."""

    def __init__(self, match: Match, position: Position, rng: random.Random) -> None:
        """Begin with the deal."""
        self._samples = match.luck_samples
        self._rng = rng
        self.gains: list[float] = []
        if self._samples:
            self.gains += luck_of_deal(position.public(), rng, self._samples).gains

    def add(self, before: Position, action: Action, after: Position) -> None:
        """Add the luck of an action, if it is a refill."""
        if self._samples and isinstance(action, Refill):
            luck = luck_of_refill(before, action, after.public(), self._rng, self._samples)
            self.gains = [sum(both) for both in zip(self.gains, luck.gains, strict=True)]


def _winner(position: Position, seating: tuple[int, ...]) -> int | None:
    if isinstance(position, MultiplayerPosition) and position.winner is not None:
        return seating[position.winner]
    return None


def play_match(match: Match, deals: int, processes: int) -> Iterator[list[MatchGame]]:
    """Yield the games of each deal as soon as they have ended, in any order.

    Closing the iterator early stops all processes. Raises RuntimeError if a process died.
    """
    executor = ProcessPoolExecutor(processes, multiprocessing.get_context("spawn"), initializer=_set_up)
    try:
        ended: SimpleQueue[Future[list[MatchGame]]] = SimpleQueue()
        with _interrupts_ignored():
            for number in range(deals):
                executor.submit(play_deal, match, number).add_done_callback(ended.put)
        for _ in range(deals):
            yield _next(ended).result()
    except BaseException as error:
        for process in multiprocessing.active_children():
            process.terminate()
        if isinstance(error, BrokenProcessPool):
            raise RuntimeError("A process ended unexpectedly, perhaps because memory ran out.") from None
        raise
    finally:
        executor.shutdown(cancel_futures=True)


def _next(ended: SimpleQueue[Future[list[MatchGame]]]) -> Future[list[MatchGame]]:
    """Wait for the next deal to end.

    Ctrl-C does not interrupt a wait that it comes just before, so no wait is longer than a second.
    """
    while True:
        with suppress(Empty):
            return ended.get(timeout=1)


def _set_up() -> None:
    """Prepare a process that plays games. It ends on SIGTERM, or when its parent ends."""
    warm_up()
    # The handler runs only when the main thread does, and that may wait for a program. So a thread reads
    # that there was a signal.
    reader, writer = socket.socketpair()
    writer.setblocking(False)
    signal.set_wakeup_fd(writer.fileno())
    signal.signal(signal.SIGTERM, lambda *_: None)
    threading.Thread(target=_exit_after_signal, args=(reader, writer), daemon=True).start()


def _exit_after_signal(reader: socket.socket, _writer: socket.socket) -> None:
    parent = multiprocessing.parent_process()
    assert parent
    connection.wait([parent.sentinel, reader])
    kill_programs()
    os._exit(1)


@contextmanager
def _interrupts_ignored() -> Iterator[None]:
    """Make child processes that start in this context ignore Ctrl-C, because their parent ends them."""
    before: Callable[..., object] | int | None = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
