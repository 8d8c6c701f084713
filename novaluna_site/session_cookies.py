"""Middleware for sessions: a late answer to an earlier session keeps the cookie of the present one."""

from django.conf import settings
from django.contrib.sessions import middleware
from django.http import HttpRequest, HttpResponse


class SessionMiddleware(middleware.SessionMiddleware):
    """Deletes the cookie only in answers to what somebody sent, such as a log-out.

    A log-in gives the browser a new session and ends the one before it. Django would answer what an open page
    still requests in that one by deleting the cookie, and so log out whoever has just logged in.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        response = super().process_response(request, response)
        cookie = response.cookies.get(settings.SESSION_COOKIE_NAME)
        if cookie is not None and not cookie.value and not _ends_session(request):
            del response.cookies[settings.SESSION_COOKIE_NAME]
        return response


def _ends_session(request: HttpRequest) -> bool:
    return request.method == "POST" and request.session.modified
