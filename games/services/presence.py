"""Presence: which players have a visible page of a game open.

A page counts for a minute after it was loaded, sent an action or a poll, or kept its stream open.
"""

import logging
from datetime import timedelta

from django.db import DatabaseError
from django.utils import timezone

from games.models import Seat

logger = logging.getLogger(__name__)

TIMEOUT = timedelta(seconds=60)


def mark(key: str, user_id: int | None) -> None:
    """Store that this player sees a page of the game `key` now; skip viewers without a seat."""
    if user_id is None:
        return
    try:
        Seat.objects.filter(game__key=key, user=user_id).update(seen_at=timezone.now())
    except DatabaseError as error:
        # Pages must show even while nothing can be stored; an email too many does no harm.
        logger.warning("Cannot store that a player sees game %s: %s", key, error)


def is_any_player_here(game_id: int) -> bool:
    """Return whether a player who has not left this game has seen a page of it within the last minute."""
    seen = timezone.now() - TIMEOUT
    return Seat.objects.filter(game=game_id, has_left=False, seen_at__gt=seen).exists()


def is_here(key: str, user_id: int) -> bool:
    """Return whether this player has seen a page of the game `key` within the last minute."""
    return Seat.objects.filter(game__key=key, user=user_id, seen_at__gt=timezone.now() - TIMEOUT).exists()
