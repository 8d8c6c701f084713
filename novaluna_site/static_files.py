"""Middleware that serves the static files."""

from collections.abc import Callable
from functools import cache
from typing import Any

from asgiref.sync import async_to_sync, iscoroutinefunction, sync_to_async
from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware
from servestatic.middleware import ServeStaticMiddleware

Handler = Callable[[HttpRequest], Any]  # returns a response, or an awaitable of one


@sync_and_async_middleware
def static_files(get_response: Handler) -> Handler:
    """Serve static files by ServeStatic, which can only do so in an event loop.

    Under WSGI, other requests pass without one: to start it would cost each page more than two milliseconds.
    """
    if iscoroutinefunction(get_response):
        asynchronous: Handler = ServeStaticMiddleware(get_response)
        return asynchronous

    @cache
    def loop() -> Handler:
        """Return what answers a request in an event loop. To list all files takes a while, so this waits."""
        handler: Handler = async_to_sync(ServeStaticMiddleware(sync_to_async(get_response)))
        return handler

    def respond(request: HttpRequest) -> HttpResponseBase:
        handler = loop() if request.path.startswith(settings.STATIC_URL) else get_response
        response: HttpResponseBase = handler(request)
        return response

    return respond
