"""The page of a deal: at a table, during a game and after it, and under the rule of daily deals."""

from games.models import Game, today
from games.services import tables
from games.services.solo import daily
from tests import play
from tests.browser.states.catalogue import Visit, minor_state
from tests.browser.states.making import finished_game, people

NONCES = ("5d41402abc4b2a76b9719d911017c592", "7d793037a0760186574b0282f2f435e7")


def table_with_nonces() -> Game:
    """Return a table of four: two people with nonces, one bot, and a free seat."""
    ines, tobias = people("Ines", "Tobias")
    table = tables.open_table(ines, tables.TableOptions(4), ("medium",), nonce=NONCES[0])
    return tables.join(table.key, tobias)


@minor_state
def deal_of_table() -> Visit:
    return Visit(f"{table_with_nonces().get_absolute_url()}deal/", people("Ines")[0])


@minor_state
def deal_of_running_game() -> Visit:
    table = table_with_nonces()
    tables.join(table.key, people("Mina")[0], nonce=NONCES[1])
    return Visit(f"{table.get_absolute_url()}deal/", people("Mina")[0])


@minor_state
def deal_of_finished_game() -> Visit:
    return Visit(f"{finished_game().get_absolute_url()}deal/", people("Ines")[0])


@minor_state
def deal_of_day() -> Visit:
    [ines] = people("Ines")
    game = play.fresh(daily.begin(ines, today()))
    return Visit(f"{game.get_absolute_url()}deal/", ines)
