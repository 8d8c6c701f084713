"""Pages with status 503 for a database that is away, or that cannot store anything just now."""

import logging
import sys
import time
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.cache import patch_cache_control
from django.utils.deprecation import MiddlewareMixin
from django.views.defaults import server_error

from accounts.database.errors import is_away, is_unable_to_store

logger = logging.getLogger(__name__)

RETRY_AFTER = 15  # seconds
# Every request fails while the database is away, so only some of them are logged.
LOG_EVERY = 10.0  # seconds
_logged_at: dict[str, float] = {}  # by template, by time.monotonic()


class StorageErrorsMiddleware(MiddlewareMixin):
    """Shows an error page if a view cannot read or store what it must."""

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        return _page_about(request, exception)


def crash(request: HttpRequest) -> HttpResponse:
    """Show the page for an error of the site, or of its database.

    Errors outside of views are shown here: those of middleware that looks up the session and its user.
    """
    return _page_about(request, sys.exc_info()[1]) or server_error(request)


def _page_about(request: HttpRequest, error: BaseException | None) -> HttpResponse | None:
    """Return the page about an error of the database; None for other errors."""
    if is_away(error):
        # Without the variables of other pages, which need the database.
        page = "errors/away.html"
        response = HttpResponse(render_to_string(page), status=HTTPStatus.SERVICE_UNAVAILABLE)
    elif is_unable_to_store(error):
        # Pages do not write anything that they cannot do without, so they still show.
        page = "errors/cannot_store.html"
        response = render(request, page, status=HTTPStatus.SERVICE_UNAVAILABLE)
    else:
        return None
    _log(page, request, error)
    # Django would log the error again, with its traceback.
    response._has_been_logged = True  # type: ignore[attr-defined]  # Django's own mark
    response["Retry-After"] = RETRY_AFTER
    patch_cache_control(response, private=True, no_store=True)
    return response


def _log(page: str, request: HttpRequest, error: BaseException | None) -> None:
    now = time.monotonic()
    if now - _logged_at.get(page, -LOG_EVERY) >= LOG_EVERY:
        _logged_at[page] = now
        logger.error(
            "The database cannot serve %s %s, and perhaps other requests: %s",
            request.method,
            request.path,
            " ".join(str(error).split()),
        )
