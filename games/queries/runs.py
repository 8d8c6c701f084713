"""Runs of turns: one player is to move, once or several times, until another one is."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import NamedTuple

from django.db.models import OuterRef, Subquery

from accounts.models import User
from games.models import Action, Game, Seat


class Run(NamedTuple):
    """The turn of a player: after which number in the log it began, and when."""

    number: int
    began_at: datetime


def runs_of(user: User, games: Collection[Game]) -> Mapping[int, Run]:
    """Return the turn of a person in each of these games that wait for them, by the id of the game.

    It is the same after each action of theirs, as long as it is their turn.
    """
    begun_by = Action.objects.filter(game=OuterRef("game"), number=OuterRef("awaited_since"))
    seats = Seat.objects.filter(user=user, game__in=games).select_related("game")
    found = {}
    for seat in seats.annotate(began_at=Subquery(begun_by.values("at"))):
        game = seat.game
        number = game.version if seat.turn_start is None else seat.turn_start
        began_at = game.moved_at if seat.turn_start is None else seat.began_at
        found[game.pk] = Run(number, began_at or game.started_at or game.opened_at)
    return found
