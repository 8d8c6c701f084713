"""Moves by reply: played once, or answered at the confirmed address."""

from datetime import timedelta

import pytest
from django.core import mail
from django.utils import timezone

from accounts.models import AccountMail
from accounts.outbox import deliver as deliver_account_mail
from games.models import Action, Channel, Game, Kind, Notification, Nudge, ReceivedReply, Seat
from games.notifications import delivery
from games.notifications.replies import Receipt, receive
from games.services import tables
from tests.games.notifications.received import (
    SENDER,
    address_of,
    count_actions,
    email,
    game_by_mail,
    good_move,
)
from tests.play import fresh, game_of, mover, person, play_one, turn_mail

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    return game_by_mail()


def test_the_turn_email_says_how_to_answer_it(game: Game) -> None:
    sent = turn_mail(game, mover(game))
    assert sent.reply_to == [address_of(game)]
    assert sent.body.startswith("#-# ")
    html = str(sent.alternatives[0].content)
    for text in (sent.body, html):
        assert "Free cells" in text
        assert good_move(game) in text
        assert "resign" in text
    assert len(html.encode()) < 100_000


def test_a_reply_plays_its_move(game: Game) -> None:
    user, number = mover(game), game.version + 1
    quoted = "\n".join(f"> {line}" for line in turn_mail(game, user).body.splitlines())
    text = (
        f"{good_move(game)}\n\nOn 22 Nov 2026 at 10:14, Nova Luna <moon@nova-luna.example> wrote:\n{quoted}"
    )
    assert receive(email(text), address_of(game), SENDER) is Receipt.HANDLED
    action = Action.objects.get(game=game, number=number)
    assert action.made_by == user
    assert ReceivedReply.objects.get().outcome == "played"
    assert not Seat.objects.filter(seen_at__isnull=False).exists(), "the next email must not wait"


def test_an_email_that_arrives_twice_plays_once(game: Game) -> None:
    raw, address = email(good_move(game)), address_of(game)
    for _copy in range(3):
        assert receive(raw, address, SENDER) is Receipt.HANDLED
    assert count_actions(game) == 5
    assert ReceivedReply.objects.count() == 1


def test_a_wrong_reply_is_answered_once_to_the_confirmed_address(game: Game) -> None:
    raw = email("take 9 at E1", From="stranger@example.com", Message_ID="<17@example.com>")
    address, user, asked = address_of(game), mover(game), turn_mail(game, mover(game))
    for _copy in range(2):
        receive(raw, address, "stranger@example.com")
    assert count_actions(game) == 4
    [owed] = AccountMail.objects.all()
    deliver_account_mail(owed.pk)
    [sent] = mail.outbox
    assert sent.to == [user.email]
    assert sent.subject.startswith("Re: Your turn against")
    assert "The next tiles are" in sent.body
    assert good_move(game) in sent.body
    assert sent.reply_to == [address]
    assert sent.extra_headers["Auto-Submitted"] == "auto-replied"
    assert sent.extra_headers["In-Reply-To"] == "<17@example.com>"
    conversation = asked.extra_headers["References"]
    assert sent.extra_headers["References"] == f"{conversation} <17@example.com>"
    assert sent.subject == f"Re: {asked.subject}", "some programs compare subjects too"
    receive(email(good_move(game)), sent.reply_to[0], SENDER)
    assert count_actions(game) == 5


def test_the_answer_to_a_move_that_leads_to_another_is_the_next_turn_email(game: Game) -> None:
    for _turn in range(30):
        user = mover(game)
        Notification.objects.all().delete()
        receive(email(good_move(game)), address_of(game), SENDER)
        [owed] = Notification.objects.filter(kind=Kind.TURN)
        assert (owed.user, owed.version) == (mover(game), fresh(game).version)
        if mover(game) == user:
            delivery.deliver(owed.pk)
            assert mail.outbox[-1].reply_to == [address_of(game)]
            return
    raise AssertionError("nobody had two turns in a row")


def test_an_email_about_several_turns_has_an_address_for_each() -> None:
    ines, games = person("Ines"), []
    for name in ("Tobias", "Mina"):
        game = game_of(ines, person(name))
        while mover(game) != ines:
            play_one(game)
        games.append(fresh(game))
    rows = [Notification(pk=pk, game=game, user=ines, kind=Kind.TURN) for pk, game in enumerate(games, 1)]
    for row in rows:
        row.created_at, row.channel = timezone.now(), Channel.MAIL
    text = delivery.write_message(rows).text
    for game in games:
        assert address_of(game) in text
        receive(email(""), address_of(game), SENDER)
        assert "Your reply is empty" in AccountMail.objects.latest("pk").text
        receive(email(good_move(game)), address_of(game), SENDER)
        assert fresh(game).version == game.version + 1


def test_who_ends_a_game_by_reply_gets_the_result() -> None:
    table = tables.open_table(person("Ines"), tables.TableOptions(2, is_public=True, pace="slow"))
    Game.objects.filter(pk=table.pk).update(options={"discs": 1})
    tables.join(table.key, person("Tobias"))
    Seat.objects.update(seen_at=None)
    while not fresh(table).is_over:
        last = mover(table)
        receive(email(good_move(table)), address_of(table), SENDER)
    delivery.deliver(Notification.objects.get(kind=Kind.OVER, user=last).pk)
    [sent] = mail.outbox
    assert sent.to == [f"{last.username} <{last.email}>"]
    assert "You won against" in sent.body


@pytest.mark.parametrize("kind", [Kind.NUDGE, Kind.REMINDER])
def test_the_emails_that_ask_again_for_a_move_can_be_answered_too(game: Game, kind: Kind) -> None:
    user, now = mover(game), timezone.now()
    Game.objects.filter(pk=game.pk).update(deadline=now + timedelta(hours=6))
    Nudge.objects.create(game=game, user=user, at=now)
    row = Notification(pk=1, game=fresh(game), user=user, kind=kind, channel=Channel.MAIL)
    message = delivery.write_message([row])
    assert message.reply_to == address_of(game)
    assert message.text.startswith("#-# ")
    for text in (message.text, message.html):
        assert "An empty answer gets you a list of moves." in text
    receive(email(""), message.reply_to, SENDER)
    assert good_move(game) in AccountMail.objects.get().text
    receive(email(good_move(game)), message.reply_to, SENDER)
    assert count_actions(game) == 5


def test_a_reply_resigns(game: Game) -> None:
    receive(email("Resign."), address_of(game), SENDER)
    assert fresh(game).is_over
