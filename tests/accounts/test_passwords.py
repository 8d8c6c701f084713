"""Resetting and changing passwords."""

import pytest
from django.contrib.auth import authenticate
from django.test import Client

from accounts.models import User
from tests.accounts.conftest import link_path
from tests.plugins.mailserver import MailServer

pytestmark = pytest.mark.django_db

OLD, NEW = "moon-and-stars-17", "new-moon-every-29-days"


def test_a_link_in_an_email_resets_the_password(client: Client, inbox: MailServer, ines: User) -> None:
    response = client.post("/account/password/reset/", {"email": "ines@example.org"}, follow=True)
    assert "Check your email" in response.text
    mail = inbox.wait_for("new password", to="ines@example.org")
    link = link_path(mail, "password/reset/key")

    form = client.get(link, follow=True)
    assert "Choose a new password" in form.text
    [(path, _status)] = form.redirect_chain

    wrong = client.post(path, {"password1": NEW, "password2": OLD})
    assert wrong.status_code == 400
    assert authenticate(username="Ines", password=OLD) == ines

    done = client.post(path, {"password1": NEW, "password2": NEW}, follow=True)
    assert "Your new password is set" in done.text
    assert authenticate(username="Ines", password=NEW) == ines
    assert authenticate(username="Ines", password=OLD) is None

    again = Client().get(link, follow=True)
    assert "This link does not work" in again.text


def test_the_page_is_the_same_for_an_unknown_address_which_gets_an_email(
    client: Client, inbox: MailServer, ines: User
) -> None:
    known = client.post("/account/password/reset/", {"email": "ines@example.org"}, follow=True)
    unknown = client.post("/account/password/reset/", {"email": "nobody@example.org"}, follow=True)
    assert known.redirect_chain == unknown.redirect_chain
    mail = inbox.wait_for("No account has this email address", to="nobody@example.org")
    assert link_path(mail, "signup") == "/account/signup/"


def test_an_invalid_address_is_refused_and_gets_no_email(client: Client, inbox: MailServer) -> None:
    response = client.post("/account/password/reset/", {"email": "moon"})
    assert response.status_code == 400
    assert "valid email address" in response.text
    assert inbox.mails == []


def test_changing_the_password_needs_the_old_one(client: Client, ines: User) -> None:
    client.force_login(ines)
    fields = {"oldpassword": "sun", "password1": NEW, "password2": NEW}
    refused = client.post("/account/password/change/", fields)
    assert refused.status_code == 400
    assert "This is not your current password" in refused.text
    assert authenticate(username="Ines", password=NEW) is None

    response = client.post("/account/password/change/", fields | {"oldpassword": OLD}, follow=True)
    assert "Your new password is set" in response.text
    assert authenticate(username="Ines", password=NEW) == ines


def test_too_many_resets_are_refused(client: Client, ines: User) -> None:
    responses = [
        client.post("/account/password/reset/", {"email": "ines@example.org"}) for _attempt in range(6)
    ]
    assert [response.status_code for response in responses] == [302] * 5 + [429]
    assert "wait a few minutes" in responses[-1].text
