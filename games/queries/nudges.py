"""Whether a player may nudge the one who is to move."""

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from accounts.models import Viewer
from games.models import PATIENCE, Game, Nudge, may_nudge_from

# The page says when a nudge becomes possible from this long after the last action. Earlier, nobody asks.
SHOWN_AFTER = PATIENCE / 2


@dataclass(frozen=True)
class NudgeState:
    """The player to move, from when they may be nudged, and when they were nudged in this turn (`last`)."""

    name: str
    starts_at: datetime
    last: datetime | None

    @property
    def is_possible(self) -> bool:
        """Whether the player may be nudged now."""
        return self.starts_at <= timezone.now()


def nudge_state(game: Game, viewer: Viewer) -> NudgeState | None:
    """Return what `viewer` may know about nudges now; None while the game has waited less than half a day.

    It is also None if the viewer has no seat or is to move, if a bot is to move, or if the time of the player
    to move is up before a first nudge would be possible.
    """
    if game.moved_at is None or timezone.now() < game.moved_at + SHOWN_AFTER or game.is_solo:
        return None
    seat = game.seats.awaited().select_related("user").first()
    plays = game.seats.of(viewer).filter(has_left=False).exists()
    if seat is None or seat.user is None or seat.is_of(viewer) or not plays:
        return None
    last = Nudge.objects.filter(game=game, user=seat.user, at__gt=game.moved_at).last()
    starts_at = may_nudge_from(game, seat.user)
    if last is None and game.deadline is not None and game.deadline < starts_at:
        return None
    return NudgeState(seat.name, starts_at, last.at if last else None)
