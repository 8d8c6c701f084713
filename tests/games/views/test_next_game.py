"""The link from a game to the most urgent other game that waits for the viewer."""

import re

import pytest

from accounts.models import User
from games.models import Game
from tests.clients import client_of
from tests.games.views.review_pages import text_of
from tests.play import game_of, mover, person, play_one, play_out, solo_of

pytestmark = pytest.mark.django_db


def test_after_a_move_the_board_leads_to_the_next_game_or_says_that_there_is_none(game: Game) -> None:
    player, none_left = mover(game), "No other game is waiting for your move."
    board = f"/g/{game.key}/"
    assert none_left not in client_of(player).get(board).text, "it is still this player's turn"
    pass_turn(game, player)
    assert none_left in client_of(player).get(board).text
    another = another_game_of(player)
    page = client_of(player).get(board).text
    assert none_left not in page
    assert f'href="{another.get_absolute_url()}"' in page


@pytest.mark.parametrize("page", ["", "text/"])
def test_after_the_end_the_page_leads_to_the_next_game_or_says_that_there_is_none(
    game: Game, page: str
) -> None:
    player, none_left = mover(game), "No other game is waiting for your move."
    board = f"/g/{game.key}/{page}"
    assert none_left not in client_of(player).get(board).text, "it is this player's turn"
    pass_turn(game, player)
    assert none_left in client_of(player).get(board).text
    play_out(game)
    assert none_left in client_of(player).get(board).text
    assert none_left not in client_of(person("Lena")).get(board).text, "who has no seat"
    another = another_game_of(player)
    text = client_of(player).get(board).text
    assert none_left not in text
    assert f'href="{another.get_absolute_url()}' in text


@pytest.mark.parametrize("page", ["", "text/", "review/"])
def test_the_link_names_the_other_players_of_the_game(game: Game, page: str) -> None:
    player = mover(game)
    play_out(game)
    board = f"/g/{game.key}/{page}"
    solo = solo_of(player)
    assert text_of(link_to(solo, client_of(player).get(board).text)) == "Next game: solo"
    solo.delete()
    another = another_game_of(player)
    opponent = next(seat.name for seat in another.seats.all() if not seat.is_of(player))
    link = link_to(another, client_of(player).get(board).text)
    assert text_of(link) == f"Next game: {opponent}"
    assert f'<span translate="no">{opponent}</span>' in link


def pass_turn(game: Game, player: User) -> None:
    while mover(game) == player:
        play_one(game)


def another_game_of(player: User) -> Game:
    """Return a new game in which it is this player's turn."""
    while mover(game := game_of(player, person(f"Noor{Game.objects.count()}"))) != player:
        pass
    return game


def link_to(game: Game, page: str) -> str:
    """Return the link of a page to a game, as HTML."""
    found = re.search(rf'<a [^>]*href="{game.get_absolute_url()}[^>]*>.*?</a>', page, re.DOTALL)
    assert found is not None
    return found[0]
