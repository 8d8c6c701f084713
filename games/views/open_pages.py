"""The tasks that keep the open pages of this process right: beats, checks, and updates of late pages."""

import asyncio
import itertools
import logging
from collections.abc import Callable, Collection, Coroutine, Mapping
from typing import NamedTuple

from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import close_old_connections

from accounts.database.errors import is_away
from accounts.sessions import LogIn, lasting
from games import live, topics
from games.queries.access import versions_of
from games.queries.chat import newest_lines
from games.queries.overviews import Overview, overviews, overviews_without_lists
from games.services import presence

logger = logging.getLogger(__name__)

CHECK_EVERY = 20.0  # seconds
LIVE_CHECK_EVERY = 5.0  # seconds, at the live pace, because players wait for each other

_tasks: dict[Callable[[], Coroutine[None, None, None]], asyncio.Task[None]] = {}


class Updates(NamedTuple):
    """What changes around games: the newest chat line for each viewer, who is present, and who watches.

    Viewers don't count themselves.
    """

    lines: Mapping[tuple[str, int | None], int]
    here: Mapping[str, list[int]]
    spectators: Mapping[str, Collection[int]]

    def values_for(self, key: str, user_id: int | None) -> dict[str, object]:
        """Return the values for one viewer, by the names of their events."""
        if not key:
            return {}
        chat = self.lines.get((key, user_id))
        return {
            "here": " ".join(map(str, self.here.get(key, ()))),
            "spectators": len({*self.spectators.get(key, ())} - {user_id}),
            **({} if chat is None else {"chat": chat}),
        }


def updates_of(viewers: Collection[tuple[str, int | None]]) -> Updates:
    """Return these updates for viewers; each is the key of a game and the id of a user, or None."""
    keys = {key for key, _user in viewers}
    return Updates(newest_lines(viewers), presence.seats_here(keys), presence.spectators_of(keys))


def values_of(newest: Overview, *, with_lists: bool) -> dict[str, object]:
    """Return what a page shows of this overview, by the names of the events."""
    return {"turns": newest.turns} | ({"lists": newest.lists} if with_lists else {})


def start_tasks() -> None:
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
            log_failure("Cannot check the open pages.", error)


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
            log_failure("Cannot update the open pages.", error)


def log_failure(words: str, error: Exception) -> None:
    """Log an error: in one line if the database is away, else with its traceback."""
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
    It takes the same few queries however many pages there are, and more if some of them have lists.
    """
    pages = await _close_ended(pages)
    viewers = {(page.key, page.user_id) for page in pages if page.key}
    users = {page.user_id for page in pages if page.user_id is not None}
    of_lists = {page.user_id for page in pages if topics.TABLES in page.topics}
    newest, updates = await _newest_async(users, of_lists, viewers)
    for page in pages:
        overview, with_lists = newest.get(page.user_id), topics.TABLES in page.topics
        values = values_of(overview, with_lists=with_lists) if overview else {}
        page.show_values(values | updates.values_for(page.key, page.user_id))


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
    user_ids: set[int], of_lists: set[int | None], viewers: set[tuple[str, int | None]]
) -> tuple[dict[int | None, Overview], Updates]:
    """Return the overviews of users, and what is new around the games that they look at.

    `of_lists` are the users of pages with lists.
    """
    close_old_connections()
    try:
        return (
            overviews_without_lists(user_ids - of_lists) | (overviews(of_lists) if of_lists else {}),
            updates_of(viewers),
        )
    finally:
        close_old_connections()


# The shared pool of threads keeps the number of database connections low for many open pages.
_versions_async = sync_to_async(_versions_from_thread, thread_sensitive=False)
_lasting_async = sync_to_async(_lasting_from_thread, thread_sensitive=False)
_newest_async = sync_to_async(_newest_from_thread, thread_sensitive=False)
