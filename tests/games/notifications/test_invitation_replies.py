"""Answers to invitations by reply: yes, no, another answer, and one that is not clear."""

import re
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.utils import timezone

from accounts import outbox
from accounts.addresses import confirmed_address
from accounts.models import AccountMail, User
from accounts.outbox import deliver as deliver_account_mail
from games.models import Game, Kind, Notification
from games.notifications import delivery
from games.notifications.invitation_replies import MOST_ANSWERS
from games.notifications.replies import Receipt, receive
from games.queries.mail_links import invitation_reply_address
from games.services import invitations, tables
from tests.clients import client_of
from tests.games.notifications.received import SENDER, email
from tests.play import fresh, person

pytestmark = pytest.mark.django_db


def invitation_of(*, who: str) -> tuple[Game, str]:
    """Return a table of Ines, and the address for replies to the email that invites this person."""
    ines = person("Ines")
    table = tables.open_table(ines, tables.TableOptions(2))
    client_of(ines).post(f"/g/{table.key}/invite/", {"who": who})
    Notification.objects.update(due_at=timezone.now())
    for notification in Notification.objects.filter(kind=Kind.INVITATION):
        delivery.deliver(notification.pk)
    for owed in AccountMail.objects.all():
        deliver_account_mail(owed.pk)
    [sent] = mail.outbox
    assert "Or answer this email with yes or no" in sent.body
    [address] = sent.reply_to
    return table, address


def test_yes_to_an_invitation_makes_an_account_that_its_owner_can_claim() -> None:
    table, address = invitation_of(who="noor@example.com")
    for _copy in range(2):
        assert receive(email("Yes, gladly"), address, "noor@example.com") is Receipt.HANDLED
    game = fresh(table)
    assert game.is_running
    new = User.objects.get(email="noor@example.com")
    assert game.seats.filter(user=new, seen_at=None).exists()
    assert (new.is_guest, new.has_usable_password()) == (False, False)
    assert confirmed_address(new) == "noor@example.com"
    [welcome] = AccountMail.objects.all()
    assert "/rules/\n" in welcome.text, "who plays by email alone must find them"
    client = Client()
    found = re.search(r"http://[^/]+(/\S*key/\S+)", welcome.text)
    assert found
    page = client.get(found[1], follow=True)
    password = {"password1": "moon-and-stars-17", "password2": "moon-and-stars-17"}
    client.post(page.redirect_chain[-1][0], password)
    assert User.objects.get(pk=new.pk).check_password("moon-and-stars-17")


def test_an_address_of_a_suspended_and_removed_person_gets_no_account_by_a_reply() -> None:
    table, address = invitation_of(who="noor@example.com")
    gone = User.objects.create_user("Noor", "noor@example.com")
    EmailAddress.objects.create(user=gone, email="noor@example.com", verified=True, primary=True)
    gone.suspended_until = timezone.now() + timedelta(days=30)
    gone.delete()
    assert receive(email("yes"), address, "noor@example.com") is Receipt.INVITATION_OVER
    assert not User.objects.filter(email="noor@example.com").exists()
    assert fresh(table).is_open


def test_the_latest_answer_to_an_invitation_counts_until_the_game_starts() -> None:
    table, address = invitation_of(who="noor@example.com")
    no = email("Nein, danke")
    receive(no, address, "noor@example.com")
    assert not table.seats.kept().exists()
    [declined] = AccountMail.objects.all()
    assert (declined.address, declined.reply_to) == ("noor@example.com", address)
    assert "declined" in declined.text
    assert "We read: “Nein, danke”" in declined.text
    receive(email("Well, sorry"), address, "noor@example.com")
    assert fresh(table).is_open, "doubt changes nothing"
    receive(email("yes"), declined.reply_to, "noor@example.com")
    assert fresh(table).is_running
    receive(no, address, "noor@example.com")
    assert fresh(table).is_running, "a copy of an earlier answer counts for nothing"
    receive(email("No!"), address, "noor@example.com")
    assert fresh(table).is_running
    assert "The game has started" in AccountMail.objects.latest("pk").text


