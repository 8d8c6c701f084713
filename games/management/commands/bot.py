"""A bot as a filter: reads positions from standard input, writes actions to standard output."""

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, BinaryIO

from django.core.management.base import BaseCommand, CommandParser

from games.bots import LEVELS, REFERENCES, warm_up
from games.bots.lines import answer
from games.engine.records import LONGEST
from games.management.budgets import add_budget, budget_of


class Command(BaseCommand):
    """Answers each line with the action of a bot."""

    help = (
        "Play as a bot: for each line on standard input, a position record as one JSON object, write a line "
        "with the action that the bot takes, or with an error. See docs/bots.md."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the level, and what bounds its thinking."""
        parser.add_argument("--level", required=True, choices=[*LEVELS, *REFERENCES])
        add_budget(parser)
        parser.add_argument(
            "--seed", type=int, help="with --rollouts: answer the same position by the same action, always"
        )

    def handle(self, *args: Any, level: str, seed: int | None, **options: Any) -> None:
        """Answer line by line until the input ends, or nobody reads the answers."""
        budget = budget_of(options)
        with suppress(KeyboardInterrupt):
            warm_up()  # so that the time to think is not spent on loading
            try:
                for line in _lines(sys.stdin.buffer):
                    self.stdout.write(answer(line, level, seed, budget))
                    self.stdout.flush()
            except BrokenPipeError:
                # Whoever read the answers has read enough. Python would complain at exit when it flushes.
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """Yield line by line; of one that is too long for a record, only as much as shows that."""
    while line := stream.readline(LONGEST + 1):
        part = line
        while len(part) > LONGEST and not part.endswith(b"\n"):
            part = stream.readline(LONGEST + 1)
        yield line
