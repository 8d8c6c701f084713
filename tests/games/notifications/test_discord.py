"""Posts to Discord: one for each game, which says no longer that it is a turn when it is over."""

import json
import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from accounts.outside import guarded_client
from games import tasks
from games.models import (
    Channel,
    Game,
    Kind,
    Notification,
    Nudge,
    Seat,
    WebhookPost,
)
from games.notifications import webhook, withdrawal
from games.services import notifications
from games.services.talk import chat
from tests.games.notifications.devices import withdraw, withdrawals
from tests.games.notifications.hooks import deliver, set_up, turn_of
from tests.play import game_of, hand_over, mover, person, play_one, play_out
from tests.receiver import Receiver

pytestmark = pytest.mark.django_db


def test_discord_gets_a_new_post_for_each_turn_and_keeps_one_a_game(receiver: Receiver, ines: User) -> None:
    set_up(ines, receiver, "discord")
    receiver.answer = b'{"id": "1234567890123456789"}'
    game = game_of(ines, person("Tobias_*@everyone"))
    deliver(turn_of(ines, game))
    receiver.answer = b'{"id": "18"}'
    deliver(turn_of(ines, game))
    first, second, third = receiver.requests
    assert (first.method, first.path) == ("POST", "/hook?wait=true")
    assert (second.method, second.path) == ("POST", "/hook?wait=true")
    assert (third.method, third.path) == ("DELETE", "/hook/messages/1234567890123456789")
    sent = json.loads(second.body)
    assert sent["allowed_mentions"] == {"parse": []}
    assert "Tobias\\_\\*\\@everyone" in sent["content"]
    assert f"/g/{game.key}/>" in sent["content"]


def contents(receiver: Receiver) -> list[tuple[str, str]]:
    """Return the method and the first line of each request to Discord."""
    return [
        (one.method, json.loads(one.body)["content"].split("\n")[0]) for one in receiver.requests if one.body
    ]


def test_the_post_says_no_longer_that_it_is_my_turn_when_i_have_moved(receiver: Receiver, ines: User) -> None:
    set_up(ines, receiver, "discord")
    receiver.answer = b'{"id": "17"}'
    turn = deliver(turn_of(ines))
    withdraw(turn)
    assert contents(receiver) == [
        ("POST", "**Your turn against Tobias**"),
        ("PATCH", "**It is no longer your turn against Tobias**"),
    ]
    deliver(turn_of(ines, turn.game))
    assert contents(receiver)[2:] == [("POST", "**Your turn against Tobias**")]


def test_the_post_says_no_longer_that_it_is_my_turn_when_i_have_handed_my_seat_over(
    receiver: Receiver, ines: User
) -> None:
    set_up(ines, receiver, "discord")
    receiver.answer = b'{"id": "17"}'
    turn = deliver(turn_of(ines))
    with withdrawals():
        hand_over(turn.game, ines, person("Mina"))
    assert contents(receiver)[1:] == [("PATCH", "**It is no longer your turn against Tobias**")]


def test_only_a_post_about_a_turn_that_is_over_is_edited(receiver: Receiver, ines: User) -> None:
    set_up(ines, receiver, "discord")
    receiver.answer = b'{"id": "17"}'
    turn = deliver(turn_of(ines))
    tasks.withdraw(turn.pk)
    assert len(receiver.requests) == 1, "it is still the turn of Ines"
    chat.write(turn.game.key, User.objects.get(username="Tobias"), "Your turn, Ines!", uuid.uuid4())
    receiver.answer = b'{"id": "18"}'
    deliver(Notification.objects.get(user=ines, kind=Kind.CHAT, channel=Channel.WEBHOOK))
    withdraw(turn)
    assert [(one.method, one.path) for one in receiver.requests[1:]] == [
        ("POST", "/hook"),
        ("PATCH", "/hook/messages/17"),
    ]


def test_a_withdrawal_that_waited_for_the_next_turn_does_not_replace_it(
    receiver: Receiver, ines: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_up(ines, receiver, "discord")
    receiver.answer = b'{"id": "17"}'
    turn = deliver(turn_of(ines))
    while mover(turn.game) == ines:
        play_one(turn.game)

    def write_while_the_next_turn_begins(game: Game) -> str:
        deliver(turn_of(ines, game))
        return ""

    monkeypatch.setattr(withdrawal, "describe_score", write_while_the_next_turn_begins)
    tasks.withdraw(turn.pk)
    assert contents(receiver)[1:] == [("POST", "**Your turn against Tobias**")]


def test_the_end_is_a_new_post_unless_the_player_has_seen_it(receiver: Receiver, ines: User) -> None:
    tobias = person("Tobias")
    for user in (ines, tobias):
        set_up(user, receiver, "discord")
    receiver.answer = b'{"id": "17"}'
    game = play_out(deliver(turn_of(ines, game_of(ines, tobias))).game)
    Game.objects.update(moved_at=timezone.now() - timedelta(hours=1))
    Seat.objects.filter(user=tobias).update(seen_at=timezone.now() - timedelta(minutes=30))
    Seat.objects.filter(user=ines).update(seen_at=None)
    game.actions.update(made_by=tobias)
    over = Notification.objects.filter(game=game, kind=Kind.OVER, channel=Channel.WEBHOOK)
    assert deliver(over.get(user=tobias)).why_dropped == "seen"
    assert deliver(over.get(user=ines)).sent_at
    method, title = contents(receiver)[-1]
    assert method == "POST"
    assert title in ("**Tobias won against you**", "**You won against Tobias**")


def test_two_workers_make_one_post_about_a_game(
    receiver: Receiver, ines: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_up(ines, receiver, "discord")
    receiver.answer = b'{"id": "17"}'
    first = turn_of(ines)
    nudge = Nudge.objects.create(game=first.game, user=ines, sender=person("Mina"), at=timezone.now())
    notifications.owe_nudge(nudge)
    second = Notification.objects.get(kind=Kind.NUDGE, channel=Channel.WEBHOOK)

    def send_while_another_worker_tries(*request: object) -> guarded_client.Answer:
        monkeypatch.setattr(webhook, "send", guarded_client.send)
        waiting = deliver(second)
        assert (waiting.sent_at, waiting.attempts, waiting.error) == (None, 0, "")
        assert (ines.webhook.error, ines.webhook.failing_since) == ("", None), "it has not failed"
        return guarded_client.send(*request)

    monkeypatch.setattr(webhook, "send", send_while_another_worker_tries)
    assert deliver(first).sent_at
    assert deliver(second).sent_at
    assert [one.method for one in receiver.requests] == ["POST", "POST"]


def test_the_claim_of_a_worker_that_died_while_it_posted_ends(receiver: Receiver, ines: User) -> None:
    set_up(ines, receiver, "discord")
    receiver.answer = b'{"id": "17"}'
    turn = turn_of(ines)
    claim = timezone.now() + timedelta(seconds=20)
    WebhookPost.objects.create(webhook=ines.webhook, game=turn.game, claimed_until=claim)
    assert deliver(turn).sent_at is None
    WebhookPost.objects.update(claimed_until=timezone.now())
    assert deliver(turn).sent_at
    assert WebhookPost.objects.get().message_id == "17"
