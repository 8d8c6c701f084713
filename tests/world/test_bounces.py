"""Bounces that arrive later: an address that does not exist gets no more emails, and its owner reads why."""

from collections.abc import Sequence

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client

from accounts import outbox
from accounts.addresses import confirmed_address
from accounts.models import AccountMail, ReturnedMail, User
from accounts.return_paths import read_return_path, return_path
from games.models import Game
from games.notifications.replies import Receipt, receive
from games.queries.mail_links import person_reply_address
from games.services import invitations, tables
from games.views.invitations import owe_mail
from tests.clients import client_of
from tests.frozen import frozen_clock
from tests.play import turn_mail
from tests.world.test_mail_routes import address_of, waiting_game

pytestmark = pytest.mark.django_db

OWN = "ines@example.org"


@pytest.fixture
def game(ines: User) -> Game:
    """A game in which it is the turn of Ines."""
    return waiting_game(ines, "Tobias")


def recipient(
    address: str = OWN, action: str = "failed", status: str = "5.1.1", *fields: str
) -> Sequence[str]:
    return (f"Final-Recipient: rfc822; {address}", f"Action: {action}", f"Status: {status}", *fields)


def dsn(*recipients: Sequence[str], kind: str = "message/delivery-status", top: str = "") -> bytes:
    """Return a report as Postfix and Exchange write it, with a block of fields for each recipient."""
    lines = [
        "From: MAILER-DAEMON@relay.example",
        "Subject: Undelivered Mail Returned to Sender",
        top or "Content-Type: multipart/report; report-type=delivery-status; boundary=b",
        "",
        "--b",
        "Content-Type: text/plain",
        "",
        "This is the mail system. I'm sorry to have to inform you.",
        "",
        "--b",
        f"Content-Type: {kind}",
        "",
        "Reporting-MTA: dns; relay.example",
        *(line for block in recipients for line in ("", *block)),
        "--b--",
        "",
    ]
    return "\n".join(lines).encode()


def words(*lines: str, fields: Sequence[str] = (), subject: str = "failure notice") -> bytes:
    """Return a report that is a text, as qmail and Exim write it."""
    return "\n".join(
        ("From: MAILER-DAEMON@relay.example", f"Subject: {subject}", *fields, "", *lines)
    ).encode()


DEAD = {
    "Postfix": dsn(recipient()),
    "without a first part, as reported": (
        b"From: MAILER-DAEMON@example.org\nSubject: Undelivered Mail Returned to Sender\n"
        b"Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n--b\n"
        b"Content-Type: message/delivery-status\n\nReporting-MTA: dns; relay.example\n\n"
        b"Final-Recipient: rfc822; ines@example.org\nAction: failed\nStatus: 5.1.1\n--b--\n"
    ),
    "in capitals": dsn(recipient(OWN.upper(), "FAILED")),
    "CRLF": dsn(recipient()).replace(b"\n", b"\r\n"),
    "with comments": dsn(recipient(f"<{OWN}>", "failed (bad)", "5.1.1 (no such user)")),
    "a domain without a server": dsn(recipient(OWN, "failed", "5.1.2")),
    "Null MX": dsn(recipient(OWN, "failed", "5.1.10")),
    "a closed mailbox": dsn(recipient(OWN, "failed", "5.2.1")),
    "forwarded from the address": dsn(recipient("ines@dead.example")),
    "Original-Recipient": dsn(
        recipient("x@inner.example", "failed", "5.1.1", "Original-Recipient: rfc822;ines@example.org")
    ),
    "status only in the words": dsn(
        recipient(OWN, "failed", "5.0.0", "Diagnostic-Code: smtp; 550-5.1.1 No such user")
    ),
    "no status, as 163.com": dsn(
        recipient(OWN, "failed", "5.0.0", "Diagnostic-Code: smtp; 550 User not found")
    ),
    "no status, as QQ": dsn(
        recipient(OWN, "failed", "5.0.0", "Diagnostic-Code: smtp; 550 Mailbox not found.")
    ),
    "the status of a policy, as Yandex": dsn(
        recipient(OWN, "failed", "5.7.1", "Diagnostic-Code: smtp; 550 5.7.1 No such user!")
    ),
    "Yahoo": words(
        "Sorry, we were unable to deliver your message to the following address.",
        f"<{OWN}>:",
        f"554: delivery error: dd This user doesn't have a yahoo.com account ({OWN}) [-5]",
    ),
    "RFC 6533": dsn(recipient(), kind="message/global-delivery-status"),
    "one of several": dsn(recipient("b@example.org", "delivered", "2.0.0"), recipient()),
    "a NUL": dsn(recipient(OWN, "failed", "5.1.1", "Diagnostic-Code: smtp; 550 \0 no")),
    "qmail": words("Hi. This is the qmail-send program.", "", f"<{OWN}>:", "no mailbox here. (#5.1.1)"),
    "Exim": words(
        "  ines@example.org", "    550 5.1.1 unknown", fields=["X-Failed-Recipients: ines@example.org"]
    ),
}

