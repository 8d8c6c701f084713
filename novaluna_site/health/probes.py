"""Answers for monitors and proxies: `/healthz` says that the process lives, `/readyz` how the site does.

They are answered before anything else, because a probe comes without TLS and with the name of a machine.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from http import HTTPStatus
from typing import Any

from asgiref.sync import iscoroutinefunction, sync_to_async
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.decorators import sync_and_async_middleware

from novaluna_site.health import services
from novaluna_site.health.finding import Finding

Handler = Callable[[HttpRequest], Any]
Check = Callable[[], Iterator[Finding]]

# Without these, a process can show no page.
NEEDED: Mapping[str, Check] = {
    "database": services.database,
    "migrations": lambda: iter(() if _has_tables() else services.missing_migrations()),
}
# Pages work without these. A proxy must not take them away, but somebody should look.
WATCHED: Mapping[str, Check] = {
    "redis": services.redis_server,
    "parts": services.parts,
    "games": services.comparison,
}


@sync_and_async_middleware
def answer_probes(get_response: Handler) -> Handler:
    """Answer `/healthz` and `/readyz`."""
    if iscoroutinefunction(get_response):

        async def respond_async(request: HttpRequest) -> Any:
            if request.path in ("/healthz", "/readyz"):
                return await sync_to_async(_answer)(request)
            return await get_response(request)

        return respond_async

    def respond(request: HttpRequest) -> Any:
        return _answer(request) if request.path in ("/healthz", "/readyz") else get_response(request)

    return respond


def _answer(request: HttpRequest) -> HttpResponse:
    if request.path == "/healthz":
        return HttpResponse("ok\n", content_type="text/plain")
    needed = {name: _words(check) for name, check in NEEDED.items()}
    watched = {} if any(needed.values()) else {name: _words(check) for name, check in WATCHED.items()}
    found = needed | watched
    is_failure = any(needed.values()) or ("strict" in request.GET and any(watched.values()))
    return JsonResponse(
        {"status": "ok" if not any(found.values()) else "failing", "checks": found},
        status=HTTPStatus.SERVICE_UNAVAILABLE if is_failure else HTTPStatus.OK,
    )


def _words(check: Check) -> list[str]:
    try:
        return [finding.what for finding in check()]
    except DatabaseError as error:
        return [f"The database does not answer: {error}"]


@lru_cache(maxsize=1)
def _found_tables() -> bool:
    return True


def _has_tables() -> bool:
    """Return whether all migrations were applied once. No later look is needed: they are never undone."""
    if _found_tables.cache_info().currsize:
        return True
    if any(services.missing_migrations()):
        return False
    return _found_tables()
