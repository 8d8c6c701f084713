"""Games of Pairs on the site, made with the services that players use; tests install the title."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

from accounts.models import User
from games.models import Game
from games.services import tables
from games.services.play import Played, play
from tests.play import fresh
from tests.titles.pairs.rules import Choose, PairsRules

# Seats 0 and 2 have the side with the higher cards in each round.
DEALT = {"hands": [[3, 6, 7], [1, 2, 4], [3, 5, 7], [1, 2, 4]], "bonuses": [5, 3, 4]}


@contextmanager
def dealt_pairs() -> Iterator[None]:
    """Deal the same cards in each game of Pairs, until the context ends."""
    with mock.patch.object(PairsRules, "deal", return_value=DEALT):
        yield


def pairs_game(*users: User, bots: tuple[str, ...] = (), pace: str = "", caretaker: str = "") -> Game:
    """Return a started game of Pairs of these users and bots. The first has opened it."""
    opener, *others = users
    options = tables.TableOptions(4, title="pairs", pace=pace, caretaker=caretaker)
    game = tables.open_table(opener, options, bots)
    for user in others:
        tables.join(game.key, user)
    return fresh(game)


def choose(
    game: Game, user: User, card: int, number: int | None = None, request_id: uuid.UUID | None = None
) -> Played:
    """Choose a card for a user, as action `number` of the log, or as the next one."""
    number = fresh(game).version + 1 if number is None else number
    return play(game.key, user, Choose(-1, card), number, request_id or uuid.uuid4())
