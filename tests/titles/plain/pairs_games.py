"""Games of Pairs on the site, for tests with its fixture `pairs`."""

import uuid

from accounts.models import User
from games.log.replay import secret_position
from games.models import Game
from games.services import tables
from games.services.play import play
from tests.play import fresh, person
from tests.titles.pairs.rules import Choose, PairsPosition

NAMES = ("Ines", "Tobias", "Halley", "Mina")


def game_of_pairs() -> Game:
    """Return a started game of four people."""
    ines, *others = [person(name) for name in NAMES]
    game = tables.open_table(ines, tables.TableOptions(4, title="pairs"))
    for user in others:
        tables.join(game.key, user)
    return fresh(game)


def users_of(game: Game) -> list[User]:
    """Return the people of a game by seat."""
    return [seat.user for seat in game.seats.order_by("number") if seat.user]


def position_of(game: Game) -> PairsPosition:
    """Return the newest position, with all its secrets."""
    position = secret_position(fresh(game))
    assert isinstance(position, PairsPosition)
    return position


def let_play(game: Game, seat: int, card: int | None = None) -> None:
    """Let the person of a seat choose a card, by default the lowest one of their hand."""
    chosen = Choose(seat, card or position_of(game).hands[seat][0])
    play(game.key, users_of(game)[seat], chosen, fresh(game).version + 1, uuid.uuid4())
