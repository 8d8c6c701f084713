"""Resetting and changing passwords, and how they are hashed."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings as site_settings
from django.contrib.auth import authenticate
from django.contrib.auth.hashers import MD5PasswordHasher, PBKDF2PasswordHasher, make_password
from django.test import Client
from pytest_django.fixtures import Settings

from accounts.models import User
from tests.accounts.conftest import link_path
from tests.play import person
from tests.plugins.mailserver import MailServer

pytestmark = pytest.mark.django_db

OLD, NEW = "moon-and-stars-17", "new-moon-every-29-days"


def test_a_link_in_an_email_resets_the_password(client: Client, inbox: MailServer, ines: User) -> None:
    response = client.post("/account/password/reset/", {"email": "ines@example.org"}, follow=True)
    assert "If an account has the address ines@example.org, we emailed it a link" in response.text
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
    assert done.context["user"] == ines, "she is logged in, even if strangers have locked her account"
    assert authenticate(username="Ines", password=NEW) == ines
    assert authenticate(username="Ines", password=OLD) is None

    again = Client().get(link, follow=True)
    assert "This link does not work" in again.text


def test_the_page_is_the_same_for_an_unknown_address_which_gets_no_email(
    client: Client, inbox: MailServer, ines: User
) -> None:
    known = client.post("/account/password/reset/", {"email": "ines@example.org"}, follow=True)
    unknown = client.post("/account/password/reset/", {"email": "nobody@example.org"}, follow=True)
    assert known.redirect_chain == unknown.redirect_chain
    shown = without_tokens(known.text).replace("ines@example.org", "nobody@example.org")
    assert shown == without_tokens(unknown.text)
    assert "we emailed" not in Client().get("/account/password/reset/done/").text
    assert [mail["To"] for mail in inbox.mails] == ["ines@example.org"]


def without_tokens(page: str) -> str:
    """Return a page without its CSRF tokens and its time, which differ."""
    tokens = r'name="csrfmiddlewaretoken" value="\w+"|"X-CSRFToken": *"\w+"|data-time="[\d.]+"'
    return re.sub(tokens, "", page)


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
    assert "try again in" in responses[-1].text


class CountingHasher(MD5PasswordHasher):
    """A fast hasher that counts how often it hashes."""

    algorithm = "counting"
    hashed = 0

    def encode(self, password: str, salt: str) -> str:
        CountingHasher.hashed += 1
        return super().encode(password, salt)


@pytest.mark.parametrize("password", [OLD, "sun"])
@pytest.mark.parametrize(
    "login",
    [
        pytest.param("Ines", id="username"),
        pytest.param("ines@example.org", id="address"),
        pytest.param("both@example.org", id="address-at-two-accounts"),
        pytest.param("Mina", id="inactive"),
        pytest.param("Tobias", id="without-password"),
        pytest.param("Nobody", id="unknown-username"),
        pytest.param("nobody@example.org", id="unknown-address"),
    ],
)
def test_an_attempt_to_log_in_costs_one_hash_for_known_and_unknown_people(
    client: Client, settings: Settings, login: str, password: str
) -> None:
    settings.PASSWORD_HASHERS = [f"{__name__}.CountingHasher"]
    users = person("Ines"), person("Mina"), person("Tobias")
    for user in users[:2]:
        EmailAddress.objects.create(user=user, email="both@example.org")
    User.objects.filter(username="Mina").update(is_active=False)
    User.objects.filter(username="Tobias").update(password=make_password(None))

    before = CountingHasher.hashed
    client.post("/account/login/", {"login": login, "password": password})
    assert CountingHasher.hashed - before == 1


def test_a_new_hash_replaces_an_older_one_at_log_in(client: Client, settings: Settings, ines: User) -> None:
    settings.PASSWORD_HASHERS = site_settings.PASSWORD_HASHERS[1:]  # without the tests' own
    older = PBKDF2PasswordHasher().encode(OLD, "salt", iterations=1000)
    User.objects.update(password=older)

    assert client.post("/account/login/", {"login": "Ines", "password": NEW}).status_code == 400
    assert User.objects.get().password == older
    assert client.post("/account/login/", {"login": "Ines", "password": OLD}).status_code == 302
    assert User.objects.get().password.startswith("argon2$argon2id$v=19$m=19456,t=2,p=1$")
    assert Client().post("/account/login/", {"login": "Ines", "password": OLD}).status_code == 302
