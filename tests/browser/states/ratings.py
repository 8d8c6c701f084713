"""Ratings: of all players, beside the seats of rated games, and after the end of one."""

from accounts.models import User
from games.models import Game, PlayerRating
from games.services import tables
from tests import play
from tests.browser.states.catalogue import Visit, minor_state, state
from tests.browser.states.making import after_actions, fixed_deal, people, play_until, play_well

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
    return tables.open_table(
        tobias, 3, (), beginner=False, is_public=True, pace="day", changes_ratings=True, **options
    )


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
