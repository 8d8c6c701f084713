"""Middleware that adds the headers of every response."""

from collections.abc import Callable
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

Handler = Callable[[HttpRequest], Any]  # returns a response, or an awaitable of one

# What the site never uses, so that no code in a page can ask for it.
UNUSED_FEATURES = (
    "accelerometer",
    "camera",
    "display-capture",
    "geolocation",
    "gyroscope",
    "hid",
    "magnetometer",
    "microphone",
    "midi",
    "payment",
    "serial",
    "usb",
    "xr-spatial-tracking",
)
HEADERS = {
    "Permissions-Policy": ", ".join(f"{feature}=()" for feature in UNUSED_FEATURES),
    # Every page names its viewer, so only a view that says so may be stored by a cache or a browser.
    "Cache-Control": "private, no-store",
    # Scripts use only responses with this header: proxies and wireless networks respond in our place.
    "X-Nova-Luna": "site",
}


@sync_and_async_middleware
def default_headers(get_response: Handler) -> Handler:
    """Add each of `HEADERS` to a response that does not have it."""
    if iscoroutinefunction(get_response):

        async def respond_async(request: HttpRequest) -> HttpResponseBase:
            return _with_headers(await get_response(request))

        return respond_async

    def respond(request: HttpRequest) -> HttpResponseBase:
        return _with_headers(get_response(request))

    return respond


def _with_headers(response: HttpResponseBase) -> HttpResponseBase:
    for name, value in HEADERS.items():
        response.setdefault(name, value)
    return response
