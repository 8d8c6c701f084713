"""Requests from pages that are older than the latest log-in or log-out of their browser."""

from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.deprecation import MiddlewareMixin


class SamePersonMiddleware(MiddlewareMixin):
    """Refuses what scripts on a page of one person request while somebody else is logged in, or nobody is.

    The answer would mix what two people may see on one page, or act as the wrong one.
    """

    def process_view(
        self, request: HttpRequest, view: Callable[..., object], args: object, kwargs: object
    ) -> HttpResponse | None:
        if is_same_person(request):
            return None
        return render(request, "403_other_person.html", status=HTTPStatus.FORBIDDEN)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Say that a request had no valid token, and offer to send it again.

    A log-in replaces the token, so pages that were open before it have an old one. Only what one of our own
    pages has sent is offered again, so that nobody confirms a forged request; and never a password.
    """
    if not is_same_person(request):
        return render(request, "403_other_person.html", status=HTTPStatus.FORBIDDEN)
    context = {"fields": _sent_fields(request) if _is_from_own_page(request) else []}
    return render(request, "403_csrf.html", context, status=HTTPStatus.FORBIDDEN)


def is_same_person(request: HttpRequest) -> bool:
    """Return whether the viewer is who the page was made for, as scripts say; true if no script sends it."""
    person = request.headers.get("X-Person")
    # Most requests have no such header, and must not read the session for it.
    return person is None or person == str(request.user.pk or "")


def _is_from_own_page(request: HttpRequest) -> bool:
    return request.headers.get("Origin") == f"{request.scheme}://{request.get_host()}"


def _sent_fields(request: HttpRequest) -> list[tuple[str, str]]:
    if any("password" in name for name in request.POST):
        return []
    names = [name for name in request.POST if name != "csrfmiddlewaretoken"]
    return [(name, value) for name in names for value in request.POST.getlist(name)]
