"""Authenticator apps, recovery codes and the pages of passkeys; the browser tests use real passkeys."""

import re
import time
import uuid

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth as totp
from django.test import Client
from django.utils import timezone

from accounts import guests, second_factors
from accounts.models import SecurityEvent, User
from tests.accounts.conftest import link_path
from tests.clients import client_of, prove_second_factor
from tests.play import person
from tests.plugins.mailserver import MailServer

# allauth tells of a new second factor after the commit.
pytestmark = pytest.mark.django_db(transaction=True)

PASSWORD = "moon-and-stars-17"


def code_of(secret: str) -> str:
    """Return the code that the app shows now."""
    return totp.format_hotp_value(totp.hotp_value(secret, int(time.time()) // 30))


def add_app(client: Client) -> str:
    """Add an authenticator app on the pages, and return its secret."""
    page = client.get("/account/security/totp/activate/", follow=True)
    assert page.redirect_chain[-1][0].startswith("/account/reauthenticate/"), "the password comes first"
    page = client.post(page.redirect_chain[-1][0], {"password": PASSWORD}, follow=True)
    secret = re.search(r'<code class="key" translate="no">(\w+)</code>', page.text)[1]
    added = client.post("/account/security/totp/activate/", {"code": code_of(secret)})
    assert added.url == "/account/security/recovery-codes/"
    return secret


def password_client(user: User) -> Client:
    """Return a client in which somebody has logged in with the password alone."""
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def protected() -> tuple[User, str, list[str]]:
    """A person with an app, its secret, and their recovery codes."""
    ines = person("Ines")
    client = client_of(ines)
    secret = add_app(client)
    codes = re.findall(r"<li><code>(\d{8})</code></li>", client.get("/account/security/recovery-codes/").text)
    assert len(codes) == 10
    # The code that added the app works once more within its half minute, as the person may log in then.
    return ines, secret, codes


def log_in(client: Client) -> None:
    response = client.post("/account/login/", {"login": "Ines", "password": PASSWORD})
    assert response.url == "/account/security/authenticate/"
    assert "_auth_user_id" not in client.session, "a password alone opens nothing"


def test_a_code_of_the_app_is_asked_for_and_counts_once(
    client: Client, protected: tuple[User, str, list[str]]
) -> None:
    ines, secret, _codes = protected
    log_in(client)
    wrong = client.post("/account/security/authenticate/", {"code": "000000"})
    assert wrong.status_code == 400
    assert "This code is wrong" in wrong.text
    code = code_of(secret)
    assert client.post("/account/security/authenticate/", {"code": code}).url == "/"
    assert client.session["_auth_user_id"] == str(ines.pk)

    other = Client()
    log_in(other)
    assert other.post("/account/security/authenticate/", {"code": code}).status_code == 400


def test_a_code_counts_while_clocks_differ_by_half_a_minute_and_never_twice(
    protected: tuple[User, str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """django-otp, which pretix uses, allows the same; RFC 6238 says one step, and that a code counts once."""
    _ines, secret, _codes = protected
    code = code_of(secret)
    shown = time.time()

    def answer(later: float) -> int:
        client = Client()
        log_in(client)
        monkeypatch.setattr(time, "time", lambda: shown + later)
        return client.post("/account/security/authenticate/", {"code": code}).status_code

    assert answer(-65) == 400
    assert answer(65) == 400
    assert answer(-30) == 302
    # What allauth remembers for one period only.
    monkeypatch.setattr(totp.TOTP, "_mark_code_used", lambda _app, _code: True)
    assert answer(5) == 400
    assert answer(30) == 400


def test_a_recovery_code_replaces_the_app_once(
    client: Client, protected: tuple[User, str, list[str]]
) -> None:
    _ines, _secret, codes = protected
    log_in(client)
    assert client.post("/account/security/authenticate/", {"code": codes[3]}).url == "/"
    assert "You have 9 codes left." in client.get("/account/security/").text

    other = Client()
    log_in(other)
    assert other.post("/account/security/authenticate/", {"code": codes[3]}).status_code == 400


def test_new_recovery_codes_replace_the_old_ones(protected: tuple[User, str, list[str]]) -> None:
    ines, _secret, codes = protected
    client = client_of(ines)
    page = client.get("/account/security/recovery-codes/generate/", follow=True)
    client.post(page.redirect_chain[-1][0], {"code": codes[3]})
    shown = client.post("/account/security/recovery-codes/generate/", follow=True).text
    assert not set(codes) & set(re.findall(r"\d{8}", shown))
    assert client.get("/account/security/recovery-codes/download/").text.split() == re.findall(
        r"<li><code>(\d{8})</code></li>", shown
    )


def test_without_the_app_the_codes_are_gone_too(protected: tuple[User, str, list[str]]) -> None:
    ines, _secret, codes = protected
    client = client_of(ines)
    page = client.get("/account/security/totp/deactivate/", follow=True)
    client.post(page.redirect_chain[-1][0], {"code": codes[3]})
    removed = client.post("/account/security/totp/deactivate/", follow=True)
    assert "The authenticator app is removed." in removed.text
    assert not Authenticator.objects.filter(user=ines).exists()
    assert Client().post("/account/login/", {"login": "Ines", "password": PASSWORD}).url == "/"


def test_nobody_guesses_codes(client: Client, protected: tuple[User, str, list[str]]) -> None:
    _ines, secret, _codes = protected
    log_in(client)
    for attempt in range(5):
        client.post("/account/security/authenticate/", {"code": f"{attempt:06}"})
    right = client.post("/account/security/authenticate/", {"code": code_of(secret)})
    assert right.status_code == 400
    assert "Too many attempts." in right.text


def test_a_guest_logs_in_to_an_account_with_a_second_factor(
    client: Client, protected: tuple[User, str, list[str]]
) -> None:
    """A guest is logged in, and allauth shows the page of the second factor to nobody who is."""
    ines, secret, _codes = protected
    client.post("/play/", {"request_id": uuid.uuid4()})
    guest = client.session["_auth_user_id"]
    response = client.post("/account/login/", {"login": "Ines", "password": PASSWORD})
    assert response.url == "/account/security/authenticate/"
    page = client.get(response.url)
    assert page.status_code == 200
    assert client.session["_auth_user_id"] == guest
    assert client.post(response.url, {"code": code_of(secret)}).url == "/"
    assert client.session["_auth_user_id"] == str(ines.pk)
    assert client.session[guests.BEFORE] == int(guest), "so the games can be moved"


def test_who_adds_an_app_to_open_a_page_of_moderators_gets_there(client: Client, ines: User) -> None:
    User.objects.filter(pk=ines.pk).update(is_moderator=True)
    client.force_login(ines)

    def after_the_codes() -> str:
        page = client.get("/account/security/recovery-codes/").text
        return re.search(r'href="([^"]+)">I have stored them', page)[1]

    assert client.get("/moderation/trail/").url == "/account/security/?next=/moderation/trail/"
    add_app(client)
    assert after_the_codes() == "/moderation/trail/"
    assert client.get("/moderation/trail/").status_code == 200
    assert after_the_codes() == "/account/security/"


def test_a_guest_has_no_pages_of_second_factors(client: Client) -> None:
    client.post("/play/", {"request_id": uuid.uuid4()})
    for page in ("", "webauthn/add/", "totp/activate/", "recovery-codes/", "reauthenticate/"):
        assert client.get(f"/account/security/{page}").url == "/account/signup/", page


@pytest.mark.parametrize("body", ["", "{}", "null", "[]", '"moon"', '{"id": 1, "response": 2}', "{"])
def test_damaged_answers_of_browsers_are_refused(body: str) -> None:
    ines = person("Ines")
    client = client_of(ines)
    page = client.get("/account/security/webauthn/add/", follow=True)
    client.post(page.redirect_chain[-1][0], {"password": PASSWORD})
    assert client.get("/account/security/webauthn/add/").status_code == 200
    added = client.post("/account/security/webauthn/add/", {"credential": body, "passwordless": "on"})
    assert added.status_code == 400
    assert not Authenticator.objects.filter(user=ines).exists()

    visitor = Client()
    visitor.get("/account/security/webauthn/login/", headers={"Accept": "application/json"})
    response = visitor.post("/account/security/webauthn/login/", {"credential": body})
    assert (response.status_code, response.url) == (302, "/account/login/")


@pytest.mark.parametrize(
    ("typed", "stored"), [("My \u202ephone", "My phone"), ("\u200b\u3164", None), ("x" * 60, "x" * 50)]
)
def test_names_of_passkeys_are_tidied(typed: str, stored: str | None) -> None:
    ines = person("Ines")
    passkey = Authenticator.objects.create(user=ines, type=Authenticator.Type.WEBAUTHN, data={"name": "old"})
    client = client_of(ines)
    prove_second_factor(client, ines)
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    client.post(f"/account/security/webauthn/keys/{passkey.pk}/edit/", {"name": typed})
    passkey.refresh_from_db()
    assert passkey.data["name"] == (stored or "old")


def test_a_sign_up_form_with_the_password_does_not_replace_the_second_factor(
    client: Client, protected: tuple[User, str, list[str]]
) -> None:
    """Neither a long time after the sign-up nor immediately after it."""
    ines, secret, _codes = protected
    log_in(client)
    assert client.post("/account/security/authenticate/", {"code": code_of(secret)}).url == "/"
    fields = {"username": "Ines", "email": "ines@example.org", "password1": PASSWORD}
    for has_just_signed_up in (False, True):
        if has_just_signed_up:
            SecurityEvent.objects.create(
                user=ines, kind=SecurityEvent.Kind.SIGNED_UP, network="192.0.2.0", at=timezone.now()
            )
        stranger = Client()
        assert stranger.post("/account/signup/", fields).status_code == 400
        assert "_auth_user_id" not in stranger.session


def test_a_session_with_the_password_alone_changes_no_second_factor(
    protected: tuple[User, str, list[str]],
) -> None:
    ines, _secret, _codes = protected
    stranger = client_of(ines)
    stranger.post("/account/reauthenticate/", {"password": PASSWORD})
    for page in ("webauthn/add/", "totp/deactivate/", "recovery-codes/", "recovery-codes/download/"):
        for answer in (stranger.get(f"/account/security/{page}"), stranger.post(f"/account/security/{page}")):
            assert answer.url.startswith("/account/security/reauthenticate/?next="), page
    assert Authenticator.objects.filter(user=ines).count() == 2


def test_the_first_second_factor_ends_all_other_sessions() -> None:
    ines, stranger = person("Ines"), Client()
    stranger.post("/account/login/", {"login": "Ines", "password": PASSWORD})
    owner = client_of(ines)
    assert stranger.get("/account/settings/").status_code == 200
    add_app(owner)
    assert stranger.get("/account/settings/").status_code == 302
    assert owner.get("/account/settings/").status_code == 200


def test_a_reset_of_the_password_leaves_the_second_factor_of_staff(inbox: MailServer) -> None:
    """Also of those who have no confirmed address, as superusers had who were made in an earlier version."""
    keeper = User.objects.create_superuser("Keeper", "keeper@example.org", PASSWORD)
    assert EmailAddress.objects.get(user=keeper).verified
    EmailAddress.objects.all().delete()
    add_app(password_client(keeper))
    told = inbox.wait_for("An authenticator app was added", to="keeper@example.org")
    assert "/account/undo/" not in told.get_body(("plain",)).get_content(), "the address may be a stranger's"

    stranger = Client()
    stranger.post("/account/password/reset/", {"email": "keeper@example.org"})
    link = link_path(inbox.wait_for("password", to="keeper@example.org"), "/password/reset/key/")
    page = stranger.get(link, follow=True)
    assert "Choose a new password" in page.text
    chosen = {"password1": "a-strangers-choice-3", "password2": "a-strangers-choice-3"}
    answer = stranger.post(page.redirect_chain[-1][0], chosen)
    assert answer.url == "/account/security/authenticate/"
    assert second_factors.has_any(keeper)


def test_a_passkey_comes_before_the_first_password() -> None:
    """Otherwise a session that somebody left open would lead to a password, and that to new passkeys."""
    ines = person("Ines")
    ines.set_unusable_password()
    ines.save()
    Authenticator.objects.create(user=ines, type=Authenticator.Type.WEBAUTHN, data={"name": "x"})
    client, fields = (
        client_of(ines),
        {"password1": "a-strangers-choice-3", "password2": "a-strangers-choice-3"},
    )
    answer = client.post("/account/password/set/", fields)
    assert answer.url.startswith("/account/security/webauthn/reauthenticate/?next=")
    assert not User.objects.get(pk=ines.pk).has_usable_password()
