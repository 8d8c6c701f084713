"""Middleware from two functions, for requests of both kinds of server."""

from collections.abc import Callable
from typing import Any, TypeVar

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

Handler = Callable[[HttpRequest], Any]  # returns a response, or an awaitable of one
Begun = TypeVar("Begun")


def around(
    begin: Callable[[], Begun], end: Callable[[HttpRequest, HttpResponseBase, Begun], None]
) -> Callable[[Handler], Handler]:
    """Return a middleware that calls `begin` before each request, and `end` with its response.

    `end` also gets what `begin` has returned.
    """

    @sync_and_async_middleware
    def middleware(get_response: Handler) -> Handler:
        if iscoroutinefunction(get_response):

            async def respond_async(request: HttpRequest) -> HttpResponseBase:
                begun = begin()
                response: HttpResponseBase = await get_response(request)
                end(request, response, begun)
                return response

            return respond_async

        def respond(request: HttpRequest) -> HttpResponseBase:
            begun = begin()
            response: HttpResponseBase = get_response(request)
            end(request, response, begun)
            return response

        return respond

    return middleware
