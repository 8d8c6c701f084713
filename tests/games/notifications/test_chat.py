"""Notifications about chat lines: one for several lines, and none for lines that were read or are muted."""

import uuid
from collections.abc import Callable, Sequence
from datetime import timedelta

import pytest
from django.core import mail
from django.core.mail import EmailMessage
from django.core.mail.backends.locmem import EmailBackend
from django.utils import timezone

from accounts.models import User
from games.models import Channel, ChatLine, Game, Kind, Notification, Webhook
from games.notifications import delivery
from games.services import notifications
from games.services.talk import chat
from tests.play import game_of, person

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(ines: User, tobias: User) -> Game:
    """A game whose players want immediate emails about its chat, and no others."""
    game = game_of(ines, tobias)
    Notification.objects.all().delete()
    game.seats.update(seen_at=None)
    for user in (ines, tobias):
        notifications.choose_channels(user, {Kind.CHAT: {Channel.MAIL}})
    return game


def write(game: Game, user: User, *texts: str) -> None:
    for text in texts:
        chat.write(game.key, user, text, uuid.uuid4())


def send_all() -> list[str]:
    """Deliver what is owed, however late it is due, and return the texts of the emails."""
    mail.outbox.clear()
    Notification.objects.pending().update(due_at=timezone.now() - timedelta(seconds=1))
    for notification in Notification.objects.pending():
        delivery.deliver(notification.pk)
    return [message.body for message in mail.outbox]


def test_several_lines_are_one_email_some_minutes_later(game: Game, ines: User, tobias: User) -> None:
    write(game, ines, "Hello", "<b>Are you there?</b>")
    owed = Notification.objects.get()
    assert (owed.user, owed.kind, owed.channel) == (tobias, Kind.CHAT, Channel.MAIL)
    assert owed.due_at > timezone.now() + timedelta(minutes=9)
    [text] = send_all()
    assert "Ines: Hello" in text
    assert "Ines: <b>Are you there?</b>" in text
    assert f"{game.get_absolute_url()}?" in text
    html = str(mail.outbox[0].alternatives[0].content)
    assert "&lt;b&gt;Are you there?&lt;/b&gt;" in html
    assert mail.outbox[0].subject == "Ines wrote in the chat of your game"
    assert send_all() == []
    write(game, ines, "Hello again")
    assert len(send_all()) == 1


def test_lines_that_were_read_send_nothing(game: Game, ines: User, tobias: User) -> None:
    write(game, ines, "Hello")
    chat.mark_read(game.key, tobias, ChatLine.objects.get().pk)
    assert send_all() == []
    assert Notification.objects.get().why_dropped == "seen"


def test_a_silenced_game_and_a_muted_person_send_nothing(game: Game, ines: User, tobias: User) -> None:
    notifications.silence(game, tobias, is_silent=True)
    write(game, ines, "Hello")
    assert send_all() == []
    notifications.silence(game, tobias, is_silent=False)
    write(game, ines, "Something rude")
    chat.mute(tobias, ines, is_muted=True)
    assert send_all() == []
    Notification.objects.all().delete()
    write(game, ines, "More")
    assert not Notification.objects.exists()


def test_who_has_chosen_nothing_reads_the_lines_in_the_daily_email(ines: User) -> None:
    noor = person("Noor")
    game = game_of(ines, noor)
    Notification.objects.all().delete()
    write(game, ines, "See you tomorrow")
    assert [one.channel for one in Notification.objects.all()] == [Channel.DIGEST]
    game.seats.update(seen_at=None)
    [text] = send_all()
    assert "Ines wrote in the chat of your game\n    Ines: See you tomorrow" in text


@pytest.mark.parametrize("waiting", [Channel.DIGEST, Channel.MAIL])
def test_a_message_that_waits_on_one_channel_stops_none_on_another(
    game: Game, ines: User, tobias: User, waiting: Channel
) -> None:
    """The daily email waits for its hour, and an email waits until its address is confirmed."""
    notifications.choose_channels(tobias, {Kind.CHAT: {waiting}})
    write(game, ines, "Hello")
    Webhook.objects.create(user=tobias, url="https://example.org/hook", format=Webhook.Format.JSON)
    write(game, ines, "Are you there?", "Hello?")
    owed = Notification.objects.pending().filter(user=tobias, kind=Kind.CHAT)
    assert sorted(one.channel for one in owed) == sorted([waiting, Channel.WEBHOOK])
    owed.filter(channel=Channel.WEBHOOK).update(sent_at=timezone.now())
    write(game, ines, "Bye")
    assert Notification.objects.filter(channel=Channel.WEBHOOK).count() == 2
    assert Notification.objects.filter(channel=waiting).count() == 1


@pytest.fixture
def during_send(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], None]], None]:
    """Return a function that runs another one while the next email is being sent."""
    send = EmailBackend.send_messages

    def run_once(act: Callable[[], None]) -> None:
        def send_and_act(backend: EmailBackend, messages: Sequence[EmailMessage]) -> int:
            monkeypatch.setattr(EmailBackend, "send_messages", send)
            act()
            return send(backend, messages)

        monkeypatch.setattr(EmailBackend, "send_messages", send_and_act)

    return run_once


def test_a_line_that_is_written_while_an_email_is_being_sent_gets_the_next_one(
    game: Game, ines: User, tobias: User, during_send: Callable[[Callable[[], None]], None]
) -> None:
    write(game, ines, "Hello")
    during_send(lambda: write(game, ines, "Are you there?"))
    [first] = send_all()
    [second] = send_all()
    assert ("Hello" in first, "Are you there?" in first) == (True, False)
    assert ("Hello" in second, "Are you there?" in second) == (False, True)
    assert send_all() == []


def test_each_line_is_in_one_email_although_the_mail_server_fails(
    game: Game, ines: User, during_send: Callable[[Callable[[], None]], None]
) -> None:
    def write_and_fail() -> None:
        write(game, ines, "Are you there?")
        raise ConnectionRefusedError

    write(game, ines, "Hello")
    during_send(write_and_fail)
    assert send_all() == []
    write(game, ines, "Bye")
    [text] = send_all()
    assert [text.count(line) for line in ("Hello", "Are you there?", "Bye")] == [1, 1, 1]
    assert send_all() == []


def test_lines_that_are_written_while_their_reader_is_here_share_an_email(
    game: Game, ines: User, tobias: User
) -> None:
    write(game, ines, "Hello")
    game.seats.filter(user=tobias).update(seen_at=timezone.now())
    assert send_all() == []
    write(game, ines, "Are you there?")
    game.seats.update(seen_at=None)
    assert Notification.objects.count() == 1
    [text] = send_all()
    assert [text.count(line) for line in ("Hello", "Are you there?")] == [1, 1]
