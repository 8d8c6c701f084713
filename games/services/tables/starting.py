"""The start of a table's game, when every seat is taken."""

from collections.abc import Sequence

from django.utils import timezone

from games.log.deals import setup_of
from games.log.turns import turns_at_start
from games.models import Game, Seat
from games.services.deals import deal_out
from games.services.play import load_seats, play_on, queue_follow_ups
from games.services.projections.games import project
from games.titles.registry import title_named


def seat_players(game: Game, seats: Sequence[Seat]) -> None:
    """Store a new table with these seats, in their order; it starts immediately if none is free."""
    game.save()
    now = timezone.now()
    for number, seat in enumerate(seats):
        seat.game, seat.number = game, number
        if seat.user or seat.bot:
            seat.joined_at = now
    Seat.objects.bulk_create(seats)
    start_if_full(game)


def start_if_full(game: Game) -> None:
    """Start the game of a table, whose row the caller has locked, if no seat of it is free."""
    if game.seats.free().exists():
        return
    rules = title_named(game.title).rules
    game.deal = deal_out(game)
    game.rules_version = rules.version
    game.started_at = timezone.now()
    game.changes = 0  # Those of the table do not count in the game.
    game.save(update_fields=["deal", "rules_version", "started_at", "changes"])
    position = rules.start(setup_of(game), game.rules_version)
    seats = load_seats(game)
    project(game, seats.values(), position, 0, game.started_at, turns_at_start(position))
    _position, begun = play_on(game, seats, position, position.awaited)
    queue_follow_ups(game, seats, begun, is_start=True)
