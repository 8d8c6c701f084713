"""Middleware that refuses requests which no page can read."""

import codecs
from collections.abc import Callable, Iterator
from typing import Any

from asgiref.sync import iscoroutinefunction, sync_to_async
from django.core.exceptions import BadRequest, SuspiciousOperation
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.utils.decorators import sync_and_async_middleware

Handler = Callable[[HttpRequest], Any]  # returns a response, or an awaitable of one

# What Django raises for a body or a query that it cannot parse.
UNREADABLE = (BadRequest, MultiPartParserError, SuspiciousOperation, UnreadablePostError)


@sync_and_async_middleware
def malformed_input(get_response: Handler) -> Handler:
    """Respond with status 400 to a charset other than UTF-8, a NUL character, or a body that is no form.

    It runs before the address is resolved, because error pages read the body and the session too.
    """
    if iscoroutinefunction(get_response):

        async def respond_async(request: HttpRequest) -> HttpResponseBase:
            # A body may be long, so it is parsed in a thread. Streams have none and do without.
            check = sync_to_async(_is_readable, thread_sensitive=False) if request.method == "POST" else None
            is_readable = await check(request) if check else _is_readable(request)
            response: HttpResponseBase = await get_response(request) if is_readable else _refusal()
            return response

        return respond_async

    def respond(request: HttpRequest) -> HttpResponseBase:
        response: HttpResponseBase = get_response(request) if _is_readable(request) else _refusal()
        return response

    return respond


def _is_readable(request: HttpRequest) -> bool:
    # Browsers send a form in the charset of its page.
    if not _is_utf_8((request.content_params or {}).get("charset", "utf-8")):
        return False
    # Django reads a form only if its charset is spelled like this.
    request.encoding = "utf-8"
    try:
        # PostgreSQL stores no NUL character, and refuses queries that have one.
        return not any("\0" in text for text in _texts(request))
    except UNREADABLE:
        return False


def _is_utf_8(charset: str) -> bool:
    try:
        return codecs.lookup(charset).name == "utf-8"
    except LookupError:
        return False


def _texts(request: HttpRequest) -> Iterator[str]:
    """Yield every text of the request that may become part of a database query."""
    yield request.path
    yield from request.COOKIES.values()
    for fields in (request.GET, request.POST):
        for name, values in fields.lists():
            yield name
            yield from values


def _refusal() -> HttpResponse:
    # Django's own view for this status makes a CSRF token first, which reads the body again.
    return HttpResponseBadRequest(render_to_string("400.html"))
