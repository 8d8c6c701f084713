"""Reviews of games that the players have cancelled, and of games that somebody has left."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.test import Client

from games.models import Action, Game
from games.novaluna.reviews.page import build_review
from games.queries.viewing import view_game
from games.services.play import resign_for
from tests.play import cancel_game, fresh, game_of, person, play_one, review_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    """A game that is cancelled after two actions."""
    game = game_of(person("Ines"), person("Tobias"))
    play_one(game)
    play_one(game)
    cancel_game(game)
    return fresh(game)


def test_a_cancel_belongs_to_no_player(game: Game) -> None:
    stored = review_of(game)
    review = build_review(view_game(game, AnonymousUser()), stored.turns)
    assert Action.objects.get(game=game, number=3).seat is None
    assert review.actions[2].person is None
    assert review.actions[2].action_text == "The players agreed to cancel the game"
    seats = [one.person.seat for one in review.actions[:2] if one.person]
    assert seats == list(game.actions.filter(number__lt=3).values_list("seat", flat=True))


@pytest.mark.parametrize(("reason", "words"), [("absent", "was absent"), ("time", "clock ran out")])
def test_a_review_says_why_somebody_left(reason: str, words: str) -> None:
    game = game_of(person("Ines"), person("Tobias"))
    with transaction.atomic():
        resign_for(game, game.seats.get(number=0), reason)
    review = build_review(view_game(fresh(game), AnonymousUser()), review_of(fresh(game)).turns)
    assert review.actions[0].action_text == words


def test_the_page_of_its_review_names_no_player_for_the_cancel(game: Game) -> None:
    review_of(game)
    rows = Client().get(f"/g/{game.key}/review/").text.partition("<tbody>")[2].split("</tr>")
    assert "The players agreed to cancel the game" in rows[2]
    assert "Ines" not in rows[2]
    assert "Tobias" not in rows[2]
