"""The link from a game to the most urgent other game that waits for the viewer."""

import re
from typing import Any
from uuid import uuid4

import pytest

from accounts.models import User
from games.models import Game
from games.services import tables
from games.services.play import play
from games.titles.actions import Resign
from tests.clients import client_of
from tests.games.views.review_pages import text_of
from tests.play import fresh, game_of, mover, person, play_one, play_out, solo_of

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
def test_a_rematch_that_waits_for_the_viewer_has_one_link(
    game: Game, ines: User, tobias: User, page: str
) -> None:
    play_out(game)
    rematch = tables.rematch(game.key, ines)
    tables.join(rematch.key, tobias)
    player = mover(rematch)
    text = client_of(player).get(f"/g/{game.key}/{page}").text
    assert text_of(link_to(rematch, text)) == "Go to the rematch"
    assert "Next game" not in text
    assert "No other game is waiting for your move." not in text
    another = another_game_of(player)
    text = client_of(player).get(f"/g/{game.key}/{page}").text
    assert text_of(link_to(another, text)).startswith("Next game")


@pytest.mark.parametrize(
    ("options", "is_offered"),
    [
        ({}, True),
        ({"pace": "live5", "is_public": True}, False),
        ({"pace": "day", "is_public": True, "changes_ratings": True}, False),
    ],
)
def test_lessons_are_offered_to_the_loser_of_a_first_game_that_was_not_live_or_rated(
    options: dict[str, Any], is_offered: bool
) -> None:
    ines, tobias = person("Ines"), person("Tobias")
    game = tables.open_table(ines, tables.TableOptions(2, **options))
    tables.join(game.key, tobias)

    def offers_lessons(user: User) -> bool:
        return "Learn to play, 5 minutes" in client_of(user).get(f"/g/{game.key}/").text

    play(game.key, ines, Resign(0), fresh(game).version + 1, uuid4())
    assert fresh(game).is_over
    assert offers_lessons(ines) is is_offered
    assert not offers_lessons(tobias)
    assert not offers_lessons(person("Lena"))
    User.objects.filter(pk=ines.pk).update(tips=False)
    assert not offers_lessons(ines)


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
