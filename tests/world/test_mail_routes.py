"""Every email that we send can be answered, at any address that mail programs use for it."""

import asyncio
import re
import uuid
from email.message import EmailMessage
from email.utils import parseaddr
from unittest import mock as doubles

import pytest
from aiosmtpd.smtp import Envelope
from django.conf import settings as site
from django.core import mail
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from accounts import outbox
from accounts.models import AccountMail, User
from games.management.mail_listener import Handler
from games.models import Action, Channel, ChatLine, Game, Kind, Notification, ReceivedReply, Seat
from games.notifications import signposts
from games.notifications.delivery import write_message
from games.notifications.kind import Message
from games.notifications.mail import build_mail
from games.notifications.mailbox import refusal
from games.notifications.replies import Receipt, receive
from games.queries.mail_links import MailTurn, reply_address_for
from games.replies import Purpose, Turn, reply_address
from games.services import invitations, tables
from games.views.invitations import owe_mail
from tests.frozen import frozen_clock
from tests.play import fresh, game_of, mover, person, play_one, play_out

pytestmark = pytest.mark.django_db

FROM = parseaddr(site.DEFAULT_FROM_EMAIL)[1]
PUBLIC = [FROM, FROM.upper(), site.REPLY_ADDRESS]


def email(text: str, sender: str = "ines@example.org", message_id: str = "", **fields: str) -> bytes:
    message = EmailMessage()
    message["From"] = f"Ines <{sender}>"
    message["Message-ID"] = message_id or f"<{uuid.uuid4()}@example.org>"
    for name, value in fields.items():
        message[name.replace("_", "-")] = value
    message.set_content(text)
    return bytes(message)


def waiting_game(user: User, opponent: str) -> Game:
    """Return a game in which it is the turn of `user`."""
    game = game_of(user, person(opponent))
    while mover(game) != user:
        play_one(game)
    return fresh(game)


def address_of(game: Game) -> str:
    game = fresh(game)
    assert game.to_move is not None
    return reply_address_for(MailTurn(game, mover(game), game.to_move, game.version + 1))


def message_of(user: User, *about: tuple[str, Game], channel: str = Channel.MAIL) -> Message:
    """Return the message to `user` about kinds of notifications in games."""
    now = timezone.now()
    rows = [
        Notification(pk=pk, game=game, user=user, kind=kind, channel=channel, created_at=now)
        for pk, (kind, game) in enumerate(about, 1)
    ]
    for row in rows:
        line = ChatLine.objects.filter(game=row.game).first()
        row.version = line.pk if line and row.kind == Kind.CHAT else row.game.version
    return write_message(rows)


def count_actions(*games: Game) -> int:
    return Action.objects.filter(game__in=games).count()


def test_a_reply_to_an_email_about_several_turns_is_answered_once_with_each_address(ines: User) -> None:
    games = [waiting_game(ines, name) for name in ("Tobias", "Mina")]
    before = count_actions(*games)
    message = message_of(ines, *((Kind.TURN, game) for game in games))
    raw = email("take 1")
    for _copy in range(2):
        assert receive(raw, message.reply_to, ines.email) is Receipt.HANDLED
    assert count_actions(*games) == before
    [answer] = AccountMail.objects.all()
    assert answer.address == ines.email
    assert [address_of(game) in answer.text for game in games] == [True, True]
    receive(email("refill or so"), address_of(games[0]), ines.email)
    assert "was not played" in AccountMail.objects.latest("pk").text


def test_a_reply_to_an_email_about_one_turn_and_other_news_is_for_that_turn(ines: User) -> None:
    game, over = waiting_game(ines, "Tobias"), play_out(game_of(ines, person("Mina")))
    message = message_of(ines, (Kind.OVER, fresh(over)), (Kind.TURN, game))
    assert message.reply_to == address_of(game)


def test_a_reply_to_news_or_to_the_daily_email_is_answered(ines: User) -> None:
    game = waiting_game(ines, "Tobias")
    over = fresh(play_out(game_of(ines, person("Mina"))))
    ChatLine.objects.create(game=game, author=person("Lea"), text="Hello")
    messages = [
        message_of(ines, (Kind.OVER, over)),
        message_of(ines, (Kind.STARTED, game)),
        message_of(ines, (Kind.CHAT, game)),
        message_of(ines, (Kind.OVER, over), (Kind.CHAT, game), channel=Channel.DIGEST),
    ]
    for count, message in enumerate(messages, 1):
        assert "#-#" not in message.text
        assert receive(email("Thanks, I will look"), message.reply_to, ines.email) is Receipt.HANDLED
        assert AccountMail.objects.count() == count
    answer = AccountMail.objects.latest("pk")
    assert answer.reply_to == address_of(game), "an answer to the answer can be the move"
    assert "No game waits" not in answer.text


