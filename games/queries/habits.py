"""The habits of the players of games and tables, as others see them before they join and during the game."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from django.utils import timezone

from accounts.models import Viewer
from games.board.clocks import describe_pauses
from games.board.reliability import describe_minimum
from games.clocks import Reliability
from games.models import Game, Seat, calendars_of, reliabilities_of


class Habits(NamedTuple):
    """When the time of a player does not count, in words, and how reliable they are."""

    pauses: str = ""
    reliability: Reliability | None = None


NO_HABITS = Habits()


def habits_by_seat(games: Mapping[Game, Sequence[Seat]]) -> dict[int, Habits]:
    """Return the habits of the people on the seats of these games, by the id of the seat.

    The seats come with their users. Games that are over, and those of one person and bots, have none. Live
    games have no pauses. Runs three queries.
    """
    shown = [
        (game, seat, seat.user)
        for game, seats in games.items()
        if not game.is_over and sum(not seat.bot for seat in seats) > 1
        for seat in seats
        if seat.user is not None
    ]
    people = {user.pk for _game, _seat, user in shown}
    calendars, reliabilities, now = calendars_of(people), reliabilities_of(people), timezone.now()
    found = {}
    for game, seat, user in shown:
        # A vacation starts by itself only instead of losing on time.
        starts_itself = user.automatic_vacation and bool(game.pace)
        calendar = replace(calendars[user.pk], automatic_vacation=starts_itself)
        pauses = "" if game.pace == Game.Pace.LIVE else describe_pauses(calendar, now)
        found[seat.pk] = Habits(pauses, reliabilities[user.pk])
    return found


@dataclass(frozen=True)
class Minimum:
    """The reliability that a table asks for, in words for one viewer, and whether they have it."""

    text: str
    is_met: bool


def minimum_of(game: Game, viewer: Viewer) -> Minimum | None:
    """Return the reliability that a table asks of a viewer whom it has not invited; None if of nobody."""
    if not game.least_reliability:
        return None
    own = reliabilities_of([viewer.pk])[viewer.pk] if viewer.is_authenticated else None
    return Minimum(
        describe_minimum(game.least_reliability, own), own is None or own.meets(game.least_reliability)
    )
