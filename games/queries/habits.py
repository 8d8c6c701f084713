"""The habits of the players of games and tables, as others see them before they join and during the game."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from django.utils import timezone

from accounts.models import User, Viewer
from games.models import FACTS, Game, Seat, calendars_of, ratings_of, reliabilities_of
from games.ratings import Rating
from games.shown.clocks import describe_pauses
from games.shown.ratings import brief_rating, describe_demand, describe_rating
from games.shown.reliability import brief_reliability, describe_minimum, describe_reliability
from games.titles.people import Wording
from games.titles.registry import TITLES


class Habits(NamedTuple):
    """When the time of a player does not count, how reliable they are, and how strong, in words."""

    pauses: str = ""
    reliability: Wording | None = None
    rating: Wording | None = None


NO_HABITS = Habits()


def habits_by_seat(
    games: Mapping[Game, Sequence[Seat]], viewer: Viewer, facts: Collection[str] = FACTS
) -> dict[int, Habits]:
    """Return the habits of the players on the seats of these games, by the id of the seat.

    Only their players and, of tables, people who are logged in learn when the time of others does not count.

    The seats come with their users. Games that are over have none; in those of one person and bots, and for
    bots, there are ratings in rated games only. Live games have no pauses, and no reliability while they
    run. Runs four queries, and one more for each further title; fewer with the `facts` that are true for a
    single game.
    """
    shown = [
        (game, seat, seat.user)
        for game, seats in games.items()
        if not game.is_over and sum(not seat.bot for seat in seats) > 1
        for seat in seats
        if seat.user is not None
    ]
    people = {user.pk for _game, _seat, user in shown}
    calendars = calendars_of(people, are_stored="hours" in facts or "vacations" in facts)
    reliabilities = reliabilities_of(people, are_stored="attendances" in facts)
    ratings, now = _ratings_by_seat(games, are_stored="ratings" in facts), timezone.now()
    found = {pk: Habits(rating=rating) for pk, rating in ratings.items()}
    for game, seat, user in shown:
        # A vacation starts by itself only instead of losing on time.
        starts_itself = user.automatic_vacation and bool(game.pace)
        calendar = replace(calendars[user.pk], automatic_vacation=starts_itself)
        shows_pauses = not game.is_live and _may_know_pauses(viewer, game, games[game])
        pauses = describe_pauses(calendar, now) if shows_pauses else ""
        in_words = None
        if game.is_open or not game.is_live:
            reliability = reliabilities[user.pk]
            in_words = Wording(describe_reliability(reliability), brief_reliability(reliability))
        found[seat.pk] = Habits(pauses, in_words, ratings.get(seat.pk))
    return found


def _may_know_pauses(viewer: Viewer, game: Game, seats: Sequence[Seat]) -> bool:
    """Return whether a viewer has to know the pauses of the others: they play with them, or may join."""
    return any(seat.is_of(viewer) for seat in seats) or (viewer.is_authenticated and game.is_open)


def _ratings_by_seat(games: Mapping[Game, Sequence[Seat]], *, are_stored: bool) -> dict[int, Wording]:
    """Return the ratings of players in games that are not over, in words: of all in rated games.

    In other games, only people who have played a rated game have one. Bots of a title that is not installed
    have none.
    """
    seats = [(game, seat) for game, seats in games.items() if not game.is_over for seat in seats]
    people = {
        title: ratings_of(
            (seat.user_id for game, seat in seats if game.title == title), title, are_stored=are_stored
        )
        for title in {game.title for game, _seat in seats}
    }
    found = {
        seat.pk: _rating_of_bot(game, seat) if seat.bot else people[game.title][seat.user_id]
        for game, seat in seats
        if seat.user_id or (seat.bot and game.changes_ratings and game.title in TITLES)
    }
    return {
        seat.pk: Wording(describe_rating(found[seat.pk]), brief_rating(found[seat.pk]))
        for game, seat in seats
        if seat.pk in found and (game.changes_ratings or found[seat.pk].games)
    }


def _rating_of_bot(game: Game, seat: Seat) -> Rating:
    return Rating.of_bot(TITLES[game.title].bots.levels[seat.bot].rating)


@dataclass(frozen=True)
class Demand:
    """The reliability or rating that a table asks for, in words for one viewer, and whether they have it."""

    text: str
    is_met: bool


def minimum_of(game: Game, viewer: Viewer) -> Demand | None:
    """Return the reliability that a table asks of a viewer whom it has not invited; None if of nobody."""
    if not game.least_reliability:
        return None
    own = reliabilities_of([viewer.pk])[viewer.pk] if viewer.is_authenticated else None
    return Demand(
        describe_minimum(game.least_reliability, own), own is None or own.meets(game.least_reliability)
    )


def rating_demand_of(game: Game, viewer: Viewer) -> Demand | None:
    """Return the range of ratings that a table asks of a viewer; None if it asks for none."""
    least, most = game.least_rating, game.most_rating
    if least is None and most is None:
        return None
    own = None
    if isinstance(viewer, User) and not viewer.is_guest:
        own = ratings_of([viewer.pk], game.title)[viewer.pk]
    is_met = own is None or game.admits(own)
    return Demand(describe_demand(least, most, own, is_met=is_met), is_met)
