"""Answers requests for streams outside of Django's middleware, which takes longer than all the rest of it."""

import logging
from collections.abc import Mapping
from functools import partial
from io import BytesIO
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user
from django.core.exceptions import SuspiciousOperation
from django.http import Http404, HttpResponse
from django.middleware.csrf import CsrfViewMiddleware
from django.middleware.gzip import re_accepts_gzip
from django.middleware.security import SecurityMiddleware
from django.urls import resolve
from django.utils.cache import patch_vary_headers
from django.utils.functional import SimpleLazyObject

from accounts import sessions
from games import live
from novaluna_site.charsets import Utf8ASGIRequest
from novaluna_site.default_headers import HEADERS

_security = SecurityMiddleware(lambda _request: HttpResponse())
_csrf = CsrfViewMiddleware(lambda _request: HttpResponse())
logger = logging.getLogger(__name__)


class SessionStore(sessions.SessionStore):
    """A session that keeps its key, because a stream can't send its browser another one."""

    def cycle_key(self) -> None:
        """Do nothing: the next page that the person opens gives the session its new key."""


def _request_of(scope: Mapping[str, Any]) -> Any:
    """Return a request with its session and its user as they are when somebody reads them first."""
    request: Any = Utf8ASGIRequest(scope, BytesIO())
    request.session = SessionStore(request.COOKIES.get(settings.SESSION_COOKIE_NAME))
    request.user = SimpleLazyObject(lambda: get_user(request))
    return request


def request_for_part(scope: Mapping[str, Any], path: str) -> Any:
    """Return the request of htmx for a part of the page that has asked for the stream of this scope."""
    headers = [*scope["headers"], (b"hx-request", b"true")]
    request = _request_of({**scope, "path": path, "query_string": b"", "headers": headers})
    _csrf.process_request(request)
    return request


async def open_stream(scope: Mapping[str, Any]) -> HttpResponse | None:
    """Return the answer that opens a stream; None if Django has to answer this request.

    Django answers errors too, and says what is wrong. Only those that it does not meet as well are logged.
    """
    if scope["method"] != "GET" or not scope["path"].endswith("/stream/"):
        return None
    try:
        request = _request_of(scope)
        match = resolve(request.path_info)
        open_page = live.opener_of(match.func)
        if open_page is None or _security.process_request(request) is not None:
            return None
        request.get_host()  # refuses hosts that the site does not have
        request.ask = partial(request_for_part, scope)
        response: HttpResponse | None = await open_page(request, *match.args, **match.kwargs)
    except (Http404, SuspiciousOperation, UnicodeError):
        return None
    except Exception:
        logger.exception("Cannot open a stream. Its page polls instead.")
        return None
    if response is None:
        return None
    _security.process_response(request, response)
    patch_vary_headers(response, ["Accept-Encoding"])
    if re_accepts_gzip.search(request.headers.get("Accept-Encoding", "")):
        response["Content-Encoding"] = "gzip"
    for name, value in HEADERS.items():
        response.setdefault(name, value)
    return response
