"""Shared by the views: types of requests, responses that no cache may store, partials for htmx, nonces."""

import re
from collections.abc import AsyncIterator, Callable, Iterator
from functools import wraps
from typing import Any, TypeVar, cast

from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.handlers.asgi import ASGIRequest
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.text import slugify
from django.views.decorators.cache import cache_control
from django_htmx.middleware import HtmxDetails

from accounts.models import User
from accounts.outside import vapid
from games.titles.registry import offers
from games.titles.talents import Talent

View = TypeVar("View", bound=Callable[..., HttpResponseBase])


class SiteRequest(HttpRequest):
    """A request with the attributes that the middleware adds."""

    user: User | AnonymousUser
    htmx: HtmxDetails


class PlayerRequest(SiteRequest):
    """A request of a user who is logged in."""

    user: User


class StreamRequest(ASGIRequest):
    """A request for a stream, which passes no middleware.

    `ask` returns the request of htmx for a part of the page at an address, from the same browser, now.
    """

    ask: Callable[[str], SiteRequest]


# In the session of a browser that shows push messages.
PUSH = "push"
NONCE = re.compile(r"[0-9a-f]{32}")
SEAT = re.compile(r"[0-9]{1,2}")

# No cache may store a page with a position, not even the browser's own cache.
no_store = cache_control(private=True, no_store=True)


def needs_talent(talent: Talent) -> Callable[[View], View]:
    """Let a view raise Http404 while no title of the site has a talent."""

    def decorate(view: View) -> View:
        @wraps(view)
        def checked(*arguments: Any, **options: Any) -> HttpResponseBase:
            if not offers(talent):
                raise Http404
            return view(*arguments, **options)

        return cast("View", checked)

    return decorate


def wants_partial(request: SiteRequest) -> bool:
    """Return whether htmx requests only the part of a page that it swaps in, not the whole page."""
    return bool(request.htmx) and not request.htmx.boosted and not request.htmx.history_restore_request


def redirect_page(request: SiteRequest, place: str) -> HttpResponse:
    """Return a redirect to an address or a named page, also where htmx requests only a part of this one."""
    answer = redirect(place)
    return HttpResponse(headers={"HX-Redirect": answer["Location"]}) if wants_partial(request) else answer


def stream(request: HttpRequest, lines: Iterator[str], content_type: str) -> StreamingHttpResponse:
    """Return a response that sends each line when it is made, so that no list of all of them is built."""
    if not isinstance(request, ASGIRequest):
        return StreamingHttpResponse(lines, content_type=content_type)

    async def one_by_one() -> AsyncIterator[str]:
        while (line := await sync_to_async(_next)(lines)) is not None:
            yield line

    return StreamingHttpResponse(one_by_one(), content_type=content_type)


def _next(lines: Iterator[str]) -> str | None:
    return next(lines, None)


def file_named(name: str) -> str:
    """Return the header Content-Disposition for a download; the name of the site comes first."""
    site = slugify(settings.SITE_NAME)
    return f'attachment; filename="{site}-{name}"'


def nonce_of(request: HttpRequest) -> str:
    """Return the nonce that the browser made for a seat; empty if it sent none, or something else."""
    nonce = request.POST.get("nonce", "")
    return nonce if NONCE.fullmatch(nonce) else ""


def seat_of(request: HttpRequest) -> int | None:
    """Return the number of the seat that somebody has chosen; None if they sent none, or something else."""
    number = request.POST.get("seat", "")
    return int(number) if SEAT.fullmatch(number) else None


def push_mark(request: SiteRequest) -> str:
    """Return what the session of a browser that shows push messages has, until the browser checks them again.

    It does so each day, when the session has another key, as after a new password, and when the site has one.
    """
    return f"{request.session.session_key} {vapid.public_key()} {timezone.now():%Y-%m-%d}"
