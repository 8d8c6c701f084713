"""How reliable players are: on a profile, on seats, and as what a table asks for."""

from datetime import time, timedelta

from django.utils import timezone
from playwright.sync_api import Page

from accounts.models import User
from games.clocks import Hours, Sleep
from games.models import Attendance, Game
from games.services import calendars, tables
from tests import play
from tests.browser.states.catalogue import Visit, minor_state
from tests.browser.states.clocks import BERLIN, paced_game
from tests.browser.states.making import people


def make_history(user: User, finished: int, counted: int, hours: float) -> None:
    """Store that a person has finished some of their games, with answers of so many hours."""
    games = Game.objects.bulk_create(
        Game(seat_count=2, goal_discs=20, status=Game.Status.OVER) for _game in range(counted)
    )
    for number, game in enumerate(games):
        Attendance.objects.create(
            game=game,
            user=user,
            ended_at=timezone.now() - timedelta(days=number),
            has_finished=number < finished,
            answers=[round(hours * 3600)],
        )


def reliable_game() -> Game:
    """Return a game with a clock of a reliable, an unreliable and a new player."""
    game = paced_game()
    ines, tobias = people("Ines", "Tobias")
    make_history(ines, 19, 20, 5)
    make_history(tobias, 11, 15, 30)
    return game


def demanding_table() -> Game:
    """Return a listed table of a reliable player that asks for the same of others."""
    tobias, ines = people("Tobias", "Ines")
    make_history(tobias, 20, 20, 0.4)
    make_history(ines, 15, 20, 5)
    return tables.open_table(
        tobias, tables.TableOptions(3, is_public=True, pace="day", caretaker="medium", least_reliability=90)
    )


@minor_state
def reliability_board() -> Visit:
    game = reliable_game()
    return Visit(game.get_absolute_url(), play.mover(game))


@minor_state
def reliability_text() -> Visit:
    return Visit(f"{reliable_game().get_absolute_url()}text/", people("Mina")[0])


@minor_state
def reliability_profile() -> Visit:
    reliable_game()
    return Visit("/people/Tobias/", people("Ines")[0])


@minor_state
def reliability_allowed() -> Visit:
    return Visit(demanding_table().get_absolute_url(), people("Mina")[0])


@minor_state
def reliability_refused() -> Visit:
    demanding_table()

    def join(page: Page) -> None:
        page.locator('form[action$="/join/"] .btn').click()
        page.wait_for_selector(".invitation .error")

    return Visit("/", people("Ines")[0], after=join, is_refused=True)


@minor_state
def reliability_list() -> Visit:
    demanding_table()
    tobias, noor = people("Tobias", "Noor")
    calendars.choose_hours(tobias, Hours(BERLIN, Sleep(time(22), time(7, 30))), automatic_vacation=True)
    tables.open_table(
        noor, tables.TableOptions(4, options={"discs": 15}, is_public=True, pace="slow"), ("easy",)
    )
    return Visit("/", people("Ines")[0])


@minor_state
def reliability_table() -> Visit:
    table = demanding_table()
    tables.join(table.key, people("Mina")[0])
    return Visit(table.get_absolute_url(), people("Tobias")[0])
