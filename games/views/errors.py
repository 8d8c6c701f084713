"""Error pages for games."""

import logging

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control
from django.utils.deprecation import MiddlewareMixin

from games.engine import UnknownRules

logger = logging.getLogger(__name__)


class UnknownRulesMiddleware(MiddlewareMixin):
    """Shows an error page with status 503 for a game that needs a newer version of the site."""

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, UnknownRules):
            return None
        logger.error("Cannot show %s: %s", request.path, exception)
        response = render(request, "errors/unknown_rules.html", status=503)
        patch_cache_control(response, private=True, no_store=True)
        return response
