"""Reasons why a service refuses a request, in words for the person who made it."""

from contextvars import ContextVar
from datetime import timedelta
from math import ceil
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from accounts.clock import when_again
from games import metrics
from games.titles.registry import title_named
from games.titles.rules import IllegalAction

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


class Refused(Exception):
    """The service refused the request and stored nothing. `status` is the HTTP status of the response."""

    status = 400

    def __init__(self, message: "str | _StrPromise") -> None:
        super().__init__(message)
        self.message = message
        metrics.REFUSALS.labels(type(self).__name__).inc()


class NotSeated(Refused):
    """The person has no seat in this game."""

    status = 403


class Gone(Refused):
    """The game does not exist: its table was closed, or it never existed."""

    status = 404

    def __init__(self) -> None:
        super().__init__(_("This table was closed."))


class Conflict(Refused):
    """The game or table has changed since the page was shown, or does not allow the request."""

    status = 409


# The seconds after which the request that is being answered may be made again; 0 if no limit refused it.
# Views show a refusal on their own pages, so a middleware adds the header.
retry_after: ContextVar[int] = ContextVar("retry_after", default=0)


class TooOften(Refused):
    """The person has made as many such requests as are allowed now. The message says when they may again."""

    status = 429

    def __init__(self, message: "str | _StrPromise", wait: timedelta) -> None:
        super().__init__(f"{message} {when_again(wait)}")
        retry_after.set(max(1, ceil(wait.total_seconds())))


class Illegal(Refused):
    """The rules do not allow the action."""

    status = 422

    def __init__(self, title: str, error: IllegalAction) -> None:
        super().__init__(title_named(title).pages.describe_refusal(error.code))
        self.code = error.code


class BadPlan(Refused):
    """The plan has too many wishes, or one that can never be played."""

    status = 422


class Suspended(Refused):
    """Moderators have suspended the account of the person."""

    status = 403

    def __init__(self) -> None:
        super().__init__(_("Your account is suspended. An email says why, and the site when you log in."))
