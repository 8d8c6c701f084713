"""Middleware that refuses requests with a long body, before anything reads it."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.utils.decorators import sync_and_async_middleware

Handler = Callable[[HttpRequest], Any]  # returns a response, or an awaitable of one


@sync_and_async_middleware
def long_bodies(get_response: Handler) -> Handler:
    """Respond with status 413 to a body that is longer than any form. No page takes files.

    It counts the declared length: WSGI servers read no more, and `novaluna_site/asgi.py` corrects it.
    """
    if iscoroutinefunction(get_response):

        async def respond_async(request: HttpRequest) -> HttpResponseBase:
            response: HttpResponseBase = _refusal() if _is_long(request) else await get_response(request)
            return response

        return respond_async

    def respond(request: HttpRequest) -> HttpResponseBase:
        response: HttpResponseBase = _refusal() if _is_long(request) else get_response(request)
        return response

    return respond


def _is_long(request: HttpRequest) -> bool:
    try:
        length = int(request.headers.get("Content-Length") or 0)
    except ValueError:
        return False  # As Django does, which then reads no body.
    return length > settings.DATA_UPLOAD_MAX_MEMORY_SIZE


def _refusal() -> HttpResponse:
    return HttpResponse(render_to_string("413.html"), status=HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
