"""Whether a player may nudge the one who is to move."""

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from accounts.models import Viewer
from games.models import PATIENCE, Game, Nudge, may_nudge_from


@dataclass(frozen=True)
class NudgeState:
    """The player to move, who has not moved for a day; `last` is when they were nudged in this turn."""

    name: str
    is_possible: bool
    last: datetime | None


def nudge_state(game: Game, viewer: Viewer) -> NudgeState | None:
    """Return what `viewer` may know about nudges now; None while the game has waited less than a day.

    It is also None if the viewer has no seat or is to move, or if a bot is to move.
    """
    if game.moved_at is None or timezone.now() < game.moved_at + PATIENCE or game.is_solo:
        return None
    seat = game.seats.awaited().select_related("user").first()
    plays = game.seats.of(viewer).filter(has_left=False).exists()
    if seat is None or seat.user is None or seat.is_of(viewer) or not plays:
        return None
    last = Nudge.objects.filter(game=game, user=seat.user, at__gt=game.moved_at).last()
    is_possible = may_nudge_from(game, seat.user) <= timezone.now()
    return NudgeState(seat.name, is_possible, last.at if last else None)
