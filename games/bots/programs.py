"""Programs as players: they read positions and write actions, line by line, as `manage.py bot` does."""

import json
import random
import shlex
import shutil
import subprocess
import threading
from collections.abc import Sequence

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
SHOWN = 200  # characters of a wrong answer that a report quotes


class Failed(Exception):
    """A program that gave no legal action."""


class Program:
    """A program that is started when it is first asked, and anew when it has failed."""

    def __init__(self, command: str) -> None:
        """Take the command, with its arguments as in a shell; raise ValueError where it cannot be run."""
        self._arguments = shlex.split(command)
        if not self._arguments or not shutil.which(self._arguments[0]):
            raise ValueError(f"There is no program to run in “{command}”.")
        self._process: subprocess.Popen[str] | None = None

    def choose(
        self, position: Position, actions: Sequence[Action], rng: random.Random
    ) -> Place | Refill | Resign:
        """Return the program's action in a public position after these actions; raise Failed without one."""
        line = self._ask(json.dumps(write_record(position.setup, actions)))
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

    def close(self) -> None:
        """Stop the program, if it runs."""
        if self._process:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def _ask(self, line: str) -> str:
        """Return what the program answers to a line; stop it and raise Failed if nothing comes."""
        if self._process is None:
            self._process = subprocess.Popen(  # noqa: S603 - whoever starts the match names the program
                self._arguments,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                encoding="utf-8",
                errors="replace",
            )
        process = self._process
        assert process.stdin
        assert process.stdout
        late = threading.Timer(PATIENCE, process.kill)
        late.start()
        try:
            process.stdin.write(line + "\n")
            process.stdin.flush()
            answer = process.stdout.readline()
        except OSError:
            answer = ""
        finally:
            late.cancel()
        if not answer:
            self.close()
            raise Failed(f"ended, or gave no answer within {PATIENCE:.0f} s")
        return answer


def _quoted(line: str) -> str:
    text = line.strip()
    return f"“{text if len(text) <= SHOWN else text[:SHOWN] + '…'}”"
