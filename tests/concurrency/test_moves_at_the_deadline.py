"""A move at the moment at which the time is up: the move counts, or the seat times out, and never both."""

import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import Action, Game, Seat, SeatChange
from games.services import seat_changes, tables
from games.services.errors import Refused
from games.services.play import play
from tests.concurrency.simultaneous import run_simultaneously
from tests.play import fresh, legal_action, move_deadline, mover, person

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.databases]


def overdue_game(caretaker: str) -> Game:
    """Return a game for two whose player to move has run out of time."""
    table = tables.open_table(
        person("Ines"), tables.TableOptions(2, is_public=True, pace="live", caretaker=caretaker)
    )
    tables.join(table.key, person("Tobias"))
    long_ago = timezone.now() - timedelta(days=1)
    Seat.objects.filter(game=table, clock_started_at__isnull=False).update(clock_started_at=long_ago)
    move_deadline(table, long_ago + timedelta(minutes=10))
    return fresh(table)


@pytest.mark.parametrize("caretaker", ["medium", ""])
def test_a_move_and_a_timeout_at_the_same_time_end_in_one(caretaker: str) -> None:
    game = overdue_game(caretaker)
    user, action = mover(game), legal_action(game)
    refusals: list[str] = []

    def move() -> int:
        try:
            return play(game.key, user, action, 1, uuid.uuid4()).number
        except Refused as refused:
            refusals.append(str(refused.message))
            return 0

    def time_out() -> int:
        seat_changes.time_out(game.pk)
        return 0

    moved = sum(run_simultaneously([move, time_out, time_out, time_out]))

    verbs = [row.payload["do"] for row in Action.objects.filter(game=game)]
    changes = SeatChange.objects.filter(game=game).count()
    if moved:
        assert (verbs, changes) == (["place"], 0)
    else:
        [refusal] = refusals
        assert refusal.startswith("Your time was up before this move arrived")
        assert (verbs, changes) == (([], 1) if caretaker else (["resign"], 0))
