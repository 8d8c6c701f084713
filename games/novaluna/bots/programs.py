"""Programs as players: they read positions and write actions, line by line, as `manage.py bot` does."""

import atexit
import json
import os
import random
import shlex
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Sequence
from contextlib import suppress

from games.novaluna.engine import (
    Action,
    Place,
    Position,
    Refill,
    Resign,
    action_from_json,
    write_record,
)

ANSWER_SECONDS = 60.0  # how long a program may take for an answer
LONGEST_ANSWER = 10_000  # characters; an answer needs fewer than a hundred
LONGEST_QUOTE = 200  # characters of a wrong answer that a report quotes

Process = subprocess.Popen[str]

_running: set[Process] = set()


class ProgramFailed(Exception):
    """A program did not answer with a legal action."""


class Program:
    """A program as a player. It is started before its first action, and again after a failure."""

    def __init__(self, command: str) -> None:
        """Take the command, with its arguments as in a shell; raise ValueError if it cannot be run."""
        try:
            self._arguments = shlex.split(command)
        except ValueError:  # a quotation mark without its counterpart
            self._arguments = []
        if not self._arguments or not shutil.which(self._arguments[0]):
            raise ValueError(f"There is no program to run in “{command}”.")
        self._process: Process | None = None

    def choose(
        self, position: Position, actions: Sequence[Action], rng: random.Random
    ) -> Place | Refill | Resign:
        """Return the program's action; `actions` led to the public position. Raises ProgramFailed."""
        try:
            line = self._ask(json.dumps(write_record(position.setup, actions)))
            return _read(line, position)
        except ProgramFailed:
            # The program may still write a late answer, which must not be read as the next one.
            self._stop()
            raise

    def _ask(self, line: str) -> str:
        """Return the program's answer to a line; raise ProgramFailed if there is none."""
        if self._process is None:
            self._process = _start_program(self._arguments)
        process = self._process
        assert process.stdin
        assert process.stdout
        began = time.monotonic()
        time_limit = threading.Timer(ANSWER_SECONDS, _kill, [process])
        time_limit.start()
        try:
            process.stdin.write(line + "\n")
            process.stdin.flush()
            answer = process.stdout.readline(LONGEST_ANSWER + 1)
        except OSError:
            answer = ""
        finally:
            time_limit.cancel()
        if answer:
            return answer
        if time.monotonic() - began < ANSWER_SECONDS:
            raise ProgramFailed("ended without an answer")
        raise ProgramFailed(f"gave no answer within {ANSWER_SECONDS:.0f} s")

    def _stop(self) -> None:
        if self._process is not None:
            _stop_program(self._process)
            self._process = None


def _read(line: str, position: Position) -> Place | Refill | Resign:
    """Return the action in an answer; raise ProgramFailed if there is no legal one."""
    if len(line) > LONGEST_ANSWER:
        raise ProgramFailed(
            f"answered with a line of more than {LONGEST_ANSWER:,} characters: {_quote(line)}"
        )
    try:
        value = json.loads(line)
        action = action_from_json(value)
    except (ValueError, RecursionError):
        raise ProgramFailed(f"answered {_quote(line)}") from None
    if (
        not isinstance(action, Place | Refill | Resign)
        or action.seat != position.to_move
        or not position.is_legal(action)
    ):
        raise ProgramFailed(f"answered {_quote(line)}, which is not legal")
    return action


def kill_programs() -> None:
    """Kill all programs that this process runs."""
    for process in list(_running):
        _kill(process)


@atexit.register
def _stop_programs() -> None:
    for process in list(_running):
        _stop_program(process)


def _start_program(arguments: list[str]) -> Process:
    """Start a program in its own session, so that it can be killed together with its children."""
    process = subprocess.Popen(  # noqa: S603 - the user who starts the match names the program
        arguments,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
    )
    _running.add(process)
    return process


def _stop_program(process: Process) -> None:
    # Leaving the process's context closes its pipes and waits for its end.
    with suppress(BrokenPipeError), process:
        _kill(process)
    _running.remove(process)


def _kill(process: Process) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def _quote(line: str) -> str:
    text = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in line.strip())
    return f"“{text if len(text) <= LONGEST_QUOTE else text[:LONGEST_QUOTE] + '…'}”"