def test_an_email_to_the_sender_of_ours_is_answered_once(ines: User) -> None:
    game = waiting_game(ines, "Tobias")
    before = count_actions(game)
    for address in PUBLIC:
        raw = email("take 1", sender="INES@example.org", In_Reply_To="<turn@nova-luna.example>")
        for _copy in range(2):
            assert receive(raw, address, ines.email) is Receipt.HANDLED
        assert count_actions(game) == before, "anybody can write under the name of Ines"
        answer = AccountMail.objects.latest("pk")
        assert (answer.address, answer.reply_to) == (ines.email, address_of(game))
        assert outbox.build(answer).extra_headers["Auto-Submitted"] == "auto-replied"
    assert AccountMail.objects.count() == len(PUBLIC)


def test_programs_get_few_answers_and_automatic_emails_none(ines: User) -> None:
    for fields in ({"Auto_Submitted": "auto-replied"}, {"X_Autoreply": "yes"}):
        assert receive(email("Hello", **fields), FROM, ines.email) is Receipt.IGNORED
    assert not AccountMail.objects.exists()
    for _email in range(signposts.MOST_A_DAY + 3):
        receive(email("I am at the sea until Monday"), FROM, ines.email)
    assert AccountMail.objects.count() == signposts.MOST_A_DAY


@pytest.mark.parametrize(
    ("envelope_sender", "fields"),
    [
        ("", {}),
        ("ines@example.org", {"Precedence": "bulk"}),
        ("family-bounces@example.org", {"Precedence": "list", "List_Id": "<family.example.org>"}),
        ("ines@example.org", {"List_Unsubscribe": "<mailto:leave@example.org>"}),
        ("ines@example.org", {"Subject": "Re: Your turn, and my holiday"}),
    ],
)
def test_an_email_that_may_be_automatic_gets_one_answer_a_day_for_the_same_text(
    ines: User, envelope_sender: str, fields: dict[str, str]
) -> None:
    game = waiting_game(ines, "Tobias")
    with frozen_clock() as clock:
        for address in (FROM, message_of(ines, (Kind.STARTED, game)).reply_to):
            for _copy in range(2):
                assert receive(email("take 1", **fields), address, envelope_sender) is Receipt.HANDLED
        answer = AccountMail.objects.get()
        assert (answer.address, answer.reply_to) == (ines.email, address_of(game))
        receive(email("take 2", **fields), FROM, envelope_sender)
        assert AccountMail.objects.count() == 2
        clock.move_on(days=1)
        receive(email("take 1", **fields), FROM, envelope_sender)
        assert AccountMail.objects.count() == 3, "a person may write the same words about another turn"


def test_a_person_without_turns_and_one_who_plays_by_no_reply_are_answered_too(ines: User) -> None:
    receive(email("Hello?"), FROM, ines.email)
    assert "No game waits for you now." in AccountMail.objects.get().text
    User.objects.update(plays_by_reply=False)
    game = waiting_game(User.objects.get(pk=ines.pk), "Tobias")
    User.objects.update(plays_by_reply=False)
    receive(email("take 1"), FROM, ines.email)
    answer = AccountMail.objects.latest("pk")
    assert "Playing by reply is off" in answer.text
    assert game.get_absolute_url() in answer.text
    assert answer.reply_to == ""


def test_a_stranger_is_refused_in_words_that_say_where_to_write(ines: User) -> None:
    assert receive(email("take 1", sender="noor@example.com"), FROM, "noor@example.com") is (
        Receipt.NO_SUCH_ADDRESS
    )
    assert not AccountMail.objects.exists()
    handler = Handler()

    def reply_to(address: str) -> str:
        answer = handler.handle_RCPT(doubles.Mock(), doubles.Mock(), Envelope(), address, [])
        return asyncio.run(answer)

    game = waiting_game(ines, "Tobias")
    person_address = message_of(ines, (Kind.STARTED, game)).reply_to
    for address in (*PUBLIC, address_of(game), person_address, outbox.return_path(ines.email, ines.pk)):
        assert reply_to(address).startswith("250")
    for address in ("moon@elsewhere.example", "x@nova-luna.example", address_of(game).replace("@", "x@")):
        refusal = reply_to(address)
        assert refusal.startswith("550 5.1.1 ")
        assert "Reply-To" in refusal
        assert site.SITE_URL in refusal
        assert refusal.isascii()
    handler.stop()