ALIVE = {
    "delayed": dsn(recipient(OWN, "delayed", "4.4.1")),
    "delivered": dsn(recipient(OWN, "delivered", "2.0.0")),
    "relayed": dsn(recipient(OWN, "relayed", "2.0.0")),
    "expanded": dsn(recipient(OWN, "expanded", "2.0.0")),
    "mailbox full": dsn(recipient(OWN, "failed", "5.2.2")),
    "given up after five days": dsn(recipient(OWN, "failed", "4.4.7")),
    "no reason": dsn(recipient(OWN, "failed", "5.0.0")),
    "spam": dsn(recipient(OWN, "failed", "5.7.1")),
    "too long": dsn(recipient(OWN, "failed", "5.3.4")),
    "an unknown sender": dsn(
        recipient(OWN, "failed", "5.7.1", "Diagnostic-Code: smtp; 550 Sender rejected: user unknown")
    ),
    "a list of bad servers": dsn(
        recipient(OWN, "failed", "5.0.0", "Diagnostic-Code: smtp; 554 Blocked as spam: no such user <b@c.d>")
    ),
    "our own address": dsn(recipient(OWN, "failed", "5.1.8")),
    "another recipient of several": dsn(recipient("b@example.org"), recipient(OWN, "delivered", "2.0.0")),
    "no block": dsn(),
    "nonsense": dsn(("Final-Recipient", "Action failed", "\x00\xff", "Status: 5.1.1.1.1")),
    "qmail warns": words("(#5.1.1)", subject="Warning: message delayed 24 hours"),
    "Exim, full": words("550 5.2.2 full", fields=["X-Failed-Recipients: ines@example.org"]),
    "an IP address and a version": words("Exim 5.1.1 at 5.1.1.2 says no"),
    "an absence": b"From: ines@example.org\nReturn-Path: <>\nSubject: Out of office\n\nCall 550 5.1.1\n",
    "a read receipt": dsn(recipient(), kind="message/disposition-notification"),
}


def addresses(game: Game, user: User) -> list[str]:
    """Return where servers send bounces: the envelope sender, or by mistake an address in Reply-To."""
    return [return_path(user.email, user.pk), address_of(game), person_reply_address(user)]


def test_an_address_that_does_not_exist_is_marked_and_its_owner_told(game: Game, ines: User) -> None:
    for name, raw in DEAD.items():
        for address in addresses(game, ines):
            EmailAddress.objects.update(verified=True)
            assert receive(raw, address, "") is Receipt.IGNORED
            assert confirmed_address(ines) is None, name
    assert not AccountMail.objects.exists(), "a bounce gets no answer"
    for page in ("/", "/account/notifications/"):
        shown = client_of(ines).get(page).text
        assert "refused our emails" in shown
        assert OWN in shown
        assert "Confirm the address again" in shown
    assert EmailAddress.objects.filter(verified=True).count() == User.objects.count() - 1


def test_other_reports_mark_nothing_at_first(game: Game, ines: User) -> None:
    for name, raw in ALIVE.items():
        for address in addresses(game, ines):
            assert receive(raw, address, "") is Receipt.IGNORED
            assert confirmed_address(ines) == OWN, name


def test_an_address_whose_server_takes_our_emails_for_spam_is_never_marked(ines: User) -> None:
    said = "Diagnostic-Code: smtp; 554 Message not accepted due to spam content"
    raws = [
        dsn(recipient(OWN, "failed", "5.0.0", said)),
        words(f"<{OWN}>:", "554 Blocked by our spam filter"),
    ]
    with frozen_clock() as clock:
        for _day in range(5):
            for raw in raws:
                receive(raw, return_path(OWN, ines.pk), "")
            clock.move_on(days=1)
    assert not ReturnedMail.objects.exists()
    assert confirmed_address(ines) == OWN


@pytest.mark.parametrize(
    ("pauses", "is_marked"), [((1, 1), False), ((30,), False), ((20, 20), True), ((900, 1), False)]
)
def test_a_mailbox_that_stays_full_is_marked(ines: User, pauses: Sequence[int], is_marked: bool) -> None:
    """`pauses` are the hours between the reports."""
    raw, path = dsn(recipient(OWN, "failed", "5.2.2")), return_path(OWN, ines.pk)
    with frozen_clock() as clock:
        receive(raw, path, "")
        for hours in pauses:
            clock.move_on(hours=hours)
            receive(raw, path, "")
        assert (confirmed_address(ines) is None) is is_marked
        if is_marked:
            EmailAddress.objects.update(verified=True)
            clock.move_on(hours=30)
            receive(raw, path, "")
            assert confirmed_address(ines) == OWN, "a person who has confirmed it again begins anew"


