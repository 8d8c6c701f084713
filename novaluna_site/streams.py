"""Answers requests for streams outside of Django's middleware, which takes longer than all the rest of it."""

from collections.abc import Mapping
from importlib import import_module
from io import BytesIO
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user
from django.http import HttpResponse
from django.middleware.security import SecurityMiddleware
from django.urls import resolve
from django.utils.functional import SimpleLazyObject

from games import live
from novaluna_site.charsets import Utf8ASGIRequest
from novaluna_site.default_headers import HEADERS

_sessions = import_module(settings.SESSION_ENGINE)
_security = SecurityMiddleware(lambda _request: HttpResponse())


async def open_stream(scope: Mapping[str, Any]) -> HttpResponse | None:
    """Return the answer that opens a stream; None if Django has to answer this request.

    Every error is left to Django as well: it meets the same one, and says what is wrong.
    """
    if scope["method"] != "GET" or not scope["path"].endswith("/stream/"):
        return None
    try:
        request: Any = Utf8ASGIRequest(scope, BytesIO())
        match = resolve(request.path_info)
        open_page = live.opener_of(match.func)
        if open_page is None or _security.process_request(request) is not None:
            return None
        request.get_host()  # refuses hosts that the site does not have
        request.session = _sessions.SessionStore(request.COOKIES.get(settings.SESSION_COOKIE_NAME))
        request.user = SimpleLazyObject(lambda: get_user(request))
        response: HttpResponse | None = await open_page(request, *match.args, **match.kwargs)
    except Exception:
        return None
    if response is None:
        return None
    _security.process_response(request, response)
    for name, value in HEADERS.items():
        response.setdefault(name, value)
    return response
