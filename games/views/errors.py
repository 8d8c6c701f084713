"""Error pages for games."""

import logging
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control
from django.utils.deprecation import MiddlewareMixin

from games.queries.access import NotYet
from games.services.errors import retry_after
from games.titles.rules import UnknownRules

logger = logging.getLogger(__name__)


class RetryAfterMiddleware(MiddlewareMixin):
    """Says in the header of a refusal by a limit when the request may be made again."""

    def process_request(self, _request: HttpRequest) -> None:
        retry_after.set(0)

    def process_response(self, _request: HttpRequest, response: HttpResponse) -> HttpResponse:
        if response.status_code == HTTPStatus.TOO_MANY_REQUESTS and retry_after.get():
            response["Retry-After"] = str(retry_after.get())
        return response


class GameErrorsMiddleware(MiddlewareMixin):
    """Shows an error page for a game that the viewer may not see yet, or that needs a newer site."""

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, NotYet):
            context = {"game": exception.game, "knows_hand": exception.knows_hand}
            response = render(request, "errors/not_yet.html", context, status=403)
        elif isinstance(exception, UnknownRules):
            logger.error("Cannot show %s: %s", request.path, exception)
            response = render(request, "errors/unknown_rules.html", status=503)
        else:
            return None
        patch_cache_control(response, private=True, no_store=True)
        return response
