"""Live updates for open pages: a stream of events, and a poll for pages that cannot use the stream."""

from collections.abc import AsyncIterator

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.db import close_old_connections
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    JsonResponse,
    StreamingHttpResponse,
)
from django.views.decorators.http import require_safe

from games import live
from games.http import SiteRequest, no_store
from games.queries.access import access_version
from games.services import presence

HEARTBEAT = 20.0  # seconds; less than the timeouts of presence and of proxies


@require_safe
@no_store
def version(request: SiteRequest, key: str) -> HttpResponse:
    """Send the live version of a game or table, for pages that poll."""
    return JsonResponse({"version": _look(request, key, is_visible="visible" in request.GET)})


@require_safe
@no_store
async def stream(request: HttpRequest, key: str) -> HttpResponseBase:
    """Send the live version now and after each change, as server-sent events."""
    if not isinstance(request, ASGIRequest):
        # Under WSGI a stream would occupy one of few workers for hours. After a 204, the page polls instead.
        return HttpResponse(status=204)
    await _look_async(request, key)
    response = StreamingHttpResponse(_events(request, key), content_type="text/event-stream")
    response["X-Accel-Buffering"] = "no"
    return response


async def _events(request: ASGIRequest, key: str) -> AsyncIterator[str]:
    shown: int | None = None
    async with live.listen(key) as listener:
        while not live.shutdown.is_set():
            try:
                newest = await _look_async(request, key)
            except Http404:  # The table was closed.
                yield "event: gone\ndata:\n\n"
                return
            yield ": still here\n\n" if newest == shown else f"event: version\ndata: {newest}\n\n"
            shown = newest
            await listener.wait(HEARTBEAT)


def _look(request: HttpRequest, key: str, *, is_visible: bool) -> int:
    """Return the live version, and mark the viewer as present if the page is visible. Raises Http404."""
    newest = access_version(request.user, key)
    if is_visible:
        presence.mark(key, request.user.pk)
    return newest


def _look_from_thread(request: HttpRequest, key: str) -> int:
    close_old_connections()
    try:
        return _look(request, key, is_visible=True)
    finally:
        close_old_connections()


# The shared pool of threads keeps the number of database connections low for many open pages.
_look_async = sync_to_async(_look_from_thread, thread_sensitive=False)
