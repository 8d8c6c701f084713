"""Email addresses: adding, confirming, changing the main one, removing, and which one gets turn emails."""

import pytest
from allauth.account.models import EmailAddress
from django.test import Client

from accounts.addresses import confirmed_address, unconfirmed_address
from accounts.models import User
from tests.accounts.conftest import link_path
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


def test_wrong_addresses_are_refused_at_the_field(client: Client, ines: User) -> None:
    client.force_login(ines)
    for email, message in [("moon", "valid email address"), ("ines@example.org", "already associated")]:
        response = client.post("/account/email/", {"action_add": "1", "email": email})
        assert response.status_code == 400
        assert message in response.text
    assert EmailAddress.objects.count() == 1
