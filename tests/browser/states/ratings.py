"""Ratings: of all players, beside the seats of rated games, and after the end of one."""

from datetime import timedelta
from random import Random

from django.utils import timezone

from accounts.models import User
from games.models import Game, PlayerRating, RatingChange, Seat
from games.ratings import MODEL
from games.services import tables
from games.services.private import profiles
from tests import play
from tests.browser.states.catalogue import Visit, minor_state, state
from tests.browser.states.making import (
    after_actions,
    fixed_deal,
    people,
    play_until,
    play_well,
    start_game,
)
from tests.browser.states.reliability import make_history

PLAYERS = ("Ines", "Tobias", "Mina", "Noor", "Aurelia", "Bartholomew-the-Second", "Cato", "Dora")


def rate(name: str, number: float, deviation: float, games: int) -> User:
    """Give a person this rating; return them."""
    [user] = people(name)
    PlayerRating.objects.update_or_create(
        user=user,
        defaults={"mean": number, "deviation": deviation, "games": games, "is_listed": games >= 10},
    )
    return user


def rated_players() -> None:
    for place, name in enumerate(PLAYERS):
        rate(name, 1842 - 61 * place, 48 + 3 * place, 60 - 6 * place)


def rated_table(**options: object) -> Game:
    """Return a listed rated table of three, at which Tobias sits."""
    rate("Tobias", 1612, 52, 41)
    [tobias] = people("Tobias")
    chosen = tables.TableOptions(3, is_public=True, pace="day", changes_ratings=True, **options)
    return tables.open_table(tobias, chosen)


def rated_game() -> Game:
    """Return a started rated game of a new and two known players."""
    with fixed_deal(1):
        table = rated_table()
        for user in (rate("Ines", 1548, 88, 14), *people("Mina")):
            tables.join(table.key, user)
    return play.fresh(table)


@state
def ratings() -> Visit:
    rated_players()
    return Visit("/ratings/", rate("Emil", 1571, 171, 6))


@minor_state
def ratings_empty() -> Visit:
    return Visit("/ratings/")


@minor_state
def rated_board() -> Visit:
    game = play_until(rated_game(), after_actions(9))
    return Visit(game.get_absolute_url(), play.mover(game))


@minor_state
def rated_result() -> Visit:
    game = play_well(rated_game(), "medium", "medium", "easy")
    return Visit(game.get_absolute_url(), people("Tobias")[0])


@minor_state
def rated_invitation() -> Visit:
    return Visit(rated_table().get_absolute_url())


@minor_state
def rated_seats() -> Visit:
    table = rated_table()
    tables.join(table.key, rate("Ines", 1548, 88, 14))
    return Visit(table.get_absolute_url(), people("Tobias")[0])


@minor_state
def rated_list() -> Visit:
    rated_table(least_rating=1500, most_rating=1700)
    return Visit("/", people("Mina")[0])


@minor_state
def rating_refused() -> Visit:
    table = rated_table(least_rating=1500, most_rating=1700)
    return Visit(table.get_absolute_url(), rate("Emil", 1431, 171, 6))


def make_profile() -> User:
    """Return a person whose profile has every part."""
    tobias, noor = people("Tobias", "Noor")
    rng, rating = Random(2), 1500.0
    for number in range(24):
        ended_at = timezone.now() - timedelta(days=80 - 3 * number)
        play.score_of(tobias, round(rng.gauss(112, 12)), ended_at=ended_at)
        before, rating = rating, rating + rng.gauss(7, 28)
        game = Game.objects.create(
            seat_count=2,
            goal_discs=20,
            status=Game.Status.OVER,
            moved_at=ended_at,
            opened_by=tobias,
            changes_ratings=True,
        )
        Seat.objects.create(game=game, number=0, user=tobias, joined_at=ended_at, place=1)
        Seat.objects.create(game=game, number=1, user=noor, joined_at=ended_at, place=2)
        RatingChange.objects.create(
            game=game,
            user=tobias,
            seat=0,
            place=1,
            has_left=False,
            ended_at=ended_at,
            mean_before=before,
            deviation_before=90,
            mean=rating,
            deviation=88,
            games=number + 1,
            model=MODEL,
        )
    rate("Tobias", rating, 71, 24)
    make_history(tobias, 19, 20, 5)
    start_game("Tobias", "Mina")
    return tobias


@state
def profile() -> Visit:
    make_profile()
    return Visit("/people/Tobias/", people("Ines")[0])


@minor_state
def profile_own() -> Visit:
    tobias = make_profile()
    profiles.hide_parts(tobias, ["solo", "running"])
    return Visit("/people/Tobias/", tobias)


@minor_state
def profile_settings() -> Visit:
    ines, tobias, noor = people("Ines", "Tobias", "Noor")
    profiles.hide_parts(ines, ["running"])
    for person in (tobias, noor):
        profiles.follow(ines, person, is_following=True)
    return Visit("/account/profile/", ines)


@minor_state
def ratings_followed() -> Visit:
    rated_players()
    ines, noor = people("Ines", "Noor")
    profiles.follow(ines, noor, is_following=True)
    return Visit("/ratings/?people=followed", ines)
