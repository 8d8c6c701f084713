"""Games of LUNAR on the site, on fixed deals, and replies to their emails."""

from accounts.models import AccountMail, User
from games.log.replay import secret_log
from games.lunar.engine import Position
from games.models import Game, Seat
from games.notifications.replies import Receipt, receive
from games.queries.mail_links import reply_address_for, turn_of_player
from games.services import tables
from tests.games.notifications.received import SENDER, email
from tests.play import fresh, person

NAMES = ("Ines", "Tobias", "Mina", "Noor")


def lunar_game(seats: int, *, pace: str = "", **options: object) -> Game:
    """Return a started game of people who have no page open; tests fix its deal."""
    users = [person(name) for name in NAMES[:seats]]
    table = tables.open_table(users[0], tables.TableOptions(seats, title="lunar", options=options, pace=pace))
    for user in users[1:]:
        tables.join(table.key, user)
    Seat.objects.update(seen_at=None)
    return fresh(table)


def user_of(game: Game, seat: int) -> User:
    user = game.seats.get(number=seat).user
    assert user is not None
    return user


def position_of(game: Game) -> Position:
    position = secret_log(fresh(game)).position
    assert isinstance(position, Position)
    return position


def reply(game: Game, seat: int, text: str) -> None:
    """Let the player of a seat answer an email about the game as it is now."""
    address = reply_address_for(turn_of_player(fresh(game), user_of(game, seat)))
    assert receive(email(text), address, SENDER) is Receipt.HANDLED


def last_answer() -> str:
    """Return what the newest answer to a reply says."""
    text = AccountMail.objects.latest("pk").text
    return " ".join(text.partition("#-#")[2].partition("-- \n")[0].split())
