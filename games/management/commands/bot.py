"""`manage.py bot`: read positions from standard input, and write a bot's actions to standard output."""

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, BinaryIO

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.management.answers import answer
from games.management.titles import add_title
from games.titles.budgets import add_budget, budget_of
from games.titles.records import LONGEST_RECORD
from games.titles.registry import TITLES, title_named


class Command(BaseCommand):
    """Answer each line with the action of a bot."""

    help = (
        "Play as a bot. Each line on standard input is a position record, one JSON object. For each, write a "
        "line with the bot's action, or with an error, to standard output. See docs/bots.md."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the options."""
        add_title(parser)
        names = {
            name: None for title in TITLES.values() for name in (*title.bots.levels, *title.bots.references)
        }
        parser.add_argument("--level", required=True, choices=[*names])
        add_budget(parser)
        parser.add_argument(
            "--seed", type=int, help="with --rollouts: always answer the same position with the same action"
        )

    def handle(self, *args: Any, title: str, level: str, seed: int | None, **options: Any) -> None:
        """Answer line by line until the input ends or the output is closed."""
        budget, rules, bots = budget_of(options), title_named(title).rules, title_named(title).bots
        if level not in bots.levels and level not in bots.references:
            levels = ", ".join([*bots.levels, *bots.references])
            raise CommandError(f"The bots of {title} have no level “{level}”: choose from {levels}.")
        with suppress(KeyboardInterrupt):
            bots.warm_up()  # Loading must not take time from the first action.
            try:
                for line in _lines(sys.stdin.buffer):
                    self.stdout.write(answer(rules, bots, line, level, seed, budget))
                    self.stdout.flush()
            except BrokenPipeError:
                # The reader closed the pipe. Without this, Python would print an error at exit.
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the lines. Cut a longer line one byte after the limit for records, so that it is refused."""
    while line := stream.readline(LONGEST_RECORD + 1):
        part = line
        while len(part) > LONGEST_RECORD and not part.endswith(b"\n"):
            part = stream.readline(LONGEST_RECORD + 1)
        yield line
