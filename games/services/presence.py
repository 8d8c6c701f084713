"""Who has which game open: a visible page, seen by load, action, stream or poll within the last minute."""

from datetime import timedelta

from django.utils import timezone

from games.models import Seat

LASTS = timedelta(seconds=60)


def mark(key: str, user_id: int | None) -> None:
    """Note that this person sees a page of the game `key` now; watchers and strangers are not noted."""
    if user_id is None:
        return
    Seat.objects.filter(game__key=key, user=user_id).update(seen_at=timezone.now())


def anybody_is_here(game_id: int) -> bool:
    """Whether any player who has not left this game has seen a page of it within the last minute."""
    seen = timezone.now() - LASTS
    return Seat.objects.filter(game=game_id, has_left=False, seen_at__gt=seen).exists()


def is_here(key: str, user_id: int) -> bool:
    """Whether this player has seen a page of the game `key` within the last minute."""
    return Seat.objects.filter(game__key=key, user=user_id, seen_at__gt=timezone.now() - LASTS).exists()
