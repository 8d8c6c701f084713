"""News of a game for its open pages: a stream of events, and a poll where the stream is not to be had."""

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
from games.queries.viewing import live_version
from games.services import presence

HEARTBEAT = 20.0  # seconds: well within the minute that presence lasts, and within proxies' patience


@require_safe
@no_store
def version(request: SiteRequest, key: str) -> HttpResponse:
    """Answer a poll with the number that changes whenever the game does."""
    return JsonResponse({"version": _look(request, key, is_visible="visible" in request.GET)})


@require_safe
@no_store
async def stream(request: HttpRequest, key: str) -> HttpResponseBase:
    """Send the game's version now and whenever it changes, as server-sent events."""
    if not isinstance(request, ASGIRequest):
        # A stream would hold one of WSGI's few workers for hours; 204 tells the browser to poll instead.
        return HttpResponse(status=204)
    await _look_async(request, key)
    response = StreamingHttpResponse(_events(request, key), content_type="text/event-stream")
    response["X-Accel-Buffering"] = "no"
    return response


async def _events(request: ASGIRequest, key: str) -> AsyncIterator[str]:
    shown: int | None = None
    async with live.listening(key) as listener:
        while not live.shutdown.is_set():
            try:
                newest = await _look_async(request, key)
            except Http404:  # the table was closed
                yield "event: gone\ndata:\n\n"
                return
            yield ": still here\n\n" if newest == shown else f"event: version\ndata: {newest}\n\n"
            shown = newest
            await listener.wait(HEARTBEAT)


def _look(request: HttpRequest, key: str, *, is_visible: bool) -> int:
    """Return the game's live version, and note that the viewer sees it if the page is visible."""
    newest = live_version(key)
    if newest is None:
        raise Http404
    if is_visible:
        presence.mark(key, request.user.pk)
    return newest


def _look_from_thread(request: HttpRequest, key: str) -> int:
    close_old_connections()
    try:
        return _look(request, key, is_visible=True)
    finally:
        close_old_connections()


# In the shared pool of threads: a thousand open pages need a few connections to the database, not a thousand.
_look_async = sync_to_async(_look_from_thread, thread_sensitive=False)
