"""Searches of tasks: they end in time for the task to store what they have found."""

from collections.abc import Callable
from functools import partial
from typing import ParamSpec, TypeVar

from games import search_process
from games.compiled.time_limit import within

P = ParamSpec("P")
T = TypeVar("T")

STORES_WITHIN = 1.5  # seconds


def run(soft_limit: float, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return the result of a function that searches, in a task with this soft limit in seconds.

    On a machine so busy that the search would take longer, it ends early and is less good.
    """
    search = partial(within, soft_limit - STORES_WITHIN, function, *args, **kwargs)
    return search_process.run(search)
