"""Error pages in answer to htmx: whole documents, which must not land in the part of the page that asked."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

Handler = Callable[[HttpRequest], Any]  # a response, or the promise of one


@sync_and_async_middleware
def htmx_errors(get_response: Handler) -> Handler:
    """Let an error page take the place of the whole page; refusals that are a part of a page stay one."""
    if iscoroutinefunction(get_response):

        async def in_place_later(request: HttpRequest) -> HttpResponseBase:
            return _in_place(request, await get_response(request))

        return in_place_later

    def in_place(request: HttpRequest) -> HttpResponseBase:
        return _in_place(request, get_response(request))

    return in_place


def _in_place(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    # Not `request.htmx`: this stands outside of all that may fail, where no middleware has set it yet.
    asked_by_htmx = request.headers.get("HX-Request") == "true"
    if asked_by_htmx and response.status_code >= HTTPStatus.BAD_REQUEST and _is_document(response):
        response["HX-Retarget"] = "body"
        response["HX-Reswap"] = "innerHTML show:window:top"
    return response


def _is_document(response: HttpResponseBase) -> bool:
    return isinstance(response, HttpResponse) and response.content.lstrip()[:9].lower() == b"<!doctype"
