"""Emails about time: one reminder for each deadline, and one when a bot takes over a seat."""

from datetime import date

import pytest
from django.core import mail

from accounts.models import AccountMail, User
from games.models import Channel, Game, Kind, Notification, Seat
from games.notifications import delivery
from games.notifications.replies import receive
from games.services import calendars, seat_changes, tables
from games.services.notifications import due_reminders
from games.tasks import remind, time_out
from tests.frozen import FrozenClock
from tests.games.notifications.received import address_of, email
from tests.play import fresh, mover, person, play_one, turn_mail

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(clock: FrozenClock) -> Game:
    table = tables.open_table(
        person("Ines"), tables.TableOptions(2, is_public=True, pace="day", caretaker="medium")
    )
    tables.join(table.key, person("Tobias"))
    Notification.objects.all().delete()
    return fresh(table)


def deliver(kind: Kind) -> None:
    """Deliver the notifications of a kind, as if nobody had a page open."""
    Seat.objects.update(seen_at=None)
    for one in Notification.objects.filter(kind=kind).order_by("pk"):
        delivery.deliver(one.pk)


def opponent_of(game: Game, user: User) -> User:
    return game.seats.exclude(user=user).get().user


def test_the_player_to_move_is_reminded_once_of_each_deadline(game: Game, clock: FrozenClock) -> None:
    user = mover(game)
    clock.move_on(hours=17, minutes=59)
    assert due_reminders() == []
    clock.move_on(minutes=1)
    for _run in range(2):
        remind(game.pk)
    clock.move_on(minutes=30)
    deliver(Kind.REMINDER)
    [sent] = mail.outbox
    assert sent.to == [f"{user} <{user.email}>"]
    assert sent.subject == f"Move by Tue 2 Jun, 12:00 (UTC) against {opponent_of(game, user)}"
    assert "Tue 2 Jun, 12:00 (UTC). Then a bot plays your seat" in sent.body
    assert f"/g/{game.key}/" in sent.body
    assert due_reminders() == []

    calendars.plan_vacation(user, date(2026, 6, 2), date(2026, 6, 4))
    assert due_reminders() == [], "the deadline has moved"
    clock.move_on(days=2, hours=20)
    remind(game.pk)
    deliver(Kind.REMINDER)
    assert len(mail.outbox) == 2


def test_emails_about_a_turn_name_its_deadline_in_the_zone_of_the_reader(
    game: Game, clock: FrozenClock
) -> None:
    user = mover(game)
    User.objects.update(time_zone="Asia/Tokyo")
    game = fresh(game)
    clock.move_on(hours=3)
    words = "Move by Tue 2 Jun, 21:00 (Asia/Tokyo)"
    alone = turn_mail(game, mover(game))
    rows = [Notification(pk=pk, game=game, user=mover(game), kind=Kind.TURN) for pk in (1, 2)]
    for row in rows:
        row.created_at, row.channel = clock.now, Channel.DIGEST
    together = delivery.write_message(rows)
    receive(email(""), address_of(game), user.email)
    for text in (
        alone.body,
        str(alone.alternatives[0].content),
        together.text,
        together.html,
        AccountMail.objects.get().text,
    ):
        assert words in text
    Game.objects.update(deadline=None)
    assert "Move by" not in turn_mail(fresh(game), user).body


def test_no_reminder_is_sent_after_the_turn_or_if_the_deadline_has_moved(
    game: Game, clock: FrozenClock
) -> None:
    user = mover(game)
    clock.move_on(hours=19)
    remind(game.pk)
    calendars.plan_vacation(user, date(2026, 6, 2), date(2026, 6, 4))
    deliver(Kind.REMINDER)
    clock.move_on(days=2, hours=20)
    remind(game.pk)
    while mover(game) == user:
        play_one(game)
    deliver(Kind.REMINDER)
    assert mail.outbox == []
    rows = Notification.objects.filter(kind=Kind.REMINDER).order_by("pk")
    assert [row.why_dropped for row in rows] == ["deadline moved", "turn over"]


@pytest.mark.parametrize("is_rated", [True, False])
def test_the_player_gets_an_email_when_a_bot_takes_over(
    game: Game, clock: FrozenClock, *, is_rated: bool
) -> None:
    user = mover(game)
    Game.objects.update(changes_ratings=is_rated)
    clock.move_on(days=1)
    time_out(game.pk)
    deliver(Kind.CARETAKER)
    [sent] = mail.outbox
    assert sent.subject == f"A bot plays for you against {opponent_of(game, user)}"
    assert "a bot (medium) plays your seat" in sent.body
    for text in (sent.body, sent.alternatives[0].content):
        assert text.count("If the bot plays to the end, the game does not count for your results.") == 1
        assert text.count("Your rating then changes as if you had finished last.") == is_rated
    # Several times in one turn, each with its own email.
    seat_changes.take_back(game.key, user)
    clock.move_on(hours=12)
    time_out(game.pk)
    seat_changes.take_back(game.key, user)
    deliver(Kind.CARETAKER)
    assert len(mail.outbox) == 1, "the player plays the seat again"
    assert Notification.objects.filter(kind=Kind.CARETAKER).last().why_dropped == "seat is yours"
