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

from games.engine import (
    Action,
    Place,
    Position,
    Refill,
    Resign,
    action_from_json,
    write_record,
)

PATIENCE = 60.0  # seconds that a program may take for an answer
LONGEST = 10_000  # characters of an answer, which needs less than a hundred
SHOWN = 200  # characters of a wrong answer that a report quotes

Process = subprocess.Popen[str]

_running: set[Process] = set()


class Failed(Exception):
    """A program that gave no legal action."""


class Program:
    """A program that is started when it is first asked, and anew after it gave no legal action."""

    def __init__(self, command: str) -> None:
        """Take the command, with its arguments as in a shell; raise ValueError where it cannot be run."""
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
        """Return the program's action in a public position after these actions; raise Failed without one."""
        try:
            line = self._ask(json.dumps(write_record(position.setup, actions)))
            return _read(line, position)
        except Failed:
            self._end()  # whatever it still writes answers nothing that it will be asked
            raise

    def _ask(self, line: str) -> str:
        """Return what the program answers to a line; raise Failed if nothing comes."""
        if self._process is None:
            self._process = _start(self._arguments)
        process = self._process
        assert process.stdin
        assert process.stdout
        began = time.monotonic()
        late = threading.Timer(PATIENCE, _kill, [process])
        late.start()
        try:
            process.stdin.write(line + "\n")
            process.stdin.flush()
            answer = process.stdout.readline(LONGEST + 1)
        except OSError:
            answer = ""
        finally:
            late.cancel()
        if answer:
            return answer
        if time.monotonic() - began < PATIENCE:
            raise Failed("ended without an answer")
        raise Failed(f"gave no answer within {PATIENCE:.0f} s")

    def _end(self) -> None:
        if self._process is not None:
            _stop(self._process)
            self._process = None


def _read(line: str, position: Position) -> Place | Refill | Resign:
    """Return the action that an answer is; raise Failed if it is no legal one."""
    if len(line) > LONGEST:
        raise Failed(f"answered with a line of more than {LONGEST:,} characters: {_quoted(line)}")
    try:
        value = json.loads(line)
        action = action_from_json(value)
    except (ValueError, RecursionError):
        raise Failed(f"answered {_quoted(line)}") from None
    if (
        not isinstance(action, Place | Refill | Resign)
        or action.seat != position.to_move
        or not position.is_legal(action)
    ):
        raise Failed(f"answered {_quoted(line)}, which is not legal")
    return action


def kill_programs() -> None:
    """Kill all programs that this process runs."""
    for process in list(_running):
        _kill(process)


@atexit.register
def _stop_programs() -> None:
    for process in list(_running):
        _stop(process)


def _start(arguments: list[str]) -> Process:
    """Start a program in a session of its own, so that it can be killed with all that it starts."""
    process = subprocess.Popen(  # noqa: S603 - whoever starts the match names the program
        arguments,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
    )
    _running.add(process)
    return process


def _stop(process: Process) -> None:
    with suppress(BrokenPipeError), process:  # which closes the pipes, and waits
        _kill(process)
    _running.remove(process)


def _kill(process: Process) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def _quoted(line: str) -> str:
    text = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in line.strip())
    return f"“{text if len(text) <= SHOWN else text[:SHOWN] + '…'}”"
