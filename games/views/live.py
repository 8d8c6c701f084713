"""Live updates for open pages: a stream of events, and a poll for pages that cannot use the stream.

Each page of a person who has logged in shows how many games wait for them. The page of a game or table also
shows its version, and the home page the version of its lists.
"""

import asyncio
import itertools
import logging
from collections.abc import Callable, Collection, Coroutine, Mapping
from datetime import datetime, timedelta
from functools import partial
from http import HTTPStatus
from typing import NamedTuple, cast

from allauth.account.adapter import get_adapter
from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import close_old_connections
from django.db.models.signals import post_save
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_safe

from accounts import sessions
from accounts.database.errors import is_away
from accounts.models import User
from accounts.sessions import LogIn, lasting
from games import live, topics
from games.http import SiteRequest, StreamRequest, no_store
from games.queries.access import access_version, versions_of
from games.queries.chat import newest_lines
from games.queries.overviews import Overview, overviews, overviews_without_lists
from games.services import presence
from games.services.after_commit import update_pages_of
from games.views.game.drawing import draw_board

logger = logging.getLogger(__name__)

CHECK_EVERY = 20.0  # seconds
LIVE_CHECK_EVERY = 5.0  # seconds, at the live pace, because players wait for each other
BACK_WITHIN = 4.0  # seconds; a page that is loaded again within this time was not left
AWAY_AFTER = timedelta(seconds=4)  # in a hidden tab, as in stream.js
RETRY_AFTER = 60  # seconds; the scripts of the page wait for as long

ENDING_LOG_INS = {"password", "is_active", "suspended_until"}

_tasks: dict[Callable[[], Coroutine[None, None, None]], asyncio.Task[None]] = {}
_leaving: set[asyncio.Task[None]] = set()


class News(NamedTuple):
    """What is new around games: the newest chat line for each viewer, who is present, and who watches.

    Viewers don't count themselves.
    """

    lines: Mapping[tuple[str, int | None], int]
    here: Mapping[str, list[int]]
    watchers: Mapping[str, Collection[int]]

    def values_for(self, key: str, user_id: int | None) -> dict[str, object]:
        """Return the values for one viewer, by the names of their events."""
        if not key:
            return {}
        chat = self.lines.get((key, user_id))
        return {
            "here": " ".join(map(str, self.here.get(key, ()))),
            "watchers": len({*self.watchers.get(key, ())} - {user_id}),
            **({} if chat is None else {"chat": chat}),
        }


def _news_of(viewers: Collection[tuple[str, int | None]]) -> News:
    """Return what is new for these viewers; each is the key of a game and the id of a user, or None."""
    keys = {key for key, _user in viewers}
    return News(newest_lines(viewers), presence.seats_here(keys), presence.watchers_of(keys))


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
        values |= _values(read([request.user.pk])[request.user.pk], with_lists=follows_lists)
    if key:
        values |= _news_of({(key, request.user.pk)}).values_for(key, request.user.pk)
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
        if not (plays or of_match):
            page.follow(topics.of_spectators(key))
    if "lists" in request.GET:
        page.follow(topics.TABLES)
    _start_tasks()
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
        _log("Cannot draw a board for an open page.", error)
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


def _versions_from_thread(keys: set[str]) -> dict[str, int]:
    close_old_connections()
    try:
        return versions_of(keys)
    finally:
        close_old_connections()


def _lasting_from_thread(log_ins: set[LogIn]) -> set[LogIn]:
    close_old_connections()
    try:
        return lasting(log_ins)
    finally:
        close_old_connections()


def _newest_from_thread(
    user_ids: set[int | None], of_lists: set[int | None], viewers: set[tuple[str, int | None]]
) -> tuple[dict[int | None, Overview], News]:
    """Return the overviews of users, and what is new around the games that they look at.

    `of_lists` are the users of pages with lists.
    """
    close_old_connections()
    try:
        return (
            overviews_without_lists(user_ids - of_lists) | (overviews(of_lists) if of_lists else {}),
            _news_of(viewers),
        )
    finally:
        close_old_connections()


