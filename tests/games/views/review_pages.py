"""Finished games, and what their review pages show."""

import re
import uuid
from collections.abc import Sequence
from html import unescape

from django.db import transaction
from django.test import Client

from accounts.models import User
from games.models import Game
from games.novaluna.engine import Resign
from games.services.play import play, resign_for
from tests.clients import without_marks
from tests.play import fresh, game_of, person, play_out, play_some, solo_of


def players(count: int) -> Sequence[User]:
    return [person(name) for name in ("Ines", "Tobias", "Mina", "Halley")[:count]]


def finished_game(count: int) -> Game:
    return play_out(solo_of(*players(1)) if count == 1 else game_of(*players(count)))


def resigned_game(reason: str = "") -> Game:
    """Return a game for two that is over after six turns, as a seat resigned or left for a reason."""
    ines, tobias = players(2)
    game = game_of(ines, tobias)
    play_some(game, 6)
    if reason:
        with transaction.atomic():
            resign_for(fresh(game), game.seats.get(user=tobias), reason)
    else:
        play(game.key, tobias, Resign(0), 7, uuid.uuid4())
    return fresh(game)


def page_of(game: Game, client: Client | None = None) -> str:
    response = (client or Client()).get(f"/g/{game.key}/review/")
    assert response.status_code == 200
    return response.text


def text_of(html: str) -> str:
    """Return the text of a page without its markup."""
    return " ".join(unescape(re.sub("<[^>]+>", " ", without_marks(html))).split())


def rows_of(page: str) -> list[str]:
    """Return the rows of the table of all turns."""
    return re.findall("<tr.*?</tr>", page.partition("<tbody>")[2], re.DOTALL)


def part_of(game: Game, client: Client | None = None) -> str:
    """Return the page of a review without the board on it."""
    return page_of(game, client).partition('class="page review-page')[2]
