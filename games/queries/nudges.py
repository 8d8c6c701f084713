"""Whether a player may nudge those who are to move."""

from datetime import datetime
from typing import NamedTuple

from django.utils import timezone

from accounts.models import Viewer
from games.models import (
    PATIENCE,
    Game,
    Nudge,
    Seat,
    apart_from,
    choice_began_at,
    facts_of,
    may_nudge_from,
    seats_of,
)
from games.shown.words import join_words

# The page says when a nudge becomes possible from this long after the last action. Earlier, nobody asks.
SHOWN_AFTER = PATIENCE / 2


class NudgeState(NamedTuple):
    """Who is to move, from when they may be nudged, and when they were nudged in this turn (`last`)."""

    name: str
    starts_at: datetime
    last: datetime | None

    @property
    def is_possible(self) -> bool:
        """Whether they may be nudged now."""
        return self.starts_at <= timezone.now()


def nudge_state(game: Game, viewer: Viewer) -> NudgeState | None:
    """Return what `viewer` may know about nudges now; None while the game has waited less than half a day.

    It is also None if the viewer has no seat or is to move, if only bots are to move, or if the time of the
    players to move is up before a first nudge would be possible.
    """
    if game.started_at is None or timezone.now() < game.started_at + SHOWN_AFTER or game.is_solo:
        return None
    own = next((seat for seat in seats_of(game) if seat.is_of(viewer) and not seat.has_left), None)
    if own is None or own.is_awaited:
        return None
    awaited = [seat for seat in seats_of(game) if seat.is_awaited and seat.has_clock]
    if "blocks" in facts_of(game, viewer.pk):
        apart = set(apart_from(viewer.pk))
        awaited = [seat for seat in awaited if seat.user_id not in apart]
    states = [state for seat in awaited if (state := _state_of(seat)) is not None]
    possible = [state for state in states if state.is_possible]
    if possible:
        return possible[0]._replace(name=join_words([state.name for state in possible]))
    return min(states, key=lambda state: state.starts_at, default=None)


def _state_of(seat: Seat) -> NudgeState | None:
    began_at = choice_began_at(seat)
    if timezone.now() < began_at + SHOWN_AFTER:
        return None
    last = Nudge.objects.filter(game=seat.game, user=seat.user, at__gt=began_at).last()
    starts_at = may_nudge_from(seat)
    if last is None and seat.time_is_up_at is not None and seat.time_is_up_at < starts_at:
        return None
    return NudgeState(seat.name, starts_at, last.at if last else None)
