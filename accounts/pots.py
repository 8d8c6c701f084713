"""Pots: how much of something all people together may cause in an hour, shared fairly.

Anybody takes from the first half of a pot. The second half is for IP addresses and accounts that have taken
little of it. So a few of them cannot empty a pot for everybody else. The settings have the sizes.
"""

from allauth.core import ratelimit
from django.http import HttpRequest

ALL = "all"


def half_of(request: HttpRequest, pot: str, *, dry_run: bool = False) -> str | None:
    """Return the half of the pot from which this request may take one now, or None if there is none.

    Of the second half, the request uses up one of the few that its IP address or account may take.
    """
    for half in (pot, f"{pot}_reserve"):
        is_left = ratelimit.consume(request, action=half, key=ALL, dry_run=True)
        if is_left and (half == pot or ratelimit.consume(request, action=f"{pot}_few", dry_run=dry_run)):
            return half
    return None


def take(request: HttpRequest, half: str, key: str = ALL) -> None:
    """Count one of this half. With another key it takes as long, and nothing is used up."""
    ratelimit.consume(request, action=half, key=key)
