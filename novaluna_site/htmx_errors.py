"""Middleware that makes htmx replace the whole page with an error page, not only a part of it.

`failures.js` shows the error inside the page instead. This is for open pages whose scripts are older.
"""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

Handler = Callable[[HttpRequest], Any]  # returns a response, or an awaitable of one


@sync_and_async_middleware
def htmx_errors(get_response: Handler) -> Handler:
    """Retarget error responses that are whole documents; don't change those that are a part of a page."""
    if iscoroutinefunction(get_response):

        async def respond_async(request: HttpRequest) -> HttpResponseBase:
            return _retarget(request, await get_response(request))

        return respond_async

    def respond(request: HttpRequest) -> HttpResponseBase:
        return _retarget(request, get_response(request))

    return respond


def _retarget(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    # Reads the header, because `request.htmx` is set by a later middleware, which an error may have skipped.
    is_from_htmx = request.headers.get("HX-Request") == "true"
    if is_from_htmx and response.status_code >= HTTPStatus.BAD_REQUEST and _is_document(response):
        response["HX-Retarget"] = "body"
        response["HX-Reswap"] = "innerHTML show:window:top"
    return response


def _is_document(response: HttpResponseBase) -> bool:
    return isinstance(response, HttpResponse) and response.content.lstrip()[:9].lower() == b"<!doctype"
