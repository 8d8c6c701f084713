"""The chat of a running game says what its players may not write, if the title has a rule about that."""

import pytest

from accounts.models import User
from games.models import Game
from tests.clients import client_of
from tests.play import cancel_game, game_of, person
from tests.titles.play import pairs_game

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("pairs")]

RULE = "Everybody reads each line. Partners must not write about their cards."
PARTS = ("", "text/", "chat/")


@pytest.fixture
def game() -> Game:
    return pairs_game(*(person(name) for name in ("Ines", "Tobias", "Mina", "Noor")))


def user_of(game: Game, seat: int) -> User:
    user = game.seats.get(number=seat).user
    assert user is not None
    return user


def test_all_players_read_the_rule_beside_the_chat(game: Game) -> None:
    for seat in range(4):
        for part in PARTS:
            assert (
                client_of(user_of(game, seat)).get(f"{game.get_absolute_url()}{part}").text.count(RULE) == 1
            )


def test_after_the_end_everything_may_be_said(game: Game) -> None:
    cancel_game(game)
    for part in PARTS:
        assert RULE not in client_of(user_of(game, 0)).get(f"{game.get_absolute_url()}{part}").text


def test_a_title_without_a_rule_shows_none() -> None:
    game = game_of(person("Ines"), person("Tobias"))
    assert "chat__rule" not in client_of(user_of(game, 0)).get(game.get_absolute_url()).text


def test_what_a_partner_writes_is_read_by_all(game: Game) -> None:
    client = client_of(user_of(game, 0))
    client.post(f"{game.get_absolute_url()}chat/", {"text": "I have the seven", "request_id": "0" * 32})
    for seat in (1, 2, 3):
        assert (
            "I have the seven" in client_of(user_of(game, seat)).get(f"{game.get_absolute_url()}chat/").text
        )
