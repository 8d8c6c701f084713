"""Answers to a vote at the same moment: what is agreed happens once, or the absent player has moved."""

import uuid
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from games.models import Action, Game, Kind, Notification, SeatChange, Vote
from games.services import votes
from games.services.errors import Refused
from games.services.play import play
from tests.concurrency.simultaneous import run_simultaneously
from tests.play import fresh, game_of, legal_action, mover, person

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.databases]


def absent_game(*more: str) -> Game:
    """Return a game that has waited for 15 days for one of three people, or more."""
    game = game_of(*map(person, ("Ines", "Tobias", "Mina", *more)), is_public=False)
    began_at = timezone.now() - timedelta(days=15)
    Game.objects.filter(pk=game.pk).update(started_at=began_at, moved_at=began_at)
    return fresh(game)


def others(game: Game) -> list[User]:
    seats = game.seats.exclude(user=mover(game)).select_related("user").order_by("number")
    return [seat.user for seat in seats if seat.user]


@pytest.mark.parametrize("purpose", [Vote.Purpose.CANCEL, Vote.Purpose.BOT])
def test_two_last_answers_carry_out_a_vote_once(purpose: str) -> None:
    game = absent_game("Noor")
    users = others(game)
    votes.start(game.key, users[0], purpose)
    vote = game.votes.get().pk

    def answer_of(user: User) -> Callable[[], int]:
        def agree() -> int:
            with suppress(Refused):  # The game may be over by now.
                votes.answer(game.key, user, vote, agrees=True)
            return 0

        return agree

    run_simultaneously([answer_of(user) for user in users[1:] * 2])

    assert game.votes.get().outcome == Vote.Outcome.AGREED
    if purpose == Vote.Purpose.CANCEL:
        assert [action.payload for action in Action.objects.filter(game=game)] == [{"do": "cancel"}]
        assert Notification.objects.filter(kind=Kind.OVER).count() == 4
    else:
        assert SeatChange.objects.filter(game=game).count() == 1


def test_a_move_and_the_last_answer_at_the_same_time_end_in_one() -> None:
    game = absent_game()
    absent, (first, second) = mover(game), others(game)
    action = legal_action(game)
    votes.start(game.key, first, Vote.Purpose.OUT)
    vote = game.votes.get().pk

    def move() -> int:
        try:
            return play(game.key, absent, action, 1, uuid.uuid4()).number
        except Refused:
            return 0

    def agree() -> int:
        votes.answer(game.key, second, vote, agrees=True)
        return 0

    moved = sum(run_simultaneously([move, agree]))

    [stored] = Action.objects.filter(game=game)
    if moved:
        assert (stored.payload["do"], game.votes.get().outcome) == ("place", Vote.Outcome.LAPSED)
    else:
        assert (stored.payload["do"], game.votes.get().outcome) == ("resign", Vote.Outcome.AGREED)
