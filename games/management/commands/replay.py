"""`manage.py replay FILE…`: replay records and print their states, one line of JSON each."""

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path

from django.core.management.base import BaseCommand, CommandParser

from games.management.titles import default_title
from games.titles.records import LONGEST_RECORD, BadRecord, positions, read_json, title_of
from games.titles.registry import TITLES, title_named
from games.titles.rules import AnyPosition, AnyRules, IllegalAction, UnknownRules


class Command(BaseCommand):
    """Print the states of records, or the error of each record that is not legal."""

    help = "Replay records and print the last state of each. Exit with status 1 if a record is not legal."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Accept one or more files."""
        parser.add_argument("files", nargs="+", metavar="FILE")
        parser.add_argument(
            "--states", action="store_true", help="print the state after every action, not only the last"
        )
        parser.add_argument(
            "--views", action="store_true", help="also print what each seat and a spectator see of a state"
        )

    def handle(self, *args: object, files: list[str], states: bool, views: bool, **options: object) -> None:
        """Replay each file. Exit with code 1 if one of them is not legal."""
        all_legal = True
        try:
            for file in files:
                all_legal = self._replay(file, states=states, views=views) and all_legal
            self.stdout.flush()
        except BrokenPipeError:
            # The reader closed the pipe. Python flushes stdout at exit, which would fail again.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not all_legal:
            raise SystemExit(1)

    def _replay(self, file: str, *, states: bool, views: bool) -> bool:
        """Print the states or the error of a file; return whether the record is legal."""
        index: int | None = None
        try:
            record = read_json(_read(file))
            # Whatever names no title of the site is refused by the rules of the default.
            key = title_of(record)
            rules = title_named(key if key in TITLES else default_title()).rules
            for position in positions(rules, record):
                if states and index is not None:
                    self._print(_shown(rules, position, views=views))
                index = 0 if index is None else index + 1
        except (BadRecord, UnknownRules, IllegalAction) as error:
            # A record can lack what an action reveals, for which the action is not to blame.
            index = None if isinstance(error, BadRecord) else index
            self._print({"file": file, "index": index, "error": error.code, "message": str(error)})
            return False
        if not states:
            self._print(_shown(rules, position, views=views))
        return True

    def _print(self, value: Mapping[str, object]) -> None:
        self.stdout.write(json.dumps(value))


def _shown(rules: AnyRules, position: AnyPosition, *, views: bool) -> Mapping[str, object]:
    """Return the state of a position, with `views` also as each seat and a spectator ("none") see it."""
    state = rules.state(position)
    if not views:
        return state
    seen = {str(seat): position.seen_by(seat) for seat in range(position.seats)}
    seen["none"] = position.seen_by(None)
    return {"state": state, "views": {viewer: rules.state(view) for viewer, view in seen.items()}}


def _read(file: str) -> bytes:
    """Return the bytes of a file. Raises BadRecord if the file can't be read.

    Reads at most one byte more than a record may have, so that `read_record` refuses a longer file.
    """
    try:
        with Path(file).open("rb") as stream:
            return stream.read(LONGEST_RECORD + 1)
    except OSError as error:
        raise BadRecord(f"The file can't be read: {error.strerror}.") from None
    except ValueError:
        raise BadRecord("This is not a valid file name.") from None
