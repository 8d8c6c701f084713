"""Presence: which players have a visible page of a game open.

A page counts for a minute after it was loaded, opened its stream, or sent an action or a poll. An open stream
does not count, because a connection can end without a word. So a player's page also polls every 40 seconds.
"""

import logging
from collections import defaultdict
from collections.abc import Collection

from django.db import DatabaseError
from django.utils import timezone

from accounts.models import Viewer
from games.models import Game, Seat, SeatQuerySet, seats_of

logger = logging.getLogger(__name__)


def mark(key: str, user_id: int | None) -> None:
    """Store that this player sees a page of the game `key` now; skip viewers without a seat."""
    if user_id is not None:
        _mark(Seat.objects.filter(game__key=key, user=user_id))


def _mark(seats: SeatQuerySet) -> None:
    try:
        seats.update(seen_at=timezone.now())
    except DatabaseError as error:
        # Pages must show even while nothing can be stored; an email too many does no harm.
        logger.warning("Cannot store that a player sees a game: %s", error)


def mark_in(game: Game, viewer: Viewer) -> None:
    """Store that this viewer sees a page of a game now; skip viewers without a seat."""
    mark_seats([seat for seat in seats_of(game) if seat.is_of(viewer)])


def mark_seats(seats: Collection[Seat]) -> None:
    """Store that the players of these seats see a page of their game now."""
    if seats:
        _mark(Seat.objects.filter(pk__in=[seat.pk for seat in seats]))


def is_any_player_here(game_id: int) -> bool:
    """Return whether a player who has not left this game has seen a page of it within the last minute."""
    return Seat.objects.here(timezone.now()).filter(game=game_id, has_left=False).exists()


def is_here(key: str, user_id: int) -> bool:
    """Return whether this player has seen a page of the game `key` within the last minute."""
    return Seat.objects.here(timezone.now()).filter(game__key=key, user=user_id).exists()


def seats_here(keys: Collection[str]) -> dict[str, list[int]]:
    """Return the seats of the players who have each of these games open, by the key of the game.

    Games in which nobody is present are left out.
    """
    here: defaultdict[str, list[int]] = defaultdict(list)
    if keys:
        seats = Seat.objects.here(timezone.now()).filter(game__key__in=keys).order_by("number")
        for key, number in seats.values_list("game__key", "number"):
            here[key].append(number)
    return here
