"""What every page knows of the viewer's games."""

from collections.abc import Callable
from functools import cache

from django.http import HttpRequest

from games.queries.lists import count_turns


def turns(request: HttpRequest) -> dict[str, Callable[[], int]]:
    """Return how many games wait for the viewer, counted only where a template asks for it."""
    return {"my_turns": cache(lambda: count_turns(request.user))}
