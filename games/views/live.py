"""Live updates for open pages: a stream of events, and a poll for pages that cannot use the stream."""

import asyncio
import logging
from http import HTTPStatus
from typing import cast

from allauth.account.adapter import get_adapter
from asgiref.sync import sync_to_async
from django.contrib.sessions.models import Session
from django.core.handlers.asgi import ASGIRequest
from django.db import close_old_connections
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_GET, require_safe

from games import live
from games.http import SiteRequest, no_store
from games.queries.access import access_version, versions_of
from games.services import presence

logger = logging.getLogger(__name__)

CHECK_EVERY = 20.0  # seconds; less than the timeouts of presence and of proxies
RETRY_AFTER = 60  # seconds; the scripts of the page wait for as long

_checker: asyncio.Task[None] | None = None


@require_safe
@no_store
def version(request: SiteRequest, key: str) -> HttpResponse:
    """Send the live version of a game or table, for pages that poll."""
    return JsonResponse({"version": _look(request, key, is_visible="visible" in request.GET)})


@require_GET
@no_store
async def stream(request: HttpRequest, key: str) -> HttpResponse:
    """Check that the viewer may open a stream, and leave the open page to `novaluna_site/asgi.py`.

    It sends the events after this response, because Django would keep a thread for each open stream.
    """
    if not isinstance(request, ASGIRequest):
        # Under WSGI a stream would occupy one of few workers for hours.
        return _poll_instead()
    address = get_adapter().get_client_ip(request)
    if not live.has_room_for(address):
        return _poll_instead()
    page = live.Page(key, address)
    try:
        newest, page.user_id = await _look_async(request, key)
        page.session_key = request.session.session_key
    except BaseException:
        page.close()
        raise
    page.show(newest)
    _check_regularly()
    cast(dict[str, object], request.scope)[live.PAGE] = page
    return HttpResponse(content_type="text/event-stream", headers={"X-Accel-Buffering": "no"})


def _poll_instead() -> HttpResponse:
    """Refuse a stream. After a 204 a page polls, and asks for the stream again after a minute."""
    return HttpResponse(status=HTTPStatus.NO_CONTENT, headers={"Retry-After": RETRY_AFTER})


def _look(request: HttpRequest, key: str, *, is_visible: bool) -> int:
    """Return the live version, and mark the viewer as present if the page is visible. Raises Http404."""
    newest = access_version(request.user, key)
    if is_visible:
        presence.mark(key, request.user.pk)
    return newest


def _look_from_thread(request: HttpRequest, key: str) -> tuple[int, int | None]:
    close_old_connections()
    try:
        return _look(request, key, is_visible=True), request.user.pk
    finally:
        close_old_connections()


def _check_from_thread(pages: list[live.Page]) -> dict[str, int]:
    close_old_connections()
    try:
        presence.mark_all(_players_of(pages))
        return versions_of({page.key for page in pages})
    finally:
        close_old_connections()


def _players_of(pages: list[live.Page]) -> set[tuple[str, int]]:
    """Return the key and the user of each page whose user has not logged out since it was opened."""
    keys = {page.session_key for page in pages if page.user_id is not None}
    sessions = set(Session.objects.filter(session_key__in=keys).values_list("session_key", flat=True))
    return {
        (page.key, page.user_id)
        for page in pages
        if page.user_id is not None and page.session_key in sessions
    }


# The shared pool of threads keeps the number of database connections low for many open pages.
_look_async = sync_to_async(_look_from_thread, thread_sensitive=False)
_check_async = sync_to_async(_check_from_thread, thread_sensitive=False)


def _check_regularly() -> None:
    """Check all open pages of this process regularly, in one task."""
    global _checker
    if _checker is None or _checker.done():
        _checker = asyncio.get_running_loop().create_task(_check_for_ever())


async def _check_for_ever() -> None:
    while True:
        await live.wait_until_late(CHECK_EVERY)
        try:
            await _check()
        except Exception:
            # Catches any error, because pages stay open when the database is down, and need later checks.
            logger.exception("Cannot check the open pages.")


async def _check() -> None:
    """Send all open pages the newest version, which also shows that they are connected, and mark presence."""
    pages = live.open_pages()
    newest = await _check_async(pages)
    for page in pages:
        page.show(newest.get(page.key))
