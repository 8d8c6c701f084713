"""Plans by reply: made, shown, changed and dropped, and told to nobody else."""

import uuid
from dataclasses import replace

import pytest

from accounts.models import AccountMail
from games.models import Game, Notification, Plan, ReceivedReply, Seat
from games.novaluna.board.notation import read_action
from games.novaluna.board.plan_notation import tiles_ahead
from games.novaluna.engine import Cell, Place
from games.queries.mail_links import reply_address_for
from games.services.play import play
from tests.games.notifications.received import (
    address_of,
    answer_to,
    answered,
    game_by_mail,
    good_move,
    turn_now,
    waiting,
)
from tests.play import game_of, mover, person, play_one, play_out, position_of, turn_mail

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("template_fields_exist")]


@pytest.fixture
def game() -> Game:
    return game_by_mail()


def test_a_plan_is_made_shown_changed_and_dropped_by_reply(game: Game) -> None:
    turn = waiting(game)
    cells = [cell.name for cell in position_of(game).displays[turn.seat].free_cells]
    tiles = [tile.code for tile in tiles_ahead(position_of(game))]
    made = answered(f"plan take 5 at {cells[0]}; else take 4 at {cells[1]}", reply_address_for(turn))
    assert "Your plan is saved." in made.text
    plan = Plan.objects.get(user=turn.user)
    assert [(wish.tile, Cell(wish.x, wish.y).name) for wish in plan.actions] == [
        (tiles[4], cells[0]),
        (tiles[3], cells[1]),
    ]
    assert not plan.outlasts_reveals
    assert "It is not played after a refill that you have not seen." in made.text
    shown = answered("Plan?", made.reply_to)
    assert f"at {cells[0]}" in shown.text
    changed = answered(f"plan\ntake 4 at {cells[1]}\nor refill\nalso after a refill\nThanks!", shown.reply_to)
    assert "It is also played after a refill." in changed.text
    plan.refresh_from_db()
    assert (len(plan.wishes), plan.outlasts_reveals) == (2, True)
    assert "You have no plan any more." in answered("Please drop my plan", shown.reply_to).text
    assert not Plan.objects.exists()
    assert ReceivedReply.objects.filter(outcome="refused").count() == 4, "as every answered reply"
    assert not Seat.objects.filter(seen_at__isnull=False).exists()


def test_a_plan_has_the_numbers_of_the_email_that_is_answered() -> None:
    game = game_of(person("Ines"), person("Tobias"))
    _first, second, _third, _fourth, fifth, *_far = tiles_ahead(position_of(game))
    play(game.key, mover(game), Place(-1, second.code, 0, 0), 1, uuid.uuid4())
    turn = replace(waiting(game), number=1)
    cell = next(iter(position_of(game).displays[turn.seat].free_cells)).name
    answered(f"plan take 5 at {cell}", reply_address_for(turn))
    assert [wish.tile for wish in Plan.objects.get().actions if isinstance(wish, Place)] == [fifth.code]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("plan take 2 at W9", "You can't place the tile at"),
        ("plan take 40 at E1", "The next tiles are"),
        ("plan tkae 2 at E1", "We don't understand"),
        ("plan resign 1", "We don't understand"),
        ("plan take 2; else take 2", "Where?"),
        ("take 2", "It is not your turn."),
    ],
)
def test_a_plan_that_is_not_understood_is_answered_with_the_reason(
    game: Game, text: str, problem: str
) -> None:
    answer = answered(text, reply_address_for(waiting(game)))
    assert problem in answer.text
    assert f"\n{mover(game).username} to move.\n" in answer.text, "the reason may end with an example"
    assert "Tiles on the wheel" in answer.text
    assert not Plan.objects.exists()


def test_a_move_that_comes_too_early_becomes_the_plan(game: Game) -> None:
    turn = waiting(game)
    cell = next(iter(position_of(game).displays[turn.seat].free_cells)).name
    answer = answered(f"take 4 at {cell}", reply_address_for(turn))
    assert f"It is not your turn. “take 4 at {cell}” is your plan for your next turn." in answer.text
    assert not Plan.objects.get(user=turn.user).outlasts_reveals


def test_who_is_to_move_or_whose_game_is_over_cannot_plan_by_reply(game: Game) -> None:
    address = address_of(game)
    assert "It is your turn now" in answered("plan refill", address).text
    play_out(game)
    assert "while a game with others is running" in answered("plan refill", address).text
    assert not Plan.objects.exists()


def test_a_move_that_is_not_possible_is_named_also_above_a_plan(game: Game) -> None:
    for reply in ("take 9 at E1", "take 9 at E1\nplan take 5"):
        assert "The next tiles are" in answered(reply, address_of(game)).text
    assert not Plan.objects.exists()


def test_the_answer_to_a_move_says_how_to_plan_the_next_one(game: Game) -> None:
    turn, move = turn_now(game), good_move(game)
    while (
        position_of(game).apply(read_action(move, position_of(game), turn.seat)).position.to_move == turn.seat
    ):
        play_one(game)
        turn, move = turn_now(game), good_move(game)
    answer = answered(move, reply_address_for(turn))
    assert "Your move is played." in answer.text
    assert "plan take 1" in answer.text
    assert answer.reply_to == reply_address_for(waiting(game))
    assert answer_to(move, reply_address_for(turn)) is None


def test_no_mail_about_a_plan_goes_to_anybody_else(game: Game) -> None:
    turn = waiting(game)
    cell = next(iter(position_of(game).displays[turn.seat].free_cells)).name
    answered(f"plan take 5 at {cell}", reply_address_for(turn))
    assert Plan.objects.filter(user=turn.user).exists()
    assert [owed.address for owed in AccountMail.objects.all()] == [turn.user.email]
    assert not Notification.objects.exists()
    other = turn_mail(game, mover(game))
    Plan.objects.all().delete()
    assert other.body == turn_mail(game, mover(game)).body
