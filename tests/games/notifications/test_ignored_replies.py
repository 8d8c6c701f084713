"""Replies that play nothing: automatic, forged, late or unwanted ones."""

from dataclasses import replace

import pytest
from allauth.account.models import EmailAddress
from pytest_django.fixtures import Settings

from accounts.models import AccountMail, User
from games.models import Game, ReceivedReply
from games.notifications import replies
from games.notifications.replies import Receipt, receive
from games.queries.mail_links import reply_address_for
from games.replies import Purpose, turn_token
from tests.clients import client_of
from tests.games.notifications.received import (
    SENDER,
    address_of,
    answered,
    count_actions,
    email,
    game_by_mail,
    good_move,
    turn_now,
)
from tests.play import mover, play_one, play_out, turn_mail

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    return game_by_mail()


@pytest.mark.parametrize("fields", [{"Auto_Submitted": "auto-replied"}, {"X_Autoreply": "yes"}])
def test_automatic_emails_are_ignored(game: Game, fields: dict[str, str]) -> None:
    assert receive(email(good_move(game), **fields), address_of(game), SENDER) is Receipt.IGNORED
    assert receive(email("I am away", **fields), address_of(game), "") is Receipt.IGNORED
    assert count_actions(game) == 4
    assert not AccountMail.objects.exists()
    assert not ReceivedReply.objects.exists()


@pytest.mark.parametrize(
    "fields",
    [{"Precedence": "bulk"}, {"List_Id": "<moon.example.org>"}, {"Return_Path": "<>"}],
    ids=lambda fields: next(iter(fields)),
)
def test_an_email_that_may_be_automatic_is_answered_once_and_its_move_is_played(
    game: Game, fields: dict[str, str]
) -> None:
    for _email in range(3):
        receive(email("I am away", **fields), address_of(game), SENDER)
    assert AccountMail.objects.count() == 1
    receive(email(good_move(game), **fields), address_of(game), SENDER)
    assert count_actions(game) == 5


def forged(game: Game) -> str:
    return address_of(game).replace("@", "x@")


def for_links(game: Game) -> str:
    return f"reply+{turn_token(Purpose.MOVE, turn_now(game).as_signed)}@nova-luna.example"


def of_a_player_who_wants_no_replies(game: Game) -> str:
    address = address_of(game)
    User.objects.update(plays_by_reply=False)
    return address


def of_a_player_without_a_confirmed_address(game: Game) -> str:
    EmailAddress.objects.update(verified=False)
    return address_of(game)


def of_a_deactivated_player(game: Game) -> str:
    User.objects.update(is_active=False)
    return address_of(game)


@pytest.mark.parametrize(
    "make_address",
    [
        forged,
        for_links,
        of_a_player_who_wants_no_replies,
        of_a_player_without_a_confirmed_address,
        of_a_deactivated_player,
    ],
)
def test_nothing_happens_at_an_address_that_is_not_valid(game: Game, make_address: object) -> None:
    move = good_move(game)
    assert callable(make_address)
    assert receive(email(move), make_address(game), SENDER) is Receipt.NO_SUCH_ADDRESS
    assert count_actions(game) == 4
    assert not AccountMail.objects.exists()


def test_a_reply_to_an_earlier_turn_plays_nothing_and_is_answered(game: Game) -> None:
    turn, move = turn_now(game), good_move(game)
    address = reply_address_for(turn)
    play_one(game)
    assert receive(email("take 9 at W9"), address, SENDER) is Receipt.HANDLED
    assert count_actions(game) == 5
    [owed] = AccountMail.objects.all()
    assert (owed.address, owed.reply_to) == (turn.user.email, reply_address_for(replace(turn, number=6)))
    assert "You answered an email about an earlier turn" in owed.text
    assert ReceivedReply.objects.get().outcome == "late"
    play_out(game)
    assert "earlier turn" in answered(move, address).text


def test_a_program_that_answers_every_answer_gets_few(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    address = address_of(game)
    for number in range(8):
        receive(email(f"Thank you for your message {number}"), address, SENDER)
    assert AccountMail.objects.count() == replies.MOST_ANSWERS_A_TURN
    assert "last answer" in AccountMail.objects.order_by("pk")[replies.MOST_ANSWERS_A_TURN - 1].text
    receive(email(good_move(game)), address, SENDER)
    assert count_actions(game) == 5, "a move is played all the same"
    for number in range(8):
        receive(email(f"Thank you again {number}"), address, SENDER)
    assert AccountMail.objects.count() == replies.MOST_ANSWERS_A_TURN
    monkeypatch.setattr(replies, "MOST_AN_HOUR", 8)
    move, address, user = good_move(game), address_of(game), mover(game)
    ReceivedReply.objects.update(user=user)
    receive(email(move), address, SENDER)
    assert count_actions(game) == 5


def test_a_person_switches_replies_off_on_the_page(game: Game) -> None:
    user = mover(game)
    client, page = client_of(user), "/account/notifications/"
    assert "plays_by_reply" in client.get(page).text
    chosen = {"digest_hour": 18, "time_zone": "", "turn": ["mail"]}
    client.post(page, chosen | {"plays_by_reply": "False"})
    user.refresh_from_db()
    assert not user.plays_by_reply
    sent = turn_mail(game, user)
    assert sent.reply_to == []
    assert "#-#" not in sent.body


def test_a_site_without_an_address_for_replies_offers_none(game: Game, settings: Settings) -> None:
    settings.REPLY_ADDRESS = ""
    assert turn_mail(game, mover(game)).reply_to == []
    client, page = client_of(mover(game)), "/account/notifications/"
    assert "plays_by_reply" not in client.get(page).text
    client.post(page, {"digest_hour": 18, "time_zone": "", "turn": ["mail"]})
    assert mover(game).plays_by_reply, "a choice that the page does not show stays"
