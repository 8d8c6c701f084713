"""Template variables for every page."""

from collections.abc import Callable
from functools import cache

from django.http import HttpRequest

from games.queries.lists import count_turns


def turns(request: HttpRequest) -> dict[str, Callable[[], int]]:
    """Return `my_turns`, the number of games in which it is the viewer's turn. It is counted on first use."""
    return {"my_turns": cache(lambda: count_turns(request.user))}
