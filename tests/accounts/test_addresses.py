"""Email addresses: adding, confirming, changing the main one, removing, and which one gets turn emails."""

import pytest
from allauth.account.models import EmailAddress
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from accounts import outbox
from accounts.addresses import confirmed_address, main_address, unconfirmed_address
from accounts.confirmations import Confirmation
from accounts.models import AccountMail, PastMail, User
from games.notifications.kind import Message
from games.notifications.mail import build_mail
from games.queries.mail_links import invitation_token
from games.services import tables
from tests.accounts.conftest import link_path
from tests.clients import confirm_password
from tests.play import person
from tests.plugins.mailserver import MailServer

pytestmark = pytest.mark.django_db


def test_only_a_confirmed_main_address_gets_turn_emails(ines: User) -> None:
    assert (confirmed_address(ines), unconfirmed_address(ines)) == ("ines@example.org", None)
    EmailAddress.objects.create(user=ines, email="second@example.org", verified=True)
    assert confirmed_address(ines) == "ines@example.org"
    EmailAddress.objects.filter(primary=True).update(verified=False)
    assert (confirmed_address(ines), unconfirmed_address(ines)) == (None, "ines@example.org")
    EmailAddress.objects.all().delete()
    assert (confirmed_address(ines), unconfirmed_address(ines)) == (None, None)


def test_another_confirmation_email_can_be_requested_after_a_pause(client: Client, inbox: MailServer) -> None:
    client.force_login(person("Mina", confirmed=False))
    asked = client.post("/account/settings/confirm-address/", {"next": "/account/settings/"}, follow=True)
    assert asked.redirect_chain == [("/account/settings/", 302)]
    assert "We sent an email to mina@example.org" in asked.text
    link = link_path(inbox.wait_for("confirm your email address", to="mina@example.org"), "confirm-email")

    again = client.post("/account/settings/confirm-address/", follow=True)
    assert "wait three minutes" in again.text
    assert len(inbox.mails) == 1

    client.post(link)
    done = client.post("/account/settings/confirm-address/", follow=True)
    assert "All your email addresses are confirmed" in done.text
    assert len(inbox.mails) == 1


def test_nobody_can_request_emails_to_others(client: Client, inbox: MailServer, ines: User) -> None:
    person("Mina", confirmed=False)
    assert client.post("/account/settings/confirm-address/", {"email": "mina@example.org"}).url.startswith(
        "/account/login/"
    )
    client.force_login(ines)
    client.post("/account/settings/confirm-address/", {"email": "mina@example.org"})
    assert inbox.mails == []


def test_changing_the_main_address(client: Client, inbox: MailServer, ines: User) -> None:
    client.force_login(ines)
    asked = client.post("/account/email/", {"action_add": "1", "email": "new@example.org"})
    assert asked.url.startswith("/account/reauthenticate/"), "first, they prove who they are"
    confirm_password(client)
    client.post("/account/email/", {"action_add": "1", "email": "new@example.org"})
    link = link_path(inbox.wait_for("confirm your email address", to="new@example.org"), "confirm-email")

    client.post("/account/email/", {"action_primary": "1", "email": "new@example.org"})
    assert confirmed_address(ines) == "ines@example.org"  # not before it is confirmed
    client.post(link)
    client.post("/account/email/", {"action_primary": "1", "email": "new@example.org"})
    assert confirmed_address(ines) == "new@example.org"

    page = client.post("/account/email/", {"action_remove": "1", "email": "ines@example.org"}, follow=True)
    assert "ines@example.org is removed" in page.text
    refused = client.post("/account/email/", {"action_remove": "1", "email": "new@example.org"}, follow=True)
    assert "new@example.org is your main address" in refused.text
    assert confirmed_address(ines) == "new@example.org"


def test_nothing_is_kept_of_emails_to_an_address_that_is_removed(client: Client, ines: User) -> None:
    EmailAddress.objects.create(user=ines, email="old@example.org")
    for address in ("Old@example.org", "ines@example.org"):
        outbox.owe(address, "Please confirm", "text")
    for pk in outbox.due_ids():
        outbox.deliver(pk)
    client.force_login(ines)
    confirm_password(client)
    client.post("/account/email/", {"action_remove": "1", "email": "old@example.org"})
    assert [one.address for one in PastMail.objects.all()] == ["ines@example.org"]


def test_nothing_is_kept_of_emails_to_an_address_that_wants_no_invitations(
    client: Client, ines: User
) -> None:
    game = tables.open_table(ines, tables.TableOptions(2))
    for address in ("Noor@example.org", "mina@example.org"):
        outbox.owe(address, "Ines invites you", "text")
    for pk in outbox.due_ids():
        outbox.deliver(pk)
    stop = reverse("games:stop_invitations", args=[invitation_token(game, "noor@example.org")])
    assert client.post(stop).status_code == 200
    assert [one.address for one in PastMail.objects.all()] == ["mina@example.org"]


