"""Emails about votes: to those who are asked, to the absent player, and about what was agreed."""

from datetime import timedelta

import pytest
from django.core import mail
from django.utils import timezone

from accounts.models import User
from games.models import Game, Kind, Notification, Seat, Vote
from games.notifications import delivery
from games.services import votes
from tests.play import game_of, mover, person

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    """A game of three people without a clock, which has waited for one of them for 15 days."""
    game = game_of(person("Ines"), person("Tobias"), person("Mina"), is_public=False)
    ago = timezone.now() - timedelta(days=15)
    Game.objects.filter(pk=game.pk).update(started_at=ago, moved_at=ago)
    Notification.objects.all().delete()
    return game


def others(game: Game) -> list[User]:
    seats = game.seats.exclude(number=game.to_move).select_related("user").order_by("number")
    return [seat.user for seat in seats]


def deliver(kind: Kind) -> dict[str, str]:
    """Deliver the notifications of a kind twice, as if nobody had a page open; return subjects by name."""
    Seat.objects.update(seen_at=None)
    for one in [*Notification.objects.filter(kind=kind)] * 2:
        delivery.deliver(one.pk)
    return {sent.to[0].split()[0]: sent.subject for sent in mail.outbox}


def test_those_who_are_asked_and_the_absent_player_get_one_email_each(game: Game) -> None:
    absent, (first, second) = mover(game), others(game)
    votes.start(game.key, first, Vote.Purpose.BOT)
    assert deliver(Kind.VOTE) == {
        str(second): f"{first} asks you: Let a bot play for {absent}?",
        str(absent): "The others decide about your seat, because you have not moved for two weeks",
    }
    assert len(mail.outbox) == 2
    bodies = {sent.to[0].split()[0]: sent.body for sent in mail.outbox}
    assert "counts as agreeing" in bodies[str(second)]
    assert "The others are asked: Let a bot play for you? You can take the seat back" in bodies[str(absent)]
    assert "The proposal ends when you move or say that you are back." in bodies[str(absent)]


def test_no_email_after_an_answer_or_the_end_of_the_vote(game: Game) -> None:
    first, second = others(game)
    votes.start(game.key, first, Vote.Purpose.PACE, "slow")
    votes.answer(game.key, second, game.votes.get().pk, agrees=True)
    deliver(Kind.VOTE)
    assert Notification.objects.get(kind=Kind.VOTE, user=second).why_dropped == "answered"
    mail.outbox.clear()
    Notification.objects.all().delete()
    votes.answer(game.key, first, game.votes.get().pk, agrees=False)
    votes.start(game.key, first, Vote.Purpose.OUT)
    votes.answer(game.key, second, game.votes.latest("pk").pk, agrees=False)
    assert deliver(Kind.VOTE) == {}
    reasons = Notification.objects.filter(kind=Kind.VOTE).values_list("why_dropped", flat=True)
    assert {*reasons} == {"settled"}


def test_the_player_whose_seat_a_bot_takes_learns_that_the_others_agreed(game: Game) -> None:
    absent = mover(game)
    for user in others(game):
        votes.start(game.key, user, Vote.Purpose.BOT)
    assert deliver(Kind.CARETAKER).keys() == {str(absent)}
    assert "the other players agreed that a bot (medium) plays your seat" in mail.outbox[0].body


def test_everybody_learns_that_a_game_was_cancelled(game: Game) -> None:
    absent, (first, second) = mover(game), others(game)
    for user in (first, second):
        votes.start(game.key, user, Vote.Purpose.CANCEL)
    subjects = deliver(Kind.OVER)
    assert subjects[str(absent)] == f"Your game against {first} and {second} was cancelled"
    assert subjects.keys() == {str(absent), str(first), str(second)}
    assert "The players agreed to cancel the game, so nobody wins." in mail.outbox[0].body