# The shared pool of threads keeps the number of database connections low for many open pages.
_draw_async = sync_to_async(_draw_from_thread, thread_sensitive=False)
_look_async = sync_to_async(_look_from_thread, thread_sensitive=False)
_mark_left_async = sync_to_async(_mark_left_from_thread, thread_sensitive=False)
_versions_async = sync_to_async(_versions_from_thread, thread_sensitive=False)
_lasting_async = sync_to_async(_lasting_from_thread, thread_sensitive=False)
_newest_async = sync_to_async(_newest_from_thread, thread_sensitive=False)


def _start_tasks() -> None:
    """Start the tasks of this process, which send beats, check all open pages, and update late ones."""
    loop = asyncio.get_running_loop()
    for work in (_beat_for_ever, _check_for_ever, _check_live_for_ever, _update_for_ever):
        if work not in _tasks or _tasks[work].done():
            _tasks[work] = loop.create_task(work())


async def _beat_for_ever() -> None:
    # Not a part of the check, which waits for the database.
    for turn in itertools.cycle(range(live.TURNS)):
        await asyncio.sleep(settings.STREAMS_BEAT / live.TURNS)
        for page in live.pages_of_turn(turn):
            page.beat()


async def _check_for_ever() -> None:
    for turn in itertools.cycle(range(live.TURNS)):
        were_lost = await live.wait_until_late(CHECK_EVERY / live.TURNS)
        try:
            for each in range(live.TURNS) if were_lost else [turn]:
                await _check(live.pages_of_turn(each))
        except Exception as error:
            # Catches any error, because pages stay open when the database is down, and need later checks.
            _log("Cannot check the open pages.", error)


async def _check_live_for_ever() -> None:
    while True:
        await asyncio.sleep(LIVE_CHECK_EVERY)
        live.mark_late(page for page in live.open_pages() if page.is_live)


async def _update_for_ever() -> None:
    while True:
        pages = await live.late_pages()
        try:
            await _update(pages)
        except Exception as error:
            # Catches any error, as above. The next check finds these pages.
            _log("Cannot update the open pages.", error)


def _log(words: str, error: Exception) -> None:
    if is_away(error):
        logger.error("%s %s", words, " ".join(str(error).split()))
    else:
        logger.exception(words)


async def _check(pages: list[live.Page]) -> None:
    """Send these open pages the newest values.

    An open stream is no presence: the connection to its visitor may have ended without a word.
    """
    if not pages:
        return
    newest = await _versions_async({page.key for page in pages})
    for page in pages:
        if page.key:
            page.check(newest.get(page.key))
    # Only one task reads overviews, so that an older one never replaces a newer one.
    live.mark_late(page for page in {*pages}.intersection(live.open_pages()) if not page.is_opening)


async def _update(pages: list[live.Page]) -> None:
    """Send these pages what they follow of all games of their users, and the chat and people of their own.

    A page whose log-in has ended gets nothing more: its stream ends, and it opens the next one as a visitor.
    It takes seven queries for all of them, and four more if some of them have lists.
    """
    pages = await _close_ended(pages)
    viewers = {(page.key, page.user_id) for page in pages if page.key}
    users = {page.user_id for page in pages if page.topics}
    of_lists = {page.user_id for page in pages if topics.TABLES in page.topics}
    newest, news = await _newest_async(users, of_lists, viewers)
    for page in pages:
        if page.topics:
            values = _values(newest[page.user_id], with_lists=topics.TABLES in page.topics)
            page.show_values(values | news.values_for(page.key, page.user_id))
        elif page.user_id is None:
            page.show_values(news.values_for(page.key, None))


async def _close_ended(pages: list[live.Page]) -> list[live.Page]:
    """Close the pages whose log-in has ended, and return the others."""
    log_ins = {(page.session_key, page.user_id) for page in pages if page.user_id is not None}
    last = await _lasting_async(log_ins) if log_ins else set()
    ended = {
        page for page in pages if page.user_id is not None and (page.session_key, page.user_id) not in last
    }
    for page in ended:
        page.close()
    return [page for page in pages if page not in ended]


def _values(newest: Overview, *, with_lists: bool) -> dict[str, object]:
    """Return what a page shows of this overview, by the names of the events."""
    return {"turns": newest.turns} | ({"lists": newest.lists} if with_lists else {})
