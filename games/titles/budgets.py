"""Command-line options that limit how long bots think."""

import math
from typing import Any

from django.core.management.base import CommandError, CommandParser

from games.titles.bots import Budget

MOST_ROLLOUTS = 1_000_000_000


def add_budget(parser: CommandParser) -> None:
    """Add the options for a limit in seconds or in rollouts."""
    limits = parser.add_mutually_exclusive_group()
    limits.add_argument(
        "--seconds",
        type=float,
        help="limit of processor time for each action of a level that searches; in solo games it may limit a "
        "part of the search only",
    )
    limits.add_argument(
        "--rollouts",
        type=int,
        help="number of games that the search plays for each action; there is then no time limit",
    )


def budget_of(options: dict[str, Any]) -> Budget | None:
    """Return the limit in a command's options, or None; raise CommandError for an impossible value."""
    seconds, rollouts = options["seconds"], options["rollouts"]
    if seconds is not None and not (math.isfinite(seconds) and seconds > 0):
        raise CommandError("--seconds must be a number greater than 0.")
    if rollouts is not None and rollouts not in range(1, MOST_ROLLOUTS + 1):
        raise CommandError(f"--rollouts must be a whole number from 1 to {MOST_ROLLOUTS:,}.")
    return None if seconds is None and rollouts is None else Budget(seconds, rollouts)
