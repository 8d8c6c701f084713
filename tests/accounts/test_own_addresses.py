"""An address belongs to the person who confirms it, whatever a stranger has done with it before."""

import re

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.auth import authenticate
from django.test import Client

from accounts.addresses import confirmed_address, main_address, refuse_emails_to
from accounts.confirmations import Confirmation
from accounts.models import User
from games.models import Webhook
from tests.accounts.conftest import link_path
from tests.clients import client_of, confirm_password
from tests.play import person
from tests.plugins.mailserver import MailServer

pytestmark = pytest.mark.django_db

ADDRESS, NEW = "mina@example.org", "new-moon-every-29-days"


def open_reset_link(client: Client, inbox: MailServer, address: str = ADDRESS) -> tuple[str, str]:
    """Return the path and the text of the page to which the link in the email about a reset leads."""
    client.post("/account/password/reset/", {"email": address})
    link = link_path(inbox.wait_for("new password", to=address), "password/reset/key")
    page = client.get(link, follow=True)
    return page.redirect_chain[-1][0], page.text


@pytest.fixture
def squatter() -> User:
    """A stranger who has signed up with the address of somebody else."""
    squatter = person("Mina", confirmed=False)
    Webhook.objects.create(user=squatter, url="https://example.org/hook")
    Authenticator.objects.create(user=squatter, type=Authenticator.Type.WEBAUTHN, data={"name": "x"})
    squatter.renew_feeds()
    return User.objects.get(pk=squatter.pk)


def test_the_owner_gets_the_address_and_an_account_of_their_own(
    client: Client, inbox: MailServer, squatter: User
) -> None:
    fields = {"username": "Vera", "email": ADDRESS, "password1": NEW}
    path, page = open_reset_link(client, inbox)
    assert "somebody signed up as “Mina” with your address mina@example.org" in " ".join(page.split())
    freed = client.post(path, {"not_mine": "1"})
    assert freed.url == "/account/signup/?email=mina%40example.org"
    assert 'value="mina@example.org"' in client.get(freed.url).text
    assert client.post("/account/signup/", fields).status_code == 302
    assert main_address(User.objects.get(username="Vera")) == ADDRESS
    assert User.objects.get(pk=squatter.pk).email == ""
    assert not EmailAddress.objects.filter(user=squatter).exists()
    assert authenticate(username="Mina", password=NEW) is None

    again = client.get(path)
    assert "This link does not work" in again.text


def test_an_account_that_is_really_theirs_keeps_nothing_of_a_stranger(
    client: Client, inbox: MailServer, squatter: User
) -> None:
    session = client_of(squatter)
    path, page = open_reset_link(client, inbox)
    assert "It is mine" in page
    assert "Choose a new password" in client.get(f"{path}?mine").text
    done = client.post(path, {"password1": NEW, "password2": NEW})
    assert done.status_code == 302
    assert client.session["_auth_user_id"] == str(squatter.pk)
    user = User.objects.get(pk=squatter.pk)
    assert confirmed_address(user) == ADDRESS, "the link has proved it"
    assert user.feed_number != squatter.feed_number
    assert not Webhook.objects.exists()
    assert not Authenticator.objects.exists()
    assert session.get("/account/settings/").status_code == 302


def test_nothing_happens_before_the_person_has_chosen(
    client: Client, inbox: MailServer, squatter: User
) -> None:
    """Scanners follow links, and a password that the form refuses changes nothing."""
    path, _page = open_reset_link(client, inbox)
    client.get(f"{path}?mine")
    assert client.post(path, {"password1": NEW, "password2": "other"}).status_code == 400
    assert Webhook.objects.exists()
    assert confirmed_address(User.objects.get(pk=squatter.pk)) is None
    assert authenticate(username="Mina", password="moon-and-stars-17") == squatter


def test_an_address_beside_a_confirmed_one_resets_nothing(client: Client, inbox: MailServer) -> None:
    """Its owner would get into the account of somebody who made a typing error."""
    ines = person("Ines")
    EmailAddress.objects.create(user=ines, email="vera@example.org")
    asked = client.post("/account/password/reset/", {"email": "vera@example.org"})
    assert asked.status_code == 302
    assert inbox.mails == []


@pytest.mark.parametrize("confirmed", [True, False])
@pytest.mark.parametrize("path", ["/account/signup/", "/account/signup/passkey/"])
def test_an_address_that_somebody_added_and_never_confirmed_is_free(
    client: Client, path: str, confirmed: bool
) -> None:
    tobias = person("Tobias", confirmed=confirmed)
    confirm_password(stranger := client_of(tobias))
    added = {"action_add": "1", "email": ADDRESS}
    assert stranger.post("/account/email/", added).status_code == 302
    assert EmailAddress.objects.filter(user=tobias, email=ADDRESS, verified=False).exists()
    signed_up = client.post(path, {"username": "Vera", "email": ADDRESS, "password1": NEW})
    assert signed_up.status_code == 302
    # The stranger can't make it the main address, and loses it when its owner confirms it.
    refused = stranger.post("/account/email/", {"action_primary": "1", "email": ADDRESS}, follow=True)
    assert "Please confirm this address before you make it your main one." in refused.text
    assert main_address(tobias) == "tobias@example.org"
    row = EmailAddress.objects.get(user__username="Vera")
    client.post(f"/account/confirm-email/{Confirmation(row).key}/")
    assert [row.user.username for row in EmailAddress.objects.filter(email=ADDRESS)] == ["Vera"]


def test_the_page_that_confirms_an_address_also_frees_it(client: Client) -> None:
    tobias = person("Tobias", confirmed=False)
    key = Confirmation(EmailAddress.objects.get(user=tobias)).key
    page = client.get(f"/account/confirm-email/{key}/")
    assert "Not me: remove my address" in page.text
    assert "Not me" not in client_of(tobias).get(f"/account/confirm-email/{key}/").text
    freed = client.post(f"/account/confirm-email/{key}/", {"not_mine": "1"})
    assert freed.url == "/account/signup/?email=tobias%40example.org"
    assert User.objects.get(pk=tobias.pk).email == ""
    assert not EmailAddress.objects.filter(user=tobias).exists()
    assert client.post(f"/account/confirm-email/{key}/", {"not_mine": "1"}).status_code == 404


def test_an_address_whose_emails_came_back_is_still_that_of_its_account(
    client: Client, inbox: MailServer
) -> None:
    ines = person("Ines")
    refuse_emails_to("ines@example.org")
    _path, page = open_reset_link(client, inbox, "ines@example.org")
    assert "Choose a new password" in page
    assert "Is this your account?" not in page
    assert Authenticator.objects.filter(user=ines).count() == 0


def test_a_confirmed_owner_is_not_asked(client: Client, inbox: MailServer, ines: User) -> None:
    _path, page = open_reset_link(client, inbox, ines.email)
    assert re.search(r"<h1>Choose a new password</h1>", page)


def test_an_address_that_nobody_confirmed_is_not_proved_by_emails_that_came_back(
    client: Client, inbox: MailServer, squatter: User
) -> None:
    refuse_emails_to(squatter.email)
    _path, page = open_reset_link(client, inbox)
    assert "It is mine" in page


def test_an_address_that_was_confirmed_stays_proved_however_often_emails_come_back(
    client: Client, inbox: MailServer, ines: User
) -> None:
    for address in ("ines@example.org", "ines@example.org"):
        refuse_emails_to(address)
    _path, page = open_reset_link(client, inbox, "ines@example.org")
    assert "It is mine" not in page