def test_who_has_accepted_by_reply_can_decline_and_accept_again_before_the_game_starts() -> None:
    ines, tobias, mina = person("Ines"), person("Tobias"), person("Mina")
    table = tables.open_table(ines, tables.TableOptions(3))
    for other in (tobias, mina):
        invitations.invite(table.key, ines, other)
    seat = table.seats.get(invited=tobias)
    address = invitation_reply_address(seat)
    for text, has_seat in (("ok", True), ("No", False), ("Yes", True), ("Yes, please", True)):
        receive(email(text), address, tobias.email)
        assert table.seats.filter(user=tobias).exists() == has_seat, text
    texts = [owed.text for owed in AccountMail.objects.order_by("pk")]
    assert ["accepted" in text for text in texts] == [True, False, True]
    assert table.seats.get(invited=mina).number != seat.number


@pytest.mark.parametrize("who", ["noor@example.com", "Tobias"])
def test_the_opener_can_ask_a_person_who_has_declined_by_reply_once_more(who: str) -> None:
    person("Tobias")
    table, _address = invitation_of(who=who)
    table.seats.kept().update(invited_at=timezone.now() - timedelta(days=1))
    address = invitation_reply_address(table.seats.kept().get())
    receive(email("no"), address, SENDER)
    ines, page = client_of(User.objects.get(username="Ines")), f"/g/{table.key}/invite/"
    ines.post(page, {"who": who})
    again = invitation_reply_address(table.seats.kept().get())
    receive(email("no"), again, SENDER)
    assert "has declined a seat at this table" in ines.post(page, {"who": who}).text
    assert not table.seats.kept().exists()
    receive(email("yes"), address, SENDER)
    assert fresh(table).is_running, "both emails can be answered"


def test_an_unclear_answer_to_an_invitation_is_answered_and_a_program_gets_few() -> None:
    table, address = invitation_of(who="noor@example.com")
    receive(email("What is this?", Auto_Submitted="auto-replied"), address, "noor@example.com")
    assert not AccountMail.objects.exists(), "programs get no answer"
    for _email in range(3):
        receive(email("What is this?", Precedence="bulk"), address, "noor@example.com")
    [owed] = AccountMail.objects.all()
    assert (owed.address, owed.reply_to) == ("noor@example.com", address)
    assert "“yes”" in owed.text
    assert "“no”" in owed.text
    assert "We read: “What is this?”" in owed.text
    assert outbox.build(owed).extra_headers["References"] == owed.in_reply_to
    for text in ("Thank you for your message", "Hm", "", "No problem", "Not tonight", "Yes and no", "Maybe"):
        receive(email(text), owed.reply_to, "noor@example.com")
    assert AccountMail.objects.count() == MOST_ANSWERS
    assert table.seats.kept().exists()
    receive(email("yes"), owed.reply_to, "noor@example.com")
    assert fresh(table).is_running


def test_players_answer_invitations_by_reply_too() -> None:
    tobias = person("Tobias")
    table, address = invitation_of(who="Tobias")
    receive(email("I am not sure"), address, SENDER)
    assert fresh(table).is_open
    assert AccountMail.objects.get().address == tobias.email
    receive(email("Oui!"), address, SENDER)
    assert fresh(table).seats.filter(user=tobias).exists()
    assert fresh(table).is_running


def test_an_invitation_that_was_withdrawn_cannot_be_accepted() -> None:
    table, address = invitation_of(who="noor@example.com")
    invitations.withdraw(table.key, User.objects.get(username="Ines"), 1)
    receive(email("yes"), address, "noor@example.com")
    assert receive(email("yes"), address.replace("@", "x@"), SENDER) is Receipt.NO_SUCH_ADDRESS
    assert fresh(table).is_open
    assert not User.objects.filter(email="noor@example.com").exists()