def test_a_bounce_to_an_earlier_address_marks_nothing(game: Game, ines: User) -> None:
    old, raw = addresses(game, ines), dsn(recipient())
    EmailAddress.objects.filter(user=ines).update(primary=False)
    EmailAddress.objects.create(user=ines, email="new@example.org", primary=True, verified=True)
    for address in old:
        receive(raw, address, "")
    receive(dsn(("Action: failed", "Status: 5.1.1")), old[0], "")
    assert confirmed_address(ines) == "new@example.org"


def test_a_forged_bounce_marks_nothing(game: Game, ines: User) -> None:
    path = return_path(OWN, ines.pk)
    forged = [
        path.replace(f"+b-{ines.pk:x}-", f"+b-{ines.pk + 1:x}-"),
        path.replace("@", "a@"),
        "reply+b-1-0000000000000000-aaaaaaaaaaaaaaaaaaaa@nova-luna.example",
        "reply@nova-luna.example",
        "moon@nova-luna.example",
        return_path("stranger@example.com"),
        return_path("stranger@example.com", ines.pk),
    ]
    for address in forged:
        receive(dsn(recipient()), address, "")
    assert confirmed_address(ines) == OWN


def test_every_email_has_its_own_envelope_sender_and_the_sender_that_people_see(
    game: Game, ines: User
) -> None:
    sent = turn_mail(game, ines)
    path = read_return_path(sent.from_email.upper())
    assert path is not None
    assert path.user == ines.pk
    assert path.is_of(OWN.upper())
    assert sent.message()["From"] == "Nova Luna <moon@nova-luna.example>"
    longest = return_path(OWN, 2**63 - 1).partition("@")[0]
    assert len(longest) <= 64


def test_a_new_account_whose_address_has_a_typing_error_reads_so() -> None:
    client = Client()
    password = "moon-and-stars-17"
    client.post("/account/signup/", {"email": "noor@exampel.org", "username": "Noor", "password1": password})
    [owed] = AccountMail.objects.all()
    outbox.deliver(owed.pk)
    receive(dsn(recipient("noor@exampel.org", "failed", "5.1.2")), mail.outbox[0].from_email, "")
    client.get("/")  # It greets the new player.
    assert "refused our emails" in client.get("/").text


def test_a_bounce_of_an_invitation_is_listed_for_staff(ines: User) -> None:
    table = tables.open_table(ines, tables.TableOptions(2))
    invitations.invite_address(
        table.key, ines, "noor@example.com", lambda game: owe_mail(game, ines, "noor@example.com")
    )
    [owed] = AccountMail.objects.all()
    outbox.deliver(owed.pk)
    for address in (mail.outbox[0].from_email, mail.outbox[0].reply_to[0]):
        receive(dsn(recipient("noor@example.com")), address, "")
    assert [one.address for one in ReturnedMail.objects.all()] == ["noor@example.com"] * 2
    User.objects.filter(pk=ines.pk).update(is_staff=True, is_superuser=True)
    page = client_of(User.objects.get(pk=ines.pk)).get("/admin/accounts/returnedmail/")
    assert "noor@example.com" in page.text
    outbox.forget("noor@example.com")
    assert not ReturnedMail.objects.exists()


@pytest.mark.parametrize(
    ("envelope_sender", "mark"),
    [
        ("", b""),
        ("<>", b""),
        ("other@example.org", b"Precedence: bulk\n"),
        ("other@example.org", b"Subject: Vacation until Monday\n"),
    ],
)
def test_what_may_be_an_absence_note_to_the_envelope_sender_gets_no_answer(
    ines: User, envelope_sender: str, mark: bytes
) -> None:
    raw = b"From: other@example.org\nMessage-ID: <1@example.org>\n" + mark + b"\nI am away.\n"
    assert receive(raw, return_path(OWN, ines.pk), envelope_sender) is Receipt.IGNORED
    assert not AccountMail.objects.exists()
    # At an address for replies, people write, and what looks like such a note may be the words of one.
    assert receive(raw, person_reply_address(ines), envelope_sender) is Receipt.HANDLED
    assert AccountMail.objects.exists()


def test_a_person_who_answers_the_envelope_sender_reads_where_to_write(game: Game, ines: User) -> None:
    raw = b"From: other@example.org\nMessage-ID: <1@example.org>\n\ntake 1\n"
    assert receive(raw, return_path(OWN, ines.pk), "other@example.org") is Receipt.HANDLED
    [answer] = AccountMail.objects.all()
    assert (answer.address, answer.reply_to) == (OWN, address_of(game))
