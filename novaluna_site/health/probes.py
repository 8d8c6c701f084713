"""Answers for monitors and proxies: `/healthz` says that the process lives, `/readyz` how the site does.

`/metrics` has its figures, for Prometheus. They are answered before anything else, because a probe comes
without TLS and with the name of a machine.
"""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from asgiref.sync import iscoroutinefunction, sync_to_async
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.decorators import sync_and_async_middleware

from novaluna_site.health import metrics, readiness

Handler = Callable[[HttpRequest], Any]


@sync_and_async_middleware
def answer_probes(get_response: Handler) -> Handler:
    """Answer the addresses of `ANSWERS`."""
    if iscoroutinefunction(get_response):

        async def respond_async(request: HttpRequest) -> Any:
            if answer := ANSWERS.get(request.path):
                return await sync_to_async(answer)(request)
            return await get_response(request)

        return respond_async

    def respond(request: HttpRequest) -> Any:
        answer = ANSWERS.get(request.path)
        return answer(request) if answer else get_response(request)

    return respond


def _say_that_it_lives(_request: HttpRequest) -> HttpResponse:
    return HttpResponse("ok\n", content_type="text/plain")


def _say_how_it_does(request: HttpRequest) -> HttpResponse:
    found = readiness.findings()
    is_failure = any(found[name] for name in (found if "strict" in request.GET else readiness.NEEDED))
    return JsonResponse(
        {"status": "ok" if not any(found.values()) else "failing", "checks": found},
        status=HTTPStatus.SERVICE_UNAVAILABLE if is_failure else HTTPStatus.OK,
    )


def _show_figures(request: HttpRequest) -> HttpResponse:
    """Show the figures to those who ask on this machine or in its network, without a proxy in between."""
    if "X-Forwarded-For" in request.headers:
        return HttpResponse(status=HTTPStatus.NOT_FOUND)
    return HttpResponse(metrics.exposition(), content_type=metrics.CONTENT_TYPE)


ANSWERS: dict[str, Callable[[HttpRequest], HttpResponse]] = {
    "/healthz": _say_that_it_lives,
    "/readyz": _say_how_it_does,
    "/metrics": _show_figures,
}
