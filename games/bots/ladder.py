"""Matches between bots: the same deals for everybody, with seats and start order swapped.

Needs neither Django nor a database, so that it runs in as many processes as there are cores.
"""

import multiprocessing
import os
import random
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple, Protocol

from games.bots.levels import LEVELS, REFERENCES, choose, warm_up
from games.bots.programs import Failed, Program, kill_programs
from games.bots.thinking import Budget
from games.engine import (
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

PROGRAM = "cmd:"


@dataclass(frozen=True)
class Match:
    """Who plays, and what: the first of two players against the second on the other seats, or each alone.

    A player is a level, or a program as `cmd:` and its command. The budget is for levels that search.
    """

    players: tuple[str, ...]
    seats: int
    seed: int = 1
    budget: Budget | None = None


class Thought(NamedTuple):
    """How long an action took: by the clock, and of the processor, both in seconds.

    What a program takes of the processor is not known.
    """

    clock: float
    processor: float | None


class Game(NamedTuple):
    """What came of a game: `players`, `discs` left and `thoughts` are by seat.

    `players` are numbers in the match; `winner` is one too. Alone there is a score instead; of a game that a
    program did not play to its end, what it would have been.
    """

    deal: int
    players: tuple[int, ...]
    winner: int | None
    score: int | None
    discs: tuple[int, ...]
    thoughts: tuple[list[Thought], ...]
    failures: tuple[str, ...]


class Player(Protocol):
    """Whoever chooses actions."""

    def choose(
        self, position: Position, actions: Sequence[Action], rng: random.Random
    ) -> Place | Refill | Resign:
        """Return an action for the seat to move of a public position after these actions."""


class Level:
    """A level as a player."""

    def __init__(self, name: str, budget: Budget | None) -> None:
        """Take one of `LEVELS` or `REFERENCES`; raise ValueError for another name."""
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
def player(name: str, budget: Budget | None) -> Player:
    """Return the player of a name, one for the whole process; raise ValueError where there is none."""
    if name.startswith(PROGRAM):
        return Program(name.removeprefix(PROGRAM))
    return Level(name, budget)


def deal(match: Match, number: int) -> Setup:
    """Return one of the match's deals; a seed has the same ones for all players."""
    rng = random.Random(f"{match.seed}/{number}")
    deck, order = list(TILES), list(range(match.seats))
    rng.shuffle(deck)
    rng.shuffle(order)
    alone = match.seats == 1
    mode, discs = (Mode.SOLO, SOLO_DISCS) if alone else (Mode.MULTIPLAYER, MOST_DISCS)
    return Setup(mode, match.seats, discs, tuple(order), tuple(deck))


def play_deal(match: Match, number: int) -> list[Game]:
    """Play a deal with the first player in every seat and place of the start order in turn.

    Alone, each player plays it once.
    """
    setup = deal(match, number)
    seatings: list[tuple[int, ...]]
    if match.seats == 1:
        seatings = [(who,) for who in range(len(match.players))]
    else:
        seatings = [tuple(int(seat != mine) for seat in range(match.seats)) for mine in setup.start_order]
    return [_play(match, number, setup, seating) for seating in seatings]


def _play(match: Match, number: int, setup: Setup, seating: tuple[int, ...]) -> Game:
    players = [player(match.players[who], match.budget) for who in seating]
    rngs = [random.Random(f"{match.seed}/{number}/{seating}/{seat}") for seat in range(match.seats)]
    thoughts: tuple[list[Thought], ...] = tuple([] for _ in seating)
    failures: list[str] = []
    actions: list[Action] = []
    position = start(setup)
    while (seat := position.to_move) is not None:
        public = position.public()
        clock, processor = time.perf_counter(), time.thread_time()
        action: Action
        try:
            action = players[seat].choose(public, actions, rngs[seat])
        except Failed as failed:
            failures.append(f"{match.players[seating[seat]]} {failed}")
            action = Resign(seat)
        spent = None if isinstance(players[seat], Program) else time.thread_time() - processor
        thoughts[seat].append(Thought(time.perf_counter() - clock, spent))
        position = position.apply(action).position
        actions.append(action)
    return Game(
        deal=number,
        players=seating,
        winner=_winner(position, seating),
        score=position.score_so_far if isinstance(position, SoloPosition) else None,
        discs=position.discs,
        thoughts=thoughts,
        failures=tuple(failures),
    )


def _winner(position: Position, seating: tuple[int, ...]) -> int | None:
    if isinstance(position, MultiplayerPosition) and position.winner is not None:
        return seating[position.winner]
    return None


def play(match: Match, deals: int, processes: int) -> Iterator[list[Game]]:
    """Yield the games of each deal as they end, in no certain order; stop all processes when left early.

    Raises RuntimeError where a process died.
    """
    executor = ProcessPoolExecutor(processes, multiprocessing.get_context("spawn"), initializer=_begin)
    try:
        with _deaf_to_interrupts():
            games = [executor.submit(play_deal, match, number) for number in range(deals)]
        for done in as_completed(games):
            yield done.result()
    except BaseException as ended:
        for process in multiprocessing.active_children():
            process.terminate()
        if isinstance(ended, BrokenProcessPool):
            raise RuntimeError("A process ended unexpectedly, perhaps for want of memory.") from None
        raise
    finally:
        executor.shutdown(cancel_futures=True)


def _begin() -> None:
    """Prepare a process that plays; it ends when it is told to, and at the latest with its parent."""
    warm_up()
    signal.signal(signal.SIGTERM, _end)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent
    parent.join()
    _end()


def _end(*_signal: object) -> None:
    kill_programs()
    os._exit(1)


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Let processes that are started meanwhile ignore Ctrl-C: it is their parent that ends them."""
    before: Callable[..., object] | int | None = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
