"""Presence: which players and spectators have a visible page of a game open.

A page counts for a minute after it was loaded, opened its stream, or sent an action or a poll. An open stream
does not count, because a connection can end without a word. So the page also polls every 40 seconds. At the
live pace, opponents wait for each other: there, a player whose stream ends has left.
"""

import logging
from collections import defaultdict
from collections.abc import Collection
from datetime import datetime

from django.db import DatabaseError
from django.utils import timezone

from accounts.database.statements import Statement, Update
from accounts.models import Viewer
from games.clocks import LIVE_PACES
from games.models import PRESENCE, Game, GameQuerySet, Seat, Watch, seats_of

logger = logging.getLogger(__name__)


def mark(key: str, user_id: int | None) -> bool:
    """Store that this person sees a page of the game `key` now; return whether they have a seat in it.

    Visitors are skipped.
    """
    if user_id is None:
        return False
    if _mark(key, user_id):
        return True
    _mark_spectator(Game.objects.filter(key=key), user_id)
    return False


def mark_player(key: str, user_id: int) -> bool:
    """Store that this player sees a page of the game `key` now; return whether they have a seat in it."""
    return bool(_mark(key, user_id)) or Seat.objects.filter(game__key=key, user=user_id).exists()


def mark_in(game: Game, viewer: Viewer) -> None:
    """Store that this viewer sees a page of a game now; visitors are skipped."""
    if viewer.pk is None:
        return
    if any(seat.is_of(viewer) for seat in seats_of(game)):
        _mark(game.key, viewer.pk)
    elif game.is_running:
        _mark_spectator(Game.objects.filter(pk=game.pk), viewer.pk)


def mark_left(key: str, user_id: int, since: datetime) -> None:
    """Store that this player has left the live game `key`, unless they saw a page of it after `since`."""
    games = Game.objects.running().filter(key=key, pace__in=LIVE_PACES)
    try:
        Seat.objects.filter(game__in=games, user=user_id, seen_at__lte=since).update(seen_at=since - PRESENCE)
    except DatabaseError as error:
        _log(error)


def _mark(key: str, user_id: int) -> int:
    """Store that this player is present; return how many seats they have in the game."""
    try:
        return _seen.run(timezone.now(), key, user_id)
    except DatabaseError as error:
        _log(error)
        return 0


_seen = Update("seen_at", lambda key, user: Seat.objects.filter(game__key=key, user=user))


def _mark_spectator(games: GameQuerySet, user_id: int) -> None:
    """Store that a person without a seat sees a page of the one game in `games`, if it can be watched.

    Visitors do not count: a program that loads pages would be a crowd.
    """
    try:
        game_id = games.running().multiplayer().listed().values_list("pk", flat=True).first()
        if game_id is not None:
            Watch.objects.bulk_create(
                [Watch(user_id=user_id, game_id=game_id, seen_at=timezone.now())],
                update_conflicts=True,
                unique_fields=["user"],
                update_fields=["game", "seen_at"],
            )
    except DatabaseError as error:
        _log(error)


def _log(error: DatabaseError) -> None:
    # Pages must show even while nothing can be stored; an email too many does no harm.
    logger.warning("Cannot store that somebody sees a game: %s", error)


def is_any_player_here(game_id: int) -> bool:
    """Return whether a player who has not left this game has seen a page of it within the last minute."""
    return Seat.objects.here(timezone.now()).filter(game=game_id, has_left=False).exists()


def spectators_of(keys: Collection[str]) -> dict[str, set[int]]:
    """Return who of the people without a seat looks at each of these games, by its key, if somebody does."""
    spectators: defaultdict[str, set[int]] = defaultdict(set)
    if keys:
        for key, user_id in _spectators.rows(keys, *_last_minute()):
            spectators[key].add(user_id)
    return spectators


_spectators = Statement(
    lambda keys, after, before: (
        Watch.objects.filter(game__key__in=keys, game__status=Game.Status.RUNNING)
        .seen_between(after, before)
        .values_list("game__key", "user")
    )
)


def seats_here(keys: Collection[str]) -> dict[str, list[int]]:
    """Return the seats of the players who have each of these games open, by the key of the game.

    Games in which nobody is present are left out.
    """
    here: defaultdict[str, list[int]] = defaultdict(list)
    if keys:
        for key, number in _seats_here.rows(keys, *_last_minute()):
            here[key].append(number)
    return here


_seats_here = Statement(
    lambda keys, after, before: (
        Seat.objects.filter(game__key__in=keys)
        .seen_between(after, before)
        .order_by("number")
        .values_list("game__key", "number")
    )
)


def _last_minute() -> tuple[datetime, datetime]:
    now = timezone.now()
    return now - PRESENCE, now + PRESENCE
