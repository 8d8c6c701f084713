"""Bots at the table: their turns are tasks that may run twice, late, or not at all."""

import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import Action, Game
from games.services import bots
from games.services.play import play
from tests.play import fresh, game_of, person, play_one

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    """A game in which a bot is to move."""
    game = game_of(person("Ines"), bots=("easy", "medium"))
    while not game.seats.get(number=game.to_move).bot:
        play_one(game)
        game = fresh(game)
    return game


def test_a_bot_takes_its_turn(game: Game) -> None:
    bots.take_turn(game.pk, game.version + 1)
    action = Action.objects.get(game=game, number=game.version + 1)
    assert (action.seat, action.made_by) == (game.to_move, None)


def test_a_task_that_runs_twice_or_late_does_nothing(game: Game) -> None:
    number = game.version + 1
    bots.take_turn(game.pk, number)
    count = Action.objects.count()
    bots.take_turn(game.pk, number)
    bots.take_turn(game.pk, number + 50)
    bots.take_turn(10**9, 1)
    assert Action.objects.count() == count


def test_no_request_of_a_person_keeps_a_bot_from_its_turn(game: Game) -> None:
    # Whatever ids a person's own actions had, the bot's turn is its own.
    bots.take_turn(game.pk, game.version + 1)
    used = set(Action.objects.filter(game=game).values_list("request_id", flat=True))
    again = game_of(person("Noor"), bots=("easy", "medium"))
    while not again.seats.get(number=fresh(again).to_move).bot:
        play_one(again)
    bots.take_turn(again.pk, fresh(again).version + 1)
    theirs = set(Action.objects.filter(game=again).values_list("request_id", flat=True))
    assert all(request_id.version == 4 for request_id in used | theirs), "others can be foretold"


def test_no_bot_plays_a_persons_turn() -> None:
    game = game_of(person("Ines"), person("Tobias"))
    bots.take_turn(game.pk, 1)
    assert not Action.objects.exists()


def test_bots_play_a_game_out_when_the_person_has_left(game: Game) -> None:
    user = game.seats.get(number=0).user
    play(game.key, user, {"do": "resign"}, game.version + 1, uuid.uuid4())
    for _turn in range(200):
        game = fresh(game)
        if game.is_over:
            break
        bots.take_turn(game.pk, game.version + 1)
    assert game.is_over
    assert game.seats.get(number=0).rank == 3


def test_the_sweep_finds_only_bots_that_are_overdue(game: Game) -> None:
    game_of(person("Noor"), person("Kenji"))
    assert bots.overdue_turns() == []
    Game.objects.update(moved_at=timezone.now() - timedelta(minutes=1))
    assert bots.overdue_turns() == [(game.pk, game.version + 1)]
