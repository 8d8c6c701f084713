"""Template variables for every page."""

from collections.abc import Callable
from functools import cache

from accounts.models import User
from accounts.outside import vapid
from games.http import PUSH, SiteRequest, push_mark
from games.queries.lists import count_waiting


def turns(request: SiteRequest) -> dict[str, Callable[[], int | bool]]:
    """Return variables that are computed on first use.

    `my_turns` is the number of games that wait for the viewer: for their move, or for an answer.
    `checks_push` is whether the browser is to check its push messages now.
    """
    return {
        "my_turns": cache(lambda: count_waiting(request.user)),
        "checks_push": cache(lambda: _checks_push(request)),
    }


def _checks_push(request: SiteRequest) -> bool:
    is_member = isinstance(request.user, User) and not request.user.is_guest
    return is_member and bool(vapid.public_key()) and request.session.get(PUSH) != push_mark(request)
