"""Forgotten and changed passwords."""

import pytest
from django.contrib.auth import authenticate
from django.test import Client

from accounts.models import User
from tests.accounts.conftest import path_in
from tests.plugins.mailserver import MailServer

pytestmark = pytest.mark.django_db

OLD, NEW = "moon-and-stars-17", "new-moon-every-29-days"


def test_a_forgotten_password_is_replaced_through_a_mail(
    client: Client, inbox: MailServer, ines: User
) -> None:
    answer = client.post("/account/password/reset/", {"email": "ines@example.org"}, follow=True)
    assert "look into your mail" in answer.text
    mail = inbox.wait_for("new password", to="ines@example.org")
    link = path_in(mail, "password/reset/key")

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
    assert "does not work any more" in again.text


def test_an_unknown_address_gets_a_mail_but_the_page_tells_nothing(
    client: Client, inbox: MailServer, ines: User
) -> None:
    known = client.post("/account/password/reset/", {"email": "ines@example.org"}, follow=True)
    unknown = client.post("/account/password/reset/", {"email": "nobody@example.org"}, follow=True)
    assert known.redirect_chain == unknown.redirect_chain
    mail = inbox.wait_for("no account with this address", to="nobody@example.org")
    assert path_in(mail, "signup") == "/account/signup/"


def test_no_address_no_mail(client: Client, inbox: MailServer) -> None:
    answer = client.post("/account/password/reset/", {"email": "moon"})
    assert answer.status_code == 400
    assert "valid email address" in answer.text
    assert inbox.mails == []


def test_changing_it_takes_the_old_one(client: Client, ines: User) -> None:
    client.force_login(ines)
    wish = {"oldpassword": "sun", "password1": NEW, "password2": NEW}
    refused = client.post("/account/password/change/", wish)
    assert refused.status_code == 400
    assert "That is not your current password" in refused.text
    assert authenticate(username="Ines", password=NEW) is None

    answer = client.post("/account/password/change/", wish | {"oldpassword": OLD}, follow=True)
    assert "Your new password is set" in answer.text
    assert authenticate(username="Ines", password=NEW) == ines


def test_too_many_resets(client: Client, ines: User) -> None:
    answers = [client.post("/account/password/reset/", {"email": "ines@example.org"}) for _try in range(6)]
    assert [answer.status_code for answer in answers] == [302] * 5 + [429]
    assert "wait a few minutes" in answers[-1].text