def test_a_former_player_who_answers_an_old_email_is_told_where_to_write(ines: User) -> None:
    game = waiting_game(ines, "Tobias")
    address = address_of(game)
    Seat.objects.filter(game=game, user=ines).update(user=person("Mina"))
    assert receive(email("take 1"), address, ines.email) is Receipt.HANDLED
    assert "No game waits for you now." in AccountMail.objects.get().text


def test_a_message_id_counts_once_for_each_person_and_turn(ines: User) -> None:
    games = [waiting_game(ines, "Tobias"), waiting_game(person("Lea"), "Mina"), waiting_game(ines, "Olga")]
    before, raw = count_actions(*games), email("take 9 at E1", message_id="<1@broken.example>")
    for _copy in range(2):
        for game in games:
            receive(raw, address_of(game), ines.email)
    assert ReceivedReply.objects.count() == AccountMail.objects.count() == 3
    for game in games:
        receive(email("resign", message_id="<2@broken.example>"), address_of(game), ines.email)
    assert count_actions(*games) == before + 3


def test_two_players_of_one_game_can_answer_with_the_same_message_id(ines: User) -> None:
    game = game_of(ines, person("Tobias"), person("Mina"))
    for count in (1, 2):
        receive(email("resign", message_id="<1@broken.example>"), address_of(game), "a@example.org")
        assert count_actions(game) == count


@pytest.mark.parametrize("message_id", ["", "<>"])
def test_copies_of_an_email_without_an_id_count_once(ines: User, message_id: str) -> None:
    game = waiting_game(ines, "Tobias")

    def copy(text: str, way: str, newline: str = "\n") -> bytes:
        fields = [f"Received: by {way}", "From: ines@example.org", "Date: Wed, 25 Nov 2026 10:00:00 +0000"]
        fields += [f"Message-ID: {message_id}"] if message_id else []
        return newline.join([*fields, "", text, ""]).encode()

    for raw in (copy("Hm", "one"), copy("Hm", "another"), copy("Hm", "a third", "\r\n")):
        receive(raw, address_of(game), ines.email)
    assert AccountMail.objects.count() == 1
    receive(copy("Hm, what?", "one"), address_of(game), ines.email)
    assert AccountMail.objects.count() == 2


def test_long_message_ids_that_begin_alike_are_different(ines: User) -> None:
    game = waiting_game(ines, "Tobias")
    for end in ("a", "b", "a"):
        raw = f"From: ines@example.org\nMessage-ID: <{'x' * 700}{end}@example.org>\n\nHm\n".encode()
        receive(raw, address_of(game), ines.email)
    assert AccountMail.objects.count() == 2


def invited(table: Game, opener: User, address: str) -> str:
    """Invite an address to a table; return the address for replies in its email."""
    invitations.invite_address(table.key, opener, address, lambda game: owe_mail(game, opener, address))
    return AccountMail.objects.latest("pk").reply_to


def test_the_token_of_an_invitation_confirms_no_address_but_its_own(ines: User) -> None:
    """Two invitations to the same seat in the same second: only their addresses differ."""
    table = tables.open_table(ines, tables.TableOptions(2))
    with frozen_clock():
        own = invited(table, ines, "ines+second@example.org")
        invitations.withdraw(table.key, ines, 1)
        strangers = invited(table, ines, "noor@example.com")
        assert own != strangers
        assert receive(email("yes"), own, "ines@example.org") is Receipt.INVITATION_OVER
    assert fresh(table).is_open
    assert not User.objects.filter(email="noor@example.com").exists()
    for _copy in range(2):
        assert receive(email("yes", sender="noor@example.com"), strangers, "x@y.example") is Receipt.HANDLED
    assert User.objects.filter(email="noor@example.com").exists()
    assert receive(email("yes"), own, "ines@example.org") is Receipt.INVITATION_OVER


def test_an_invitation_to_an_address_that_was_confirmed_since_can_still_be_answered(ines: User) -> None:
    table = tables.open_table(ines, tables.TableOptions(2))
    address = invited(table, ines, "noor@example.org")
    noor = person("Noor")
    invitations.keep_for_owner(noor.email, noor)
    assert receive(email("yes", sender=noor.email), address, noor.email) is Receipt.HANDLED
    assert table.seats.filter(user=noor).exists()


