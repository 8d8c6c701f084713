"""What few games have: whether one game has it for one viewer, so that pages ask only for what exists."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from django.db import connection
from django.db.models import Exists, QuerySet

from accounts.models import Viewer
from games.models import (
    Attendance,
    ChatLine,
    Game,
    Hint,
    HoursChange,
    Mute,
    Plan,
    PlayerRating,
    PrivateNote,
    Seat,
    SeatChange,
    SeatOffer,
    TryLine,
    Vacation,
    Vote,
)


def _players(game: int) -> QuerySet[Any, Any]:
    """Return the ids of the people on the seats of a game."""
    return Seat.objects.filter(game=game, user__isnull=False).values("user")


# By the name of each fact, the rows that make it true for a game and a viewer, by their ids.
FACTS: Mapping[str, Callable[[int, int], QuerySet[Any]]] = {
    "attendances": lambda game, _viewer: Attendance.objects.filter(user__in=_players(game)),
    "chat": lambda game, _viewer: ChatLine.objects.filter(game=game),
    "hint": lambda game, _viewer: Hint.objects.filter(game=game),
    "hours": lambda game, _viewer: HoursChange.objects.filter(user__in=_players(game)),
    "lines": lambda game, viewer: TryLine.objects.filter(game=game, user=viewer),
    "mutes": lambda _game, viewer: Mute.objects.filter(user=viewer),
    "note": lambda game, viewer: PrivateNote.objects.filter(game=game, user=viewer),
    "offers": lambda game, _viewer: SeatOffer.objects.filter(game=game).running(),
    "plan": lambda game, viewer: Plan.objects.filter(game=game, user=viewer),
    "ratings": lambda game, _viewer: PlayerRating.objects.filter(user__in=_players(game)),
    "seat_changes": lambda game, _viewer: SeatChange.objects.filter(game=game),
    "vacations": lambda game, _viewer: Vacation.objects.filter(user__in=_players(game)),
    "votes": lambda game, _viewer: Vote.objects.filter(game=game),
}
# In the place of the ids of a game and a viewer.
GAME, VIEWER = 2_000_000_011, 2_000_000_033


def facts_of(game: Game, viewer: Viewer) -> frozenset[str]:
    """Return the names of the facts that are true, with one statement for each object `game` and viewer.

    `refresh_from_db` lets them be read again.
    """
    kept = game.__dict__.setdefault("_prefetched_objects_cache", {})
    name = f"facts for {viewer.pk}"
    if name not in kept:
        statement, params = _statement(connection.vendor)
        ids = {GAME: game.pk, VIEWER: viewer.pk}
        with connection.cursor() as cursor:
            cursor.execute(statement, [ids.get(param, param) for param in params])
            row = cursor.fetchone() or ()
        kept[name] = frozenset(fact for fact, is_true in zip(FACTS, row, strict=False) if is_true)
    found: frozenset[str] = kept[name]
    return found


@cache
def _statement(_vendor: str) -> tuple[str, tuple[Any, ...]]:
    """Return the statement with its parameters. Django takes longer to write it than to run it."""
    exist = [Exists(rows(GAME, VIEWER)) for rows in FACTS.values()]
    return Game.objects.filter(pk=GAME).values_list(*exist).query.sql_with_params()
