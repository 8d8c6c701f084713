"""Reasons why a service refuses a request, in words for the person who made it."""

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

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


class TooMany(Refused):
    """The person has done this too often lately."""

    status = 429


class Conflict(Refused):
    """The game or table has changed since the page was shown, or does not allow the request."""

    status = 409


class TooOften(Refused):
    """The person has made as many such requests as are allowed within some time."""

    status = 429


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