def test_replies_to_invitations_of_the_release_before_are_read_if_they_name_a_user(ines: User) -> None:
    table = tables.open_table(ines, tables.TableOptions(3))
    Game.objects.update(mark="")
    tobias, mina = person("Tobias"), person("Mina")
    invitations.invite(table.key, ines, tobias)
    invited(table, ines, "noor@example.com")
    by_name, by_address = table.seats.kept().order_by("number")

    def old_address(seat: Seat, user: int) -> str:
        kept = Turn(user, table.pk, seat.number, int((seat.invited_at or table.opened_at).timestamp()))
        return reply_address(site.REPLY_ADDRESS, kept, Purpose.INVITATION)

    own = old_address(by_name, tobias.pk)
    receipts = [
        receive(email("yes"), old_address(by_name, mina.pk), mina.email),
        receive(email("yes"), old_address(by_address, 0), "noor@example.com"),
        receive(email("no"), own, tobias.email),
        receive(email("yes"), own, tobias.email),
    ]
    assert receipts == [Receipt.INVITATION_OVER, Receipt.ONLY_BY_LINK, Receipt.HANDLED, Receipt.HANDLED]
    assert "link in that email" in refusal(Receipt.ONLY_BY_LINK)
    assert list(table.seats.exclude(user=None).values_list("user__username", flat=True)) == ["Ines", "Tobias"]
    # Who has sat down can still change their mind by the same email.
    assert receive(email("no"), own, tobias.email) is Receipt.HANDLED
    assert not table.seats.filter(user=tobias).exists()


def test_an_invitation_by_name_is_for_that_person(ines: User) -> None:
    table = tables.open_table(ines, tables.TableOptions(2))
    with frozen_clock():
        addresses = []
        for name in ("Tobias", "Mina"):
            user = person(name)
            invitations.invite(table.key, ines, user)
            addresses.append(message_of(user, (Kind.INVITATION, fresh(table))).reply_to)
            invitations.withdraw(table.key, ines, 1)
        invitations.invite(table.key, ines, User.objects.get(username="Mina"))
    assert receive(email("yes"), addresses[0], "tobias@example.org") is Receipt.INVITATION_OVER
    assert receive(email("yes"), addresses[1], "mina@example.org") is Receipt.HANDLED
    assert [seat.name for seat in table.seats.order_by("number")] == ["Ines", "Mina"]


@pytest.mark.parametrize("name", ["Zoë", 'a"b, the 2nd', "x" * 150])
def test_the_fields_of_our_emails_are_what_strict_servers_want(name: str) -> None:
    user = person("Ines")
    User.objects.filter(pk=user.pk).update(username=name)
    user.refresh_from_db()
    game = waiting_game(user, "Tobias")
    table = tables.open_table(user, tables.TableOptions(2))
    invited(table, user, "noor@example.com")
    receive(email("?"), FROM, user.email)
    receive(email("?"), address_of(game), user.email)
    Client().post("/account/password/reset/", {"email": user.email})
    for owed in AccountMail.objects.all():
        outbox.deliver(owed.pk)
    for kind in (Kind.TURN, Kind.STARTED):
        build_mail(message_of(user, (kind, game)), user, user.email).send()
    assert len(mail.outbox) == 6
    for sent in mail.outbox:
        message = sent.message()
        raw = message.as_bytes(linesep="\r\n")
        assert raw.partition(b"\r\n\r\n")[0].isascii()
        assert max(map(len, raw.split(b"\r\n"))) <= 998
        for field in ("From", "To", "Date", "Message-ID", "Subject", "Auto-Submitted"):
            assert len(message.get_all(field, [])) == 1, field
        assert parseaddr(message["From"])[1] == FROM
        assert parseaddr(message["To"])[1] in (user.email, "noor@example.com")
        assert re.fullmatch(r"<[^<>\s]+@nova-luna\.example>", message["Message-ID"])
        assert message["Auto-Submitted"].startswith("auto-")
        # Exchange sends no absence notes and no automatic replies to an email with this field.
        assert message["X-Auto-Response-Suppress"] == "OOF, AutoReply"
        assert sent.from_email.startswith("reply+b-"), "the envelope sender"


def test_a_site_without_a_mailbox_sends_emails_as_before(ines: User, settings: Settings) -> None:
    settings.REPLY_ADDRESS = ""
    game = waiting_game(ines, "Tobias")
    message = message_of(ines, (Kind.TURN, game), (Kind.STARTED, game))
    assert message.reply_to == ""
    outbox.owe(ines.email, "Moon", "Light")
    assert outbox.build(AccountMail.objects.get()).from_email == site.DEFAULT_FROM_EMAIL
