"""Live updates for open pages: a stream of events, and a poll for pages that cannot use the stream.

Each page of a person who has logged in shows how many games wait for them. The page of a game or table also
shows its version, and the home page the version of its lists.
"""

import asyncio
from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from functools import partial
from http import HTTPStatus
from typing import cast

from allauth.account.adapter import get_adapter
from asgiref.sync import sync_to_async
from django.db import close_old_connections
from django.db.models.signals import post_save
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_safe

from accounts import sessions
from accounts.models import User
from games import live, topics
from games.http import SiteRequest, StreamRequest, no_store
from games.queries.access import access_version
from games.queries.overviews import overviews, overviews_without_lists
from games.services import presence
from games.services.after_commit import update_pages_of
from games.views.game.drawing import draw_board
from games.views.open_pages import log_failure, start_tasks, updates_of, values_of

BACK_WITHIN = 4.0  # seconds; a page that is loaded again within this time was not left
AWAY_AFTER = timedelta(seconds=4)  # in a hidden tab, as in stream.js
RETRY_AFTER = 60  # seconds; the scripts of the page wait for as long

ENDING_LOG_INS = {"password", "is_active", "suspended_until"}

_leaving: set[asyncio.Task[None]] = set()


@require_safe
@no_store
def version(request: SiteRequest, key: str = "", *, of_match: bool = False) -> HttpResponse:
    """Send the newest values, for pages that poll. `key` is that of a game, or of a duplicate match.

    A brief poll gets only the version. A page whose stream works sends it to mark its viewer as present, and
    the page of a live game in a hidden tab once, to mark its player as away.
    """
    values: dict[str, object] = {}
    if key:
        values["version"], _plays = _look(
            request, key, of_match=of_match, is_visible="visible" in request.GET
        )
    if key and not of_match and "leaving" in request.GET and request.user.pk is not None:
        presence.mark_left(key, request.user.pk, timezone.now() - AWAY_AFTER)
    if "brief" in request.GET:
        return _answer(values)
    follows_lists = "lists" in request.GET
    if request.user.is_authenticated or follows_lists:
        read = overviews if follows_lists else overviews_without_lists
        values |= values_of(read([request.user.pk])[request.user.pk], with_lists=follows_lists)
    if key:
        values |= updates_of({(key, request.user.pk)}).values_for(key, request.user.pk)
    return _answer(values)


def _answer(values: dict[str, object]) -> HttpResponse:
    """Return the values with the time of the server in ms, because the header `Date` has whole seconds."""
    return JsonResponse(values, headers={"X-Time": str(round(timezone.now().timestamp() * 1000))})


@require_GET
@no_store
def stream(request: SiteRequest, key: str = "", *, of_match: bool = False) -> HttpResponse:
    """Refuse a stream that `open_page` has not opened: there is no room, or a server without streams.

    After a 204 a page polls, and asks for the stream again after a minute.
    """
    if key:
        access_version(request.user, key, of_match=of_match)
    return HttpResponse(status=HTTPStatus.NO_CONTENT, headers={"Retry-After": RETRY_AFTER})


@live.opens(stream)
async def open_page(request: StreamRequest, key: str = "", *, of_match: bool = False) -> HttpResponse | None:
    """Open a page if the viewer may have a stream; return what its response begins with.

    `novaluna_site/asgi.py` sends the events after it, without a thread. The first says who the viewer is,
    because the browser may have another one since the page was made. Returns None if Django has to answer:
    if there is no room, or the viewer is suspended. Raises Http404 if there is nothing to follow.
    """
    address = get_adapter().get_client_ip(request)
    if not live.has_room_for(address):
        return None
    page = live.Page(key, address)
    page.is_opening = True
    try:
        looked = await _look_async(request, key, of_match=of_match)
        if looked is None:
            page.close()
            return None
        newest, page.user_id, plays = looked
        page.session_key, page.is_opening = request.session.session_key, False
        page.show_values({"person": page.user_id or ""})
    except BaseException:
        page.close()
        raise
    if "live" in request.GET:
        page.is_live, page.on_leave = True, _note_leaving
    if "board" in request.GET and page.user_id is not None and plays:
        page.draw = partial(_draw_async, request.ask, key, page.user_id)
    if newest is not None:
        page.show(newest)
    if page.user_id is not None:
        page.follow(topics.of_person(page.user_id))
    if key and not (plays or of_match):
        page.follow(topics.of_spectators(key))  # Visitors read its chat after the end.
    if "lists" in request.GET:
        page.follow(topics.TABLES)
    start_tasks()
    cast(dict[str, object], request.scope)[live.PAGE] = page
    return HttpResponse(
        content_type="text/event-stream",
        headers={"X-Accel-Buffering": "no", "Cache-Control": "private, no-store"},
    )


def _note_leaving(page: live.Page) -> None:
    """Mark the player of a live game as gone if they have closed its page, and do not open it again."""
    if page.user_id is not None:
        task = asyncio.create_task(_mark_left(page.key, page.user_id))
        _leaving.add(task)
        task.add_done_callback(_leaving.discard)


async def _mark_left(key: str, user_id: int) -> None:
    since = timezone.now()
    await asyncio.sleep(BACK_WITHIN)
    if not any((page.key, page.user_id) == (key, user_id) for page in live.open_pages()):
        await _mark_left_async(key, user_id, since)


@receiver(sessions.ended)
def session_ended(user_id: int, **_signal: object) -> None:
    """Close the streams of a session that its person has ended."""
    update_pages_of(user_id)


@receiver(post_save, sender=User)
def log_ins_ended(instance: User, update_fields: Collection[str] | None, **_signal: object) -> None:
    """Close the streams of the other sessions of a person who has a new password, or may not log in."""
    if update_fields is None or ENDING_LOG_INS & {*update_fields}:
        update_pages_of(instance.pk)


def _look(request: HttpRequest, key: str, *, of_match: bool, is_visible: bool) -> tuple[int, bool]:
    """Return the live version, and mark the viewer as present if the page is visible. Raises Http404.

    Return also whether a player has been marked.
    """
    newest = access_version(request.user, key, of_match=of_match)
    return newest, is_visible and not of_match and presence.mark(key, request.user.pk)


def _draw_from_thread(
    ask: Callable[[str], SiteRequest], key: str, user_id: int, since: int | None
) -> live.Drawn | None:
    close_old_connections()
    try:
        return draw_board(ask(reverse("games:game", args=[key])), key, user_id, since)
    except Exception as error:
        # Catches any error, because the page then loads its board, and the answer says what is wrong.
        log_failure("Cannot draw a board for an open page.", error)
        return None
    finally:
        close_old_connections()


def _look_from_thread(
    request: StreamRequest, key: str, *, of_match: bool
) -> tuple[int | None, int | None, bool] | None:
    """Return the live version, who the viewer is, and whether they play; None for a suspended person."""
    close_old_connections()
    try:
        if isinstance(request.user, User) and request.user.is_suspended:
            return None
        if not key:
            return None, request.user.pk, False
        newest, plays = _look(request, key, of_match=of_match, is_visible=True)
        return newest, request.user.pk, plays
    finally:
        close_old_connections()


def _mark_left_from_thread(key: str, user_id: int, since: datetime) -> None:
    close_old_connections()
    try:
        presence.mark_left(key, user_id, since)
    finally:
        close_old_connections()


# The shared pool of threads keeps the number of database connections low for many open pages.
_draw_async = sync_to_async(_draw_from_thread, thread_sensitive=False)
_look_async = sync_to_async(_look_from_thread, thread_sensitive=False)
_mark_left_async = sync_to_async(_mark_left_from_thread, thread_sensitive=False)
