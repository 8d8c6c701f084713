"""Emails with characters that no database stores, or that nobody can read: an answer or a refusal, once."""

import pytest
from django.db import DataError

from accounts import outbox
from accounts.models import AccountMail
from games.models import Action, Game, ReceivedReply
from games.notifications.replies import Receipt, receive
from games.novaluna.pages import NovaLunaPages
from games.replies import Unreadable, read_reply
from tests.games.notifications.received import SENDER, address_of, game_by_mail
from tests.games.notifications.test_invitation_replies import invitation_of

pytestmark = [pytest.mark.django_db, pytest.mark.databases]

HEAD = b"From: Ines <ines@example.org>\nMessage-ID: <17@example.org>\n"
UNSTORABLE = {
    "NUL in the text": HEAD + b"\nta\0ke 1\n",
    "NUL in a long word": HEAD + b"\n" + b"\0" * 5000,
    "NUL in quoted-printable": HEAD + b"Content-Transfer-Encoding: quoted-printable\n\nta=00ke 1\n",
    "NUL in base64": HEAD + b"Content-Transfer-Encoding: base64\n\ndGEAa2UgMQ==\n",
    "NUL in HTML": HEAD + b"Content-Type: text/html\n\n<p>ta&#0;ke\0 1\n",
    "NUL in the id": b"Message-ID: <1\0007@example.org>\n\nmove\n",
    "NUL in an encoded id": b"Message-ID: =?utf-8?Q?<1=007@example.org>?=\n\nmove\n",
    "NUL in the subject and the sender": b"From: I\0nes\nSubject: R\0e: x\nMessage-ID: <1@x>\n\nmove\n",
    "bytes of no charset in the id": b"Message-ID: <1\xff\xfe7@example.org>\n\nmove\n",
    "half of a surrogate pair in UTF-7": HEAD + b"Content-Type: text/plain; charset=utf-7\n\nmove +2AA- 1\n",
    "half of a surrogate pair in UTF-8": HEAD
    + b"Content-Type: text/plain; charset=utf-8\n\nmo\xed\xa0\x80ve\n",
    "half of a surrogate pair in HTML": HEAD + b"Content-Type: text/html\n\nmove &#xD800; &#55296;\n",
    "characters that are not assigned": HEAD + "\nmo\uffff\U000e0fff\ufdd0ve\n".encode(),
    "control characters": HEAD + bytes(range(1, 9)) + b"\n\nmo\x01\x07\x1bve\x7f\n",
    "no end of a line": b"Message-ID: <1@x>\n\n" + b"x" * 500_000,
    "an id of many lines": b"Message-ID:\n <" + b"\n x" * 3000 + b">\n\nmove\n",
    "no header": b"\n\nmove",
    "nothing": b"",
    "a date that is none": HEAD + b"Date: yesterday 25:61\n\nmove",
    "bytes of no charset": b"From: \xe9\xff\nSubject: \xff\nMessage-ID: <1@x>\nX-\xff: \xff\n\nm\xffove",
    "base64 that is none": HEAD + b"Content-Transfer-Encoding: base64\n\n=%%%\n",
    "an encoding of bytes": HEAD
    + b"Content-Transfer-Encoding: \xff\nContent-Type: \xff/\xff; charset=\xff\n\nmove",
}


@pytest.fixture
def game() -> Game:
    return game_by_mail()


@pytest.mark.parametrize("name", UNSTORABLE)
def test_an_email_with_characters_that_cannot_be_stored_is_answered_once(game: Game, name: str) -> None:
    address = address_of(game)
    for _copy in range(2):
        assert receive(UNSTORABLE[name], address, SENDER) is Receipt.HANDLED
    assert ReceivedReply.objects.count() == AccountMail.objects.count() == 1
    assert Action.objects.filter(game=game).count() == 4


def test_an_answer_to_an_invitation_with_such_characters_asks_back() -> None:
    table, address = invitation_of(who="noor@example.com")
    for raw in UNSTORABLE.values():
        assert receive(raw, address, "noor@example.com") is Receipt.HANDLED
    assert AccountMail.objects.exists()
    assert table.seats.kept().exists()


def test_an_error_of_the_site_is_no_reason_to_refuse_an_email(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_args: object) -> None:
        raise ValueError("broken")

    monkeypatch.setattr(NovaLunaPages, "find_action", fail)
    with pytest.raises(ValueError, match="broken"):
        receive(HEAD + b"\ntake 1\n", address_of(game), SENDER)


@pytest.mark.parametrize("error", [ValueError, DataError])
def test_an_answer_that_cannot_be_stored_refuses_the_email_once(
    game: Game, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    def fail(*_args: object, **_values: object) -> None:
        raise error

    monkeypatch.setattr(outbox, "owe", fail)
    assert receive(HEAD + b"\nhm\n", address_of(game), SENDER) is Receipt.UNREADABLE


NESTED = b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (i, i) for i in range(1000))


def test_an_email_that_nobody_can_read_is_refused_once(game: Game) -> None:
    with pytest.raises(Unreadable):
        read_reply(HEAD + NESTED)
    assert receive(HEAD + NESTED, address_of(game), SENDER) is Receipt.UNREADABLE
    assert not AccountMail.objects.exists()
