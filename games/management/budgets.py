"""The options of commands that bound how long bots think."""

import math
from typing import Any

from django.core.management.base import CommandError, CommandParser

from games.bots import Budget

MOST_ROLLOUTS = 1_000_000_000


def add_budget(parser: CommandParser) -> None:
    """Take a bound in seconds or in rollouts."""
    bound = parser.add_mutually_exclusive_group()
    bound.add_argument(
        "--seconds",
        type=float,
        help="how long a level that searches may think about an action; in solo games it bounds only the "
        "trying of refills: what comes before and after takes the time that it takes",
    )
    bound.add_argument(
        "--rollouts", type=int, help="how many games such a level plays out for it, however long that takes"
    )


def budget_of(options: dict[str, Any]) -> Budget | None:
    """Return the bound that was given, if any; raise CommandError for one that cannot be."""
    seconds, rollouts = options["seconds"], options["rollouts"]
    if seconds is not None and not (math.isfinite(seconds) and seconds > 0):
        raise CommandError("--seconds must be a number greater than 0.")
    if rollouts is not None and rollouts not in range(1, MOST_ROLLOUTS + 1):
        raise CommandError(f"--rollouts must be a whole number from 1 to {MOST_ROLLOUTS:,}.")
    return None if seconds is None and rollouts is None else Budget(seconds, rollouts)
