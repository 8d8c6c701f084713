"""A push message about a turn is closed when the turn is over, and only then."""

import re
import uuid

import pytest
from django.utils import timezone

from accounts.models import User
from games import tasks
from games.models import Channel, Kind, Notification, Nudge
from games.notifications import push
from games.services import notifications
from games.services.talk import chat
from tests.games.notifications.devices import deliver, device_of, turn_of, withdraw, withdrawals
from tests.play import game_of, hand_over, mover, person, play_one
from tests.receiver import Receiver

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("push_key")]


def test_a_turn_that_is_played_elsewhere_closes_its_message_and_corrects_the_badge(
    receiver: Receiver, ines: User
) -> None:
    device = device_of(ines, receiver)
    turn = deliver(turn_of(ines))
    withdraw(turn)
    first, second = receiver.requests
    message = device.read(second)
    assert message == {
        "tag": device.read(first)["tag"],
        "closes": [Kind.TURN, Kind.REMINDER, Kind.NUDGE],
        "turns": 0,
    }
    assert second.headers["topic"] == first.headers["topic"], "it replaces one that waits"
    assert re.fullmatch("[A-Za-z0-9_-]{1,32}", first.headers["topic"])


def test_a_chat_line_does_not_replace_the_message_about_the_turn(receiver: Receiver, ines: User) -> None:
    device = device_of(ines, receiver)
    game = game_of(ines, tobias := person("Tobias"))
    turn = deliver(turn_of(ines, game))
    chat.write(game.key, tobias, "Your turn, Ines!", uuid.uuid4())
    deliver(Notification.objects.get(user=ines, kind=Kind.CHAT, channel=Channel.PUSH))
    nudge = Nudge.objects.create(game=game, user=ines, sender=tobias, at=timezone.now())
    notifications.owe_nudge(nudge)
    deliver(Notification.objects.get(user=ines, kind=Kind.NUDGE, channel=Channel.PUSH))
    about_turn, about_chat, about_nudge = [str(device.read(one)["tag"]) for one in receiver.requests]
    assert about_turn != about_chat
    assert about_turn == about_nudge, "it says the same with more emphasis"
    withdraw(turn)
    assert device.read(receiver.requests[-1])["tag"] == about_turn


def test_nothing_is_withdrawn_that_was_not_sent_or_is_not_wanted(receiver: Receiver, ines: User) -> None:
    device_of(ines, receiver)
    turn = turn_of(ines)
    withdraw(turn)
    assert not receiver.requests
    turn = deliver(turn_of(ines, turn.game))
    notifications.stop(ines, Kind.TURN, Channel.PUSH)
    withdraw(turn)
    assert len(receiver.requests) == 1


def test_a_turn_that_begins_again_before_the_withdrawal_stays(receiver: Receiver, ines: User) -> None:
    device_of(ines, receiver)
    turn = deliver(turn_of(ines))
    tasks.withdraw(turn.pk)
    assert len(receiver.requests) == 1


def test_nothing_is_withdrawn_after_the_next_turn_has_begun(
    receiver: Receiver, ines: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    device_of(ines, receiver)
    turn = deliver(turn_of(ines))
    while mover(turn.game) == ines:
        play_one(turn.game)

    def count_while_the_next_turn_begins(user: User) -> int:
        turn_of(user, turn.game)
        return 1

    monkeypatch.setattr(push, "count_waiting", count_while_the_next_turn_begins)
    tasks.withdraw(turn.pk)
    assert len(receiver.requests) == 1


def test_a_turn_that_is_handed_over_closes_its_message(receiver: Receiver, ines: User) -> None:
    device = device_of(ines, receiver)
    turn = deliver(turn_of(ines))
    with withdrawals():
        hand_over(turn.game, ines, person("Mina"))
    assert device.read(receiver.requests[-1])["closes"] == [Kind.TURN, Kind.REMINDER, Kind.NUDGE]


def test_nothing_is_withdrawn_when_a_seat_changes_hands_that_is_not_to_move(
    receiver: Receiver, ines: User
) -> None:
    device_of(ines, receiver)
    turn = deliver(turn_of(ines))
    while mover(turn.game) == ines:
        play_one(turn.game)
    with withdrawals():
        hand_over(turn.game, ines, person("Mina"))
    assert len(receiver.requests) == 1


def test_safari_gets_no_message_that_shows_nothing(
    receiver: Receiver, ines: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    device_of(ines, receiver)
    turn = deliver(turn_of(ines))
    monkeypatch.setattr(push, "SAFARI", receiver.url)
    withdraw(turn)
    assert len(receiver.requests) == 1
