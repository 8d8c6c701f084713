"""Notifications of each kind arrive once, by real servers, and their switches stop them.

In `test_every_kind_and_channel.py` nothing is sent. Here services store the notifications, and an SMTP
server, a push server and a webhook receive them.
"""

import json
import uuid
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django.fixtures import Settings

from accounts.models import User
from games import tasks
from games.models import Channel, Game, Kind, Notification, Seat, SeatChange, Vote, Webhook
from games.notifications import delivery
from games.notifications.registry import KINDS
from games.novaluna.engine import Resign
from games.services import (
    after_commit,
    hand_overs,
    invitations,
    notifications,
    seat_changes,
    tables,
    votes,
)
from games.services.play import play
from games.services.private import profiles
from games.services.talk import chat, nudges
from tests.frozen import frozen_clock
from tests.games.notifications.devices import device_of
from tests.play import fresh, game_of, match_of, move_deadline, mover, person, play_one, play_out
from tests.plugins.mailserver import MailServer
from tests.receiver import Receiver

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("push_key")]


@pytest.fixture
def mails(smtp: MailServer, settings: Settings) -> MailServer:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    return smtp


def turn_in(game: Game, user: User) -> Game:
    while mover(game) != user:
        play_one(game)
    return fresh(game)


def resign(game: Game, user: User) -> None:
    play(game.key, user, Resign(0), fresh(game).version + 1, uuid.uuid4())


def owe_end(ines: User, tobias: User) -> None:
    resign(game_of(ines, tobias), tobias)


def owe_match(ines: User, tobias: User) -> None:
    games = match_of(ines, tobias, person("Mina"), person("Noor"))
    for game in sorted(games, key=lambda game: not game.seats.filter(user=ines).exists()):
        play_out(game)


def owe_table(ines: User, _tobias: User) -> None:
    table = tables.open_table(ines, tables.TableOptions(2))
    Game.objects.filter(pk=table.pk).update(closes_at=timezone.now() + timedelta(days=7))
    notifications.owe_table_warning(fresh(table))


def owe_invitation(ines: User, tobias: User) -> None:
    table = tables.open_table(tobias, tables.TableOptions(2))
    invitations.invite(table.key, tobias, ines)


def owe_leave(ines: User, tobias: User) -> None:
    resign(game_of(ines, tobias, person("Mina")), tobias)


def paced_game(ines: User, tobias: User) -> Game:
    table = tables.open_table(tobias, tables.TableOptions(2, is_public=True, pace="day", caretaker="medium"))
    return turn_in(tables.join(table.key, ines), ines)


def owe_reminder(ines: User, tobias: User) -> None:
    game = paced_game(ines, tobias)
    move_deadline(game, timezone.now() + timedelta(hours=1))
    notifications.remind(game.pk)


def owe_caretaker(ines: User, tobias: User) -> None:
    game = paced_game(ines, tobias)
    seat = game.seats.select_related("user").get(user=ines)
    seat_changes.hand_to_bot(game, seat, "medium", SeatChange.Reason.TIME)


def owe_nudge(ines: User, tobias: User) -> None:
    game = turn_in(game_of(ines, tobias), ines)
    Game.objects.filter(pk=game.pk).update(moved_at=timezone.now() - timedelta(days=2))
    nudges.nudge(game.key, tobias)


def owe_end_of_followed(ines: User, tobias: User) -> None:
    mina = person("Mina")
    game = game_of(tobias, mina)
    profiles.follow_game(ines, game, is_following=True)
    resign(game, mina)


CHANNELS = {Channel.MAIL, Channel.DIGEST, Channel.PUSH, Channel.WEBHOOK}

# What causes a notification of each kind to Ines. Tobias does it.
EVENTS: dict[str, Callable[[User, User], object]] = {
    Kind.TURN: lambda ines, tobias: turn_in(game_of(ines, tobias), ines),
    Kind.STARTED: game_of,
    Kind.OVER: owe_end,
    Kind.MATCH: owe_match,
    Kind.TABLE: owe_table,
    Kind.INVITATION: owe_invitation,
    Kind.LEFT: owe_leave,
    Kind.REMINDER: owe_reminder,
    Kind.CARETAKER: owe_caretaker,
    Kind.NUDGE: owe_nudge,
    Kind.VOTE: lambda ines, tobias: votes.start(game_of(ines, tobias).key, tobias, Vote.Purpose.CANCEL),
    Kind.SEAT: lambda ines, tobias: hand_overs.offer(game_of(ines, tobias).key, tobias, is_public=False),
    Kind.CHAT: lambda ines, tobias: chat.write(game_of(ines, tobias).key, tobias, "Hello", uuid.uuid4()),
    Kind.FOLLOWED: owe_end_of_followed,
}


