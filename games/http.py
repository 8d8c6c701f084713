"""What the views share: requests as our middleware makes them, and answers that no cache may keep."""

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.views.decorators.cache import cache_control
from django_htmx.middleware import HtmxDetails

from accounts.models import User


class SiteRequest(HttpRequest):
    """A request that has passed our middleware."""

    user: User | AnonymousUser
    htmx: HtmxDetails


class PlayerRequest(SiteRequest):
    """A request of somebody who has signed in."""

    user: User


# Nothing that holds a position may stay in a cache, not even the browser's own.
no_store = cache_control(private=True, no_store=True)


def wants_partial(request: SiteRequest) -> bool:
    """Whether htmx asks for the part of a page that it will swap in, rather than for the whole page."""
    return bool(request.htmx) and not request.htmx.boosted and not request.htmx.history_restore_request
