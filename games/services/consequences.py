"""What follows from an action in its own transaction: a list of steps, in their order."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import NamedTuple

from games.log.turns import turns_with
from games.models import Game, Plan, Seat, facts_of
from games.services.projections.attendances import store_attendances
from games.services.projections.games import project
from games.services.projections.ratings import store_ratings
from games.services.projections.standings import store_result
from games.titles.actions import Resign
from games.titles.rules import AnyStep


class Stored(NamedTuple):
    """An action that is in the log now: its step, its number, and when it was stored.

    `seats` are those of the game by number. Consequences store in them what they store in the database.
    """

    game: Game
    seats: Mapping[int, Seat]
    step: AnyStep
    number: int
    at: datetime


def follow(stored: Stored) -> None:
    """Do what follows from an action. The caller holds the lock on the game's row, and those on ratings."""
    is_over = not stored.step.position.awaited
    for consequence in (*OF_EACH_ACTION, *(OF_THE_END if is_over else OF_GOING_ON)):
        consequence(stored)


def _store_projections(stored: Stored) -> None:
    seats = stored.seats.values()
    turns = turns_with(stored.game, seats, stored.step, stored.number)
    project(stored.game, seats, stored.step.position, stored.number, stored.at, turns)


def _store_score(stored: Stored) -> None:
    store_result(stored.game, stored.step.position, stored.at)


def _store_attendances(stored: Stored) -> None:
    store_attendances(stored.game)


def _store_ratings(stored: Stored) -> None:
    store_ratings(stored.game, stored.step.position, stored.at)


def _delete_plan(stored: Stored) -> None:
    """Delete the plan of the player, who has chosen now."""
    assert stored.step.seat is not None, "a cancel ends the game"
    if "plans" not in facts_of(stored.game):
        return
    Plan.objects.filter(game=stored.game, user=stored.seats[stored.step.seat].user_id).delete()


def _end_votes(stored: Stored) -> None:
    """Let votes on the player, who is back, and on take-backs lapse; all votes if the player leaves."""
    if "votes" not in facts_of(stored.game):
        return
    votes = stored.game.votes.all()
    has_left = isinstance(stored.step.action, Resign)
    (votes if has_left else votes.ended_by(stored.step.seat)).lapse()


def _end_offer_of_leaver(stored: Stored) -> None:
    """Let the offer of a seat lapse whose player leaves."""
    if isinstance(stored.step.action, Resign):
        stored.game.seat_offers.filter(seat=stored.step.action.seat).lapse()


def _end_all_that_waits(stored: Stored) -> None:
    """Delete the plans of a game that is over, and let its votes and offers of seats lapse."""
    Plan.objects.filter(game=stored.game).delete()
    stored.game.votes.all().lapse()
    stored.game.seat_offers.lapse()


Consequence = Callable[[Stored], None]

# The others read what is stored first.
OF_EACH_ACTION: tuple[Consequence, ...] = (_store_projections,)
OF_GOING_ON: tuple[Consequence, ...] = (_delete_plan, _end_votes, _end_offer_of_leaver)
OF_THE_END: tuple[Consequence, ...] = (_store_score, _store_attendances, _store_ratings, _end_all_that_waits)
