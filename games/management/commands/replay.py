"""Replays records through the engine and prints the states, one line of JSON each."""

import json
import os
import sys
from pathlib import Path

from django.core.management.base import BaseCommand, CommandParser

from games.engine import BadRecord, EngineError, read_record, replay, start
from games.engine.records import LONGEST


class Command(BaseCommand):
    """Prints the states of records, or what is wrong with them."""

    help = "Replay records: print the last state of each, or all of them; exit with 1 if one is not legal."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Take any number of files."""
        parser.add_argument("files", nargs="+", metavar="FILE")
        parser.add_argument("--states", action="store_true", help="print the state after every action")

    def handle(self, *args: object, files: list[str], states: bool, **options: object) -> None:
        """Replay file after file; exit with 1 if one of them is not legal."""
        all_legal = True
        try:
            for file in files:
                all_legal = self._replay(file, states=states) and all_legal
            self.stdout.flush()
        except BrokenPipeError:
            # Whoever read the lines has read enough. Python would complain at exit when it flushes.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not all_legal:
            raise SystemExit(1)

    def _replay(self, file: str, *, states: bool) -> bool:
        """Print what a file holds; return whether all of it was legal."""
        index: int | None = None
        try:
            record = read_record(_read(file))
            position, index = start(record.setup), 0
            for step in replay(record.setup, record.actions):
                position, index = step.position, index + 1
                if states:
                    self._print(position.state())
        except EngineError as error:
            self._print({"file": file, "index": index, "error": error.code, "message": str(error)})
            return False
        if not states:
            self._print(position.state())
        return True

    def _print(self, value: dict[str, object]) -> None:
        self.stdout.write(json.dumps(value))


def _read(file: str) -> bytes:
    """Return the file's bytes, no more than a record may have; raise BadRecord if it can't be read."""
    try:
        with Path(file).open("rb") as stream:
            return stream.read(LONGEST + 1)
    except OSError as error:
        raise BadRecord(f"The file can't be read: {error.strerror}.") from None
    except ValueError:
        raise BadRecord("No file can have such a name.") from None