def test_wrong_addresses_are_refused_at_the_field(client: Client, ines: User) -> None:
    client.force_login(ines)
    person("Tobias")
    for email, message in [
        ("moon", "valid email address"),
        ("ines@example.org", "already associated"),
        ("\u0130@example.org", "send emails to this address"),
    ]:
        response = client.post("/account/email/", {"action_add": "1", "email": email})
        assert response.status_code == 400
        assert message in response.text
    assert EmailAddress.objects.filter(user=ines).count() == 1


@pytest.mark.parametrize(
    ("email", "is_sendable"),
    [
        ("ines@example.org", True),
        ("ines+moon@example.org", True),
        ("ines@bücher.example", True),
        ("ines@[127.0.0.1]", False),
        ('"ines@home"@example.org', False),
        ("\u0130@example.org", False),  # a capital I with a dot, which becomes two characters in lower case
        ("\u0131nes@example.org", False),  # an i without a dot
        ("ine\u017f@example.org", False),  # a long s
        (f"ines@ü{'a' * 61}.example", False),  # too long when it is written in ASCII
        ("ines@\u2100.example", False),  # a/c in ASCII
    ],
)
def test_an_address_that_signs_up_can_get_turn_emails(client: Client, email: str, is_sendable: bool) -> None:
    fields = {"username": "Ines", "email": email, "password1": "moon-and-stars-17"}
    response = client.post("/account/signup/", fields)
    assert response.status_code == (302 if is_sendable else 400)
    assert ("send emails to this address" in response.text) != is_sendable
    for user in User.objects.all():
        message = Message(
            id="1", thread="2", subject="Your turn", text="…", html="…", unsubscribe_url="http://localhost/"
        )
        assert build_mail(message, user, main_address(user)).message()["To"]


@pytest.mark.databases
def test_confirming_an_address_takes_it_from_accounts_that_did_not_confirm_it(
    client: Client, inbox: MailServer
) -> None:
    """Only accounts that are older than the unique constraint, or were made at the same time, share one."""
    mina, other = person("Mina", confirmed=False), person("Other", confirmed=False)
    for user in (mina, other):
        EmailAddress.objects.create(user=user, email="both@example.org")
    User.objects.filter(pk=other.pk).update(email="both@example.org")
    client.force_login(mina)
    client.post("/account/settings/confirm-address/", {"email": "both@example.org"})
    client.post(
        link_path(inbox.wait_for("confirm your email address", to="both@example.org"), "confirm-email")
    )

    assert EmailAddress.objects.get(email="both@example.org").user == mina
    assert EmailAddress.objects.get(email="both@example.org").verified
    assert User.objects.get(username="Other").email == ""


@pytest.mark.databases
@pytest.mark.parametrize("where", ["command", "admin"])
def test_an_address_that_an_operator_writes_in_capitals_logs_in_and_gets_resets(
    client: Client, admin_client: Client, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    if where == "command":
        monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", "moon-and-stars-17")
        call_command("createsuperuser", "--noinput", username="Boss", email="Boss@Example.org", verbosity=0)
    else:
        boss = person("Boss")
        fields = {"username": "Boss", "email": "Boss@Example.org", "is_active": "on"}
        dates = {"date_joined_0": "2026-01-01", "date_joined_1": "12:00:00"}
        admin_client.post(f"/admin/accounts/user/{boss.pk}/change/", fields | dates)
    assert User.objects.filter(username="Boss", email="boss@example.org").exists()
    assert client.post("/account/password/reset/", {"email": "Boss@Example.org"}).status_code == 302
    assert AccountMail.objects.get().address == "boss@example.org"
    fields = {"login": "Boss@Example.org", "password": "moon-and-stars-17"}
    assert client.post("/account/login/", fields).status_code == 302


@pytest.mark.databases
@pytest.mark.django_db(transaction=True)
def test_who_confirms_an_address_gets_it_from_who_never_did_in_any_case_of_letters(client: Client) -> None:
    boss = person("Boss")
    User.objects.update(email="Boss@example.org")
    EmailAddress.objects.all().delete()
    fields = {"username": "Mina", "email": "boss@example.org", "password1": "moon-and-stars-17"}
    assert client.post("/account/signup/", fields).status_code == 302
    row = EmailAddress.objects.get(user__username="Mina")
    assert client.post(f"/account/confirm-email/{Confirmation(row).key}/").status_code == 302
    boss.refresh_from_db()
    assert (boss.email, User.objects.get(username="Mina").email) == ("", "boss@example.org")
