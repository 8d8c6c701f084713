"""A code in an email logs in the person who has confirmed the address, and nobody else."""

import re
import time
from types import SimpleNamespace

import pytest
from allauth.account.internal.flows import code_verification
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from django.test import Client
from django_webtest import DjangoTestApp

from accounts.models import AccountMail, User
from tests.accounts.test_second_factors import add_app, code_of
from tests.clients import client_of
from tests.play import person
from tests.plugins.mailserver import MailServer

pytestmark = pytest.mark.django_db

ASK, CONFIRM = "/account/login/code/", "/account/login/code/confirm/"


def code_in(inbox: MailServer) -> str:
    [mail] = inbox.mails
    return re.search(r"^([A-Z0-9-]{6,9})\r?$", mail.get_body(("plain",)).get_content(), re.MULTILINE)[1]


def ask(client: Client, email: str = "ines@example.org") -> None:
    assert client.post(ASK, {"email": email}).url == CONFIRM


def test_a_code_logs_in_once(client: Client, ines: User, inbox: MailServer) -> None:
    ask(client, "Ines@Example.org")
    code = code_in(inbox)
    assert client.post(CONFIRM, {"code": "moon-moon"}).status_code == 400
    assert client.post(CONFIRM, {"code": code.lower()}).url == "/"
    assert client.session["_auth_user_id"] == str(ines.pk)

    other = Client()
    assert other.post(CONFIRM, {"code": code}).status_code == 302
    assert "_auth_user_id" not in other.session, "a code works only in the browser that asked for it"


def test_the_link_in_the_email_fills_in_the_code(
    django_app: DjangoTestApp, ines: User, inbox: MailServer
) -> None:
    asking = next(form for form in django_app.get(ASK).forms.values() if "email" in form.fields)
    asking["email"] = "ines@example.org"
    asking.submit()
    [mail] = inbox.mails
    text = mail.get_body(("plain",)).get_content()
    link = re.search(r"^http://[^/]+(/account/\S+\?code=\S+)\r?$", text, re.MULTILINE)[1]
    assert f'{link}"' in mail.get_body(("html",)).get_content()

    elsewhere = Client().get(link, follow=True)
    assert "is too old, was used or is for another browser" in elsewhere.text
    confirming = next(form for form in django_app.get(link).forms.values() if "code" in form.fields)
    assert confirming.submit().location == "/"
    assert django_app.session["_auth_user_id"] == str(ines.pk)


def test_a_code_does_not_replace_a_second_factor(client: Client, inbox: MailServer) -> None:
    ines = person("Ines")
    secret = add_app(client_of(ines))
    ask(client)
    assert client.post(CONFIRM, {"code": code_in(inbox)}).url == "/account/security/authenticate/"
    assert "_auth_user_id" not in client.session
    assert client.post("/account/security/authenticate/", {"code": code_of(secret)}).url == "/"


def test_who_has_lost_their_only_passkey_needs_a_code_and_a_recovery_code(
    client: Client, inbox: MailServer
) -> None:
    """The page of the sign-up promises what the pages of the log-in then ask for."""
    promise = " ".join(client.get("/account/signup/passkey/").text.split())
    assert "one that we email you and a recovery code" in promise
    ines = person("Ines")
    ines.set_unusable_password()
    ines.save()
    Authenticator.objects.create(user=ines, type=Authenticator.Type.WEBAUTHN, data={"name": "Phone"})
    codes = RecoveryCodes.activate(ines).get_unused_codes()
    ask(client)
    assert client.post(CONFIRM, {"code": code_in(inbox)}).url == "/account/security/authenticate/"
    assert client.post("/account/security/authenticate/", {"code": codes[0]}).url == "/"


@pytest.mark.parametrize("email", ["mina@example.org", "nobody@example.org"])
def test_strangers_learn_nothing_and_get_nothing(client: Client, inbox: MailServer, email: str) -> None:
    """Neither without an account, nor with an address that its account has not confirmed."""
    person("Mina", confirmed=False)
    ask(client, email)
    assert "If " + email + " is the confirmed address of an account" in client.get(CONFIRM).text
    assert inbox.mails == []
    assert not AccountMail.objects.exists()


def test_wrong_codes_end_the_attempt(client: Client, ines: User, inbox: MailServer) -> None:
    ask(client)
    for _attempt in range(3):
        client.post(CONFIRM, {"code": "moon-moon"})
    assert client.post(CONFIRM, {"code": code_in(inbox)}).url == ASK
    assert "_auth_user_id" not in client.session


def test_a_code_waits_for_slow_mail_servers(
    client: Client, ines: User, inbox: MailServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(client)
    code, start = code_in(inbox), time.time()
    monkeypatch.setattr(code_verification, "time", SimpleNamespace(time=lambda: start + 14 * 60))
    assert client.get(CONFIRM).status_code == 200
    monkeypatch.setattr(code_verification, "time", SimpleNamespace(time=lambda: start + 16 * 60))
    assert client.post(CONFIRM, {"code": code}).url == ASK


def test_one_address_gets_few_codes(ines: User, inbox: MailServer) -> None:
    answers = [Client(REMOTE_ADDR=f"192.0.2.{n}").post(ASK, {"email": "ines@example.org"}) for n in range(8)]
    assert [answer.status_code for answer in answers][-1] in (400, 429)
    assert len(inbox.mails) <= 5


def test_an_account_without_a_password_needs_only_its_address(client: Client, inbox: MailServer) -> None:
    fields = {"username": "Noor", "email": "noor@example.org"}
    page = client.post("/account/signup/passkey/", fields)
    assert page.url == "/account/security/webauthn/add/"
    assert client.get(page.url).status_code == 200, "nothing is asked before the passkey"
    noor = User.objects.get(username="Noor")
    assert not noor.has_usable_password()
    [mail] = inbox.mails
    assert mail["To"] == "noor@example.org"


def test_a_guest_signs_up_with_a_passkey_and_keeps_the_row(client: Client) -> None:
    guest = User.objects.create_user("Amber-Comet", is_guest=True)
    client = client_of(guest)
    client.post("/account/signup/passkey/", {"username": "Noor", "email": "noor@example.org"})
    kept = User.objects.get(pk=guest.pk)
    assert (kept.username, kept.is_guest) == ("Noor", False)