def deliver_twice(kind: str) -> None:
    """Deliver what Ines is owed of this kind twice, as if it were due and nobody had a page open."""
    Seat.objects.update(seen_at=None)
    rows = Notification.objects.filter(user__username="Ines", kind=kind)
    rows.update(due_at=timezone.now())
    for one in [*rows] * 2:
        delivery.deliver(one.pk)


@pytest.mark.parametrize("kind", KINDS)
def test_a_notification_that_somebody_causes_arrives_once_on_each_channel_unless_it_is_switched_off(
    kind: str, ines: User, tobias: User, receiver: Receiver, mails: MailServer
) -> None:
    device = device_of(ines, receiver, "/push")
    Webhook.objects.create(user=ines, url=f"{receiver.url}/hook", format=Webhook.Format.JSON)
    every = {one: CHANNELS if one == kind else set() for one in KINDS}
    notifications.choose_channels(ines, every)
    EVENTS[kind](ines, tobias)
    rows = Notification.objects.filter(user=ines, kind=kind)
    assert sorted(one.channel for one in rows) == sorted(CHANNELS)

    for channel in CHANNELS:
        notifications.stop(ines, kind, channel)
    deliver_twice(kind)
    assert {one.why_dropped for one in rows.all()} == {"unwanted"}
    assert (mails.mails_to(ines.email), receiver.requests) == ([], [])

    notifications.choose_channels(ines, every)
    rows.update(dropped_at=None, why_dropped="")
    deliver_twice(kind)
    assert not rows.filter(sent_at=None).exists()
    assert receiver.received_at() == ["/hook", "/push"]
    hook, push = sorted(receiver.requests, key=lambda request: request.path)
    title = json.loads(hook.body)["data"]["title"]
    assert device.read(push)["title"] == title
    daily, mail = sorted(mails.mails_to(ines.email), key=lambda one: "together" not in one["References"])
    assert mail["Subject"] == title
    assert title in daily.get_body(("plain",)).get_content()


def test_the_daily_mail_has_three_games_most_urgent_first_and_arrives_once(
    ines: User, tobias: User, mails: MailServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sweep queues a task for each notification, every five seconds, until they are sent."""
    notifications.choose_channels(ines, {kind: {Channel.DIGEST} for kind in KINDS})
    queued: list[tuple[str, int]] = []
    monkeypatch.setattr(tasks, "queue", lambda task, pk, **_options: queued.append((task, pk)) or True)

    def sweep_and_work() -> None:
        queued.clear()
        for _copy in range(2):
            tasks.sweep()
        for task, pk in queued:
            if task == after_commit.DELIVER:
                tasks.deliver(pk)

    with frozen_clock() as clock:  # noon, six hours before the daily email
        over = game_of(ines, tobias)
        turns = [turn_in(game_of(ines, person(name)), ines) for name in ("Mina", "Noor", "Emil")]
        resign(over, tobias)
        late, never, soon = turns
        for game, hours in ((late, 40), (soon, 8)):
            Game.objects.filter(pk=game.pk).update(deadline=clock.now + timedelta(hours=hours))
        Seat.objects.update(seen_at=None)
        sweep_and_work()
        assert mails.mails_to(ines.email) == []
        for _sweep in range(3):
            clock.move_on(hours=2, seconds=5)
            sweep_and_work()
        clock.move_on(minutes=1)
        sweep_and_work()
        [daily] = mails.mails_to(ines.email)
        clock.move_on(days=1)
        sweep_and_work()
        assert len(mails.mails_to(ines.email)) == 1, "none when there is nothing new"
    text = daily.get_body(("plain",)).get_content()
    places = [text.index(f"/g/{game.key}/") for game in (soon, late, never, over)]
    assert places == sorted(places)
    assert daily["Subject"] == "It is your turn in 3 games"
