"""Runs of turns: one player is to move, once or several times, until another one is."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from django.db.models import F, Max, Q

from games.models import Game


class Run(NamedTuple):
    """The run of turns that has begun last in a game: after which number in the log, and when."""

    number: int
    began_at: datetime


def runs_of(games: Iterable[Game]) -> Mapping[int, Run]:
    """Return the run of the player to move in each of these running games, by the id of the game.

    It is the same after each action of this player. An action of another one begins it, or the start of the
    game. A player who leaves begins it only if the player to move has acted before, because people can leave
    while it is not their turn.
    """
    is_own = Q(actions__seat=F("to_move"))
    others_moves = ~is_own & Q(actions__payload__do__in=("place", "refill"))
    others = ~is_own & ~Q(actions__payload__do__in=("place", "refill"))
    rows = Game.objects.filter(pk__in=[game.pk for game in games]).annotate(
        own=Max("actions__number", filter=is_own),
        passed=Max("actions__number", filter=others_moves),
        passed_at=Max("actions__at", filter=others_moves),
        left=Max("actions__number", filter=others),
        left_at=Max("actions__at", filter=others),
    )
    found = {}
    fields = ("pk", "opened_at", "started_at", "own", "passed", "passed_at", "left", "left_at")
    for pk, opened_at, started_at, own, passed, passed_at, left, left_at in rows.values_list(*fields):
        run = Run(0, started_at or opened_at) if passed is None else Run(passed, passed_at)
        if left is not None and own is not None and run.number < own < left:
            run = Run(left, left_at)
        found[pk] = run
    return found
