"""Notifications about a player who leaves: to everybody who plays on, once, and not with their turn."""

import uuid

import pytest
from django.core import mail
from django.utils import timezone

from accounts.models import User
from games.models import Channel, Game, Kind, Notification
from games.notifications import delivery
from games.notifications.registry import KINDS
from games.novaluna.engine import Resign
from games.services import notifications
from games.services.play import play, resign_for
from tests.play import fresh, game_of, mover, person

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    game = game_of(person("Ines"), person("Tobias"), person("Mina"))
    Notification.objects.all().delete()  # Those about its start would share an email.
    return game


def resign(game: Game, user: User) -> None:
    play(game.key, user, Resign(0), fresh(game).version + 1, uuid.uuid4())


def waiting(game: Game) -> list[User]:
    seats = game.seats.exclude(number=fresh(game).to_move).select_related("user").order_by("number")
    return [seat.user for seat in seats]


def owed(game: Game) -> list[Notification]:
    game.seats.update(seen_at=None)
    return list(Notification.objects.filter(game=game, kind=Kind.LEFT).order_by("user"))


def test_everybody_who_plays_on_gets_one_email(game: Game) -> None:
    leaver, other = waiting(game)
    resign(game, leaver)
    assert {one.user for one in owed(game)} == {other, mover(game)}
    [one] = [one for one in owed(game) if one.user == other]
    for _again in range(2):
        delivery.deliver(one.pk)
    [sent] = mail.outbox
    assert sent.to == [f"{other.username} <{other.email}>"]
    assert sent.subject == f"{leaver.username} has left your game with {mover(game).username}"
    assert f"/g/{game.key}/" in sent.body


def test_the_player_whose_turn_begins_gets_only_the_email_about_the_turn(game: Game) -> None:
    leaver = mover(game)
    resign(game, leaver)
    next_player = mover(game)
    assert [one.user for one in owed(game)] == [user for user in waiting(game) if user != leaver]
    assert Notification.objects.filter(user=next_player, kind=Kind.TURN, version=1).exists()


def test_a_player_whose_turn_begins_and_who_wants_no_notification_of_it_gets_this_one(game: Game) -> None:
    for user in waiting(game):
        notifications.stop(user, Kind.TURN, Channel.MAIL)
    resign(game, mover(game))
    next_player = mover(game)
    [one] = [one for one in owed(game) if one.user == next_player]
    delivery.deliver(one.pk)
    [sent] = mail.outbox
    assert "The game goes on without them, and it is your turn." in sent.body


def test_none_when_the_game_ends_or_the_player_has_seen_it(game: Game) -> None:
    first, second = waiting(game)
    resign(game, first)
    seen, _unseen = owed(game)
    game.seats.filter(user=seen.user).update(seen_at=timezone.now())
    delivery.deliver(seen.pk)
    seen.refresh_from_db()
    assert seen.why_dropped == "seen"
    resign(game, second)
    assert fresh(game).is_over
    for one in owed(game):
        delivery.deliver(one.pk)
    assert mail.outbox == []


def test_who_has_left_gets_no_email_about_the_start() -> None:
    game = game_of(person("Ines"), person("Tobias"), person("Mina"))
    leaver, other = waiting(game)
    resign(game, leaver)
    game.seats.update(seen_at=None)
    kind, started = KINDS[Kind.STARTED], Notification.objects.filter(game=game, kind=Kind.STARTED)
    assert kind.why_unwanted(started.get(user=leaver)) == "over"
    assert kind.why_unwanted(started.get(user=other)) == ""


@pytest.mark.parametrize("reason", ["time", "absent"])
def test_who_is_out_without_their_choice_learns_it(game: Game, reason: str) -> None:
    out = mover(game)
    resign_for(fresh(game), game.seats.get(user=out), reason)
    [one] = [one for one in owed(game) if one.user == out]
    for _again in range(2):
        delivery.deliver(one.pk)
    [sent] = mail.outbox
    assert sent.subject.startswith("You are out of your game with ")
    words = {"time": "Your clock ran out.", "absent": "the others agreed to continue without you."}
    assert words[reason] in sent.body
    assert "The others play on, and you can watch." in sent.body


@pytest.mark.parametrize("reason", ["time", "absent"])
def test_who_is_out_of_a_game_of_two_learns_its_end(reason: str) -> None:
    game = game_of(person("Ines"), person("Tobias"))
    Notification.objects.all().delete()
    out = mover(game)
    resign_for(fresh(game), game.seats.get(user=out), reason)
    game.seats.update(seen_at=None)
    for one in Notification.objects.filter(user=out):
        delivery.deliver(one.pk)
    [sent] = mail.outbox
    assert "won against you" in sent.subject


def test_who_resigns_gets_no_email_about_it(game: Game) -> None:
    leaver = mover(game)
    resign(game, leaver)
    assert leaver not in {one.user for one in owed(game)}
