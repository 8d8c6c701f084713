"""Who talks with the spectators of a game, which its players must not read while it runs."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.db.models import QuerySet
from django.utils import timezone

from accounts.database.statements import Statement
from games.models.blocks import Block
from games.models.facts import facts_of
from games.models.games import Game
from games.models.seat_changes import SeatChange
from games.models.seat_offers import SeatOffer
from games.models.seats import seats_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from accounts.models import Viewer

TALK_AFTER_END = timedelta(days=1)
# Who blocks a player or is blocked by one, had a seat, or gets one when nobody objects.
KEPT_OUT = frozenset({"apart", "handed_over", "takes_seat"})


def has_spectators_chat(game: Game) -> bool:
    """Return whether those who watch a game can write now: it is for several players, on its own deal."""
    if game.is_open or game.is_solo or game.daily_id is not None or game.duplicate is not None:
        return False
    ended_at = game.moved_at if game.is_over else None
    return ended_at is None or ended_at > timezone.now() - TALK_AFTER_END


def is_spectator(game: Game, viewer: Viewer) -> bool:
    """Return whether `viewer` may read and write what spectators of a game write while it runs.

    Visitors and guests may not, because a player is easily one of them too.
    """
    if not viewer.is_authenticated or viewer.is_guest or not has_spectators_chat(game):
        return False
    if any(seat.is_of(viewer) for seat in seats_of(game)):
        return False
    return not KEPT_OUT & facts_of(game, viewer.pk)


def kept_out(keys: Collection[str], users: Collection[int]) -> set[tuple[str, int]]:
    """Return for whom of these people a fact of `KEPT_OUT` is true in which of these games, with one query.

    Each is the key of a game and the id of a user.
    """
    return set(_kept_out.rows(keys, users))


def _pairs_kept_out(keys: Collection[str], users: Collection[int]) -> QuerySet[Any, tuple[str, int]]:
    blocking = Block.objects.filter(user__in=users, blocked__seats__game__key__in=keys)
    blocked = Block.objects.filter(blocked__in=users, user__seats__game__key__in=keys)
    former = SeatChange.objects.filter(game__key__in=keys, former__in=users)
    takers = SeatOffer.objects.running().filter(game__key__in=keys, taker__in=users)
    return blocking.values_list("blocked__seats__game__key", "user").union(
        blocked.values_list("user__seats__game__key", "blocked"),
        former.order_by().values_list("game__key", "former"),
        takers.order_by().values_list("game__key", "taker"),
    )


_kept_out = Statement(_pairs_kept_out)


def needs_account_to_talk(game: Game, viewer: Viewer) -> bool:
    """Return whether `viewer` has no account, with which they could write to those who watch the game."""
    if (viewer.is_authenticated and not viewer.is_guest) or not game.is_running:
        return False
    return has_spectators_chat(game) and not any(seat.is_of(viewer) for seat in seats_of(game))
