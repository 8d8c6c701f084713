"""Answers requests for streams outside of Django's middleware, which takes longer than all the rest of it."""

import logging
from collections.abc import Mapping
from importlib import import_module
from io import BytesIO
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user
from django.core.exceptions import SuspiciousOperation
from django.http import Http404, HttpResponse
from django.middleware.security import SecurityMiddleware
from django.urls import resolve
from django.utils.functional import SimpleLazyObject

from games import live
from novaluna_site.charsets import Utf8ASGIRequest
from novaluna_site.default_headers import HEADERS

_sessions = import_module(settings.SESSION_ENGINE)
_security = SecurityMiddleware(lambda _request: HttpResponse())
logger = logging.getLogger(__name__)


class SessionStore(_sessions.SessionStore):  # type: ignore[name-defined]  # known only from the settings
    """A session that keeps its key, because a stream can't send its browser another one.

    Its name must be that of Django's class, because the name salts the signatures of stored sessions.
    """

    def cycle_key(self) -> None:
        """Do nothing: the next page that the person opens gives the session its new key."""


async def open_stream(scope: Mapping[str, Any]) -> HttpResponse | None:
    """Return the answer that opens a stream; None if Django has to answer this request.

    Django answers errors too, and says what is wrong. Only those that it does not meet as well are logged.
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
        request.session = SessionStore(request.COOKIES.get(settings.SESSION_COOKIE_NAME))
        request.user = SimpleLazyObject(lambda: get_user(request))
        response: HttpResponse | None = await open_page(request, *match.args, **match.kwargs)
    except (Http404, SuspiciousOperation, UnicodeError):
        return None
    except Exception:
        logger.exception("Cannot open a stream. Its page polls instead.")
        return None
    if response is None:
        return None
    _security.process_response(request, response)
    for name, value in HEADERS.items():
        response.setdefault(name, value)
    return response
