"""All reachable pages of allauth have this site's layout, texts and content security policy."""

import re
from unittest import mock

import pytest
from allauth.account import urls as allauth_urls
from allauth.mfa import urls as mfa_urls
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.webauthn.internal import auth as webauthn_auth
from allauth.mfa.webauthn.internal.auth import WebAuthn
from allauth.usersessions import urls as usersessions_urls
from django.test import Client
from django.urls import reverse

from accounts.models import User
from tests.clients import prove_second_factor
from tests.play import person
from tests.site.addresses import url_names

pytestmark = pytest.mark.django_db

# Name of a URL of allauth -> title of its page, for visitors and for logged-in users.
FOR_VISITORS = {
    "account_login": "Log in",
    "account_signup": "Sign up",
    "account_inactive": "This account is deactivated",
    "account_email_verification_sent": "Check your email",
    "account_request_login_code": "Log in by email",
    "account_reset_password": "Reset your password",
    "account_reset_password_done": "Check your email",
    "account_reset_password_from_key_done": "Your new password is set",
}
FOR_USERS = {
    "account_logout": "Log out",
    "account_email": "Email addresses",
    "account_change_password": "Change your password",
    "account_reauthenticate": "Confirm your password",
    "account_inactive": "This account is deactivated",
    "account_reset_password": "Reset your password",
    "mfa_index": "Security",
    "usersessions_list": "Sessions",
}
# These are for users who have just entered their password.
FOR_CONFIRMED_USERS = {
    "mfa_activate_totp": "Add an app",
    "mfa_add_webauthn": "Add a passkey",
}
# These are for users who have a passkey and an app too.
FOR_PROTECTED_USERS = {
    "mfa_deactivate_totp": "Remove the app",
    "mfa_edit_webauthn": "Rename a passkey",
    "mfa_remove_webauthn": "Remove a passkey",
    "mfa_view_recovery_codes": "Recovery codes",
    "mfa_generate_recovery_codes": "Make new codes",
    "mfa_reauthenticate": "Confirm that it is you",
    "mfa_reauthenticate_webauthn": "Confirm that it is you",
}
OF_ONE_PASSKEY = {"mfa_edit_webauthn", "mfa_remove_webauthn"}
WITH_KEY = {
    "/account/confirm-email/moon/": "Confirm your email address",
    "/account/password/reset/key/1-moon/": "Choose a new password",
}
# These only redirect to a page above.
REDIRECTS = {"account_set_password", "account_confirm_login_code", "mfa_list_webauthn", "mfa_login_webauthn"}
# tests/accounts/test_second_factors.py tests these: a file, and the page after a password.
TESTED_ELSEWHERE = {"mfa_download_recovery_codes", "mfa_authenticate"}


def check_page(client: Client, path: str, title: str) -> None:
    response = client.get(path)
    assert response.status_code == 200
    assert re.search(r"<title>\s*(.*?)\s*</title>", response.text, re.DOTALL)[1] == f"{title} · Nova Luna"
    assert '<header class="top">' in response.text
    assert "<style" not in response.text
    assert not re.search(r"<script(?![^>]*\ssrc=)", response.text)
    assert not re.search(r"\b(Sign In|Sign Out|E-mail|contact us|Verify)\b", response.text)


@pytest.mark.parametrize(("name", "title"), FOR_VISITORS.items())
def test_pages_for_visitors(client: Client, name: str, title: str) -> None:
    check_page(client, reverse(name), title)


@pytest.mark.parametrize(("path", "title"), WITH_KEY.items())
def test_pages_with_a_key_in_the_url(client: Client, path: str, title: str) -> None:
    check_page(client, path, title)


@pytest.mark.parametrize(("name", "title"), FOR_USERS.items())
def test_pages_for_logged_in_users(client: Client, name: str, title: str) -> None:
    client.force_login(person("Ines"))
    check_page(client, reverse(name), title)


def confirm(client: Client) -> None:
    client.force_login(person("Ines"))
    answer = client.post(reverse("account_reauthenticate"), {"password": "moon-and-stars-17"})
    assert answer.status_code == 302


@pytest.mark.parametrize(("name", "title"), FOR_CONFIRMED_USERS.items())
def test_pages_for_users_who_have_entered_their_password(client: Client, name: str, title: str) -> None:
    confirm(client)
    check_page(client, reverse(name), title)


@pytest.mark.parametrize(("name", "title"), FOR_PROTECTED_USERS.items())
def test_pages_for_users_with_second_factors(client: Client, name: str, title: str) -> None:
    confirm(client)
    [ines] = User.objects.filter(username="Ines")
    prove_second_factor(client, ines)
    client.post(reverse("account_reauthenticate"), {"password": "moon-and-stars-17"})
    RecoveryCodes.activate(ines)
    # Only a browser can make a whole one; these pages show its name.
    passkey = WebAuthn.add(ines, "My phone", {"clientExtensionResults": {}}).instance
    with mock.patch.object(webauthn_auth, "get_credentials", return_value=[]):
        check_page(client, reverse(name, args=[passkey.pk] if name in OF_ONE_PASSKEY else []), title)


def test_a_user_without_a_password_can_set_one(client: Client) -> None:
    user = person("Ines")
    user.set_unusable_password()
    user.save()
    client.force_login(user)
    check_page(client, reverse("account_set_password"), "Choose a password")


def test_every_url_of_allauth_is_listed_here() -> None:
    """Fails if a new version of allauth adds a page, which then needs this site's layout."""
    known = {
        *FOR_VISITORS,
        *FOR_USERS,
        *FOR_CONFIRMED_USERS,
        *FOR_PROTECTED_USERS,
        *REDIRECTS,
        *TESTED_ELSEWHERE,
        "account_confirm_email",
        "account_reset_password_from_key",
    }
    names = (*allauth_urls.urlpatterns, *mfa_urls.urlpatterns, *usersessions_urls.urlpatterns)
    assert set(url_names(names)) == known
    for name in REDIRECTS:
        assert Client().get(reverse(name)).status_code == 302
