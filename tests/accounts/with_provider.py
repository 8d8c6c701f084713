"""What holds if the host names a provider. `test_provider.py` runs these tests in a process that has one."""

import uuid
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.apps import apps
from django.conf import settings
from django.http import HttpResponse
from django.test import Client
from pytest_django.fixtures import Settings

from accounts import deletion
from accounts.addresses import main_address, owner_of
from accounts.models import AccountMail, User
from accounts.undoing import take_back
from games.queries.people.own_rows import own_rows
from games.services.pruning.people import remove_account
from novaluna_site import privacy
from tests.games.services.test_exports import (  # noqa: F401 - holds with the provider's models too
    test_every_model_and_column_about_people_is_exported_or_has_a_reason,
)
from tests.oidc_server import Provider, provider, state_of
from tests.play import game_of, person
from tests.site.test_privacy import (  # noqa: F401 - hold with the provider's models too
    test_every_model_is_on_the_page_once,
    test_the_page_is_for_everybody_and_in_the_foot,
    test_what_goes_with_an_account_goes_and_the_rest_stays,
)

pytestmark = pytest.mark.django_db

CHOSEN = {"username": "Ines", "email": "ines@example.org"}


@pytest.fixture(scope="module")
def club() -> Iterator[Provider]:
    with provider(urlsplit(settings.LOGIN_PROVIDER.server).port or 0) as server:
        yield server


@pytest.fixture(autouse=True)
def _somebody_there(club: Provider) -> None:
    club.fails = False
    club.claims = {"sub": "7", "email": "ines@example.org", "email_verified": True, "name": "Ines Real-Name"}


def address(step: str = "") -> str:
    return f"/account/oidc/{settings.LOGIN_PROVIDER.id}/login/{step}"


def begin(client: Client, query: str = "", **fields: str) -> str:
    """Press the button, and return the address at the provider to which it leads."""
    begun = client.post(address() + query, fields)
    assert begun.status_code == 302
    return begun["Location"]


def come_back(client: Client, query: str = "", **fields: str) -> HttpResponse:
    state = state_of(begin(client, query, **fields))
    return client.get(address("callback/"), {"code": "1", "state": state}, follow=True)


def sign_up(client: Client, **fields: str) -> HttpResponse:
    come_back(client)
    return client.post("/account/oidc/signup/", CHOSEN | fields, follow=True)


def accounts_there() -> list[tuple[str, str, dict[str, object]]]:
    rows = apps.get_model("socialaccount", "SocialAccount").objects.all()
    return [(row.user.username, row.uid, row.extra_data) for row in rows]


def test_both_pages_have_the_button_and_may_send_its_form_there(client: Client, club: Provider) -> None:
    for page in (client.get("/account/login/?next=/daily/"), client.get("/account/signup/?next=/daily/")):
        assert 'Continue with <span translate="no">Club</span>' in page.text
        assert f'action="{address()}"' in page.text
        assert f"form-action 'self' {club.url}" in page["Content-Security-Policy"]
    assert begin(client).startswith(f"{club.url}/authorize?")
    assert client.get(address()).status_code == 405, "another site can't log somebody in by a link"


def test_a_new_person_chooses_a_name_and_confirms_the_address_here(client: Client, club: Provider) -> None:
    form = come_back(client)
    assert form.redirect_chain[-1][0] == "/account/oidc/signup/"
    assert 'value="ines@example.org"' in form.text
    assert "Real" not in form.text
    assert not User.objects.exists()
    client.post("/account/oidc/signup/", CHOSEN | {"username": "Moonface"})
    user = User.objects.get()
    assert accounts_there() == [("Moonface", "7", {})], "nothing else of the person is stored"
    assert not user.has_usable_password()
    assert list(EmailAddress.objects.values_list("email", "verified")) == [("ines@example.org", False)]
    assert client.session["_auth_user_id"] == str(user.pk)
    assert club.verifier, "the code alone, which is in the address, is worth nothing"
    events = [(event.kind, event.detail) for event in user.security_events.order_by("pk")]
    assert events == [("signed_up", "Club"), ("logged_in", "Club")]
    assert "Club" in client.get("/account/security/log/").text


def test_the_next_time_the_person_is_logged_in_at_once(client: Client) -> None:
    sign_up(client)
    again = Client()
    page = come_back(again, next="/daily/")
    assert page.redirect_chain[-1][0] == "/daily/"
    assert again.session["_auth_user_id"] == str(User.objects.get().pk)
    assert User.objects.get().security_events.last().detail == "Club"


@pytest.mark.parametrize("name", ["tobias", "T0bias", "Gone", "admin", "Kepler", "two words", "x", "y" * 31])
def test_names_have_the_rules_of_every_sign_up(client: Client, name: str) -> None:
    person("Tobias")
    person("Gone").delete()
    refused = sign_up(client, username=name)
    assert refused.status_code == 400
    assert accounts_there() == []


@pytest.mark.parametrize("is_verified", [True, False])
def test_an_address_of_the_provider_opens_no_account(
    client: Client, club: Provider, is_verified: bool
) -> None:
    ines = person("Ines")
    club.claims["email_verified"] = is_verified
    sign_up(client, username="Moonface")
    assert client.session["_auth_user_id"] != str(ines.pk)
    assert owner_of("ines@example.org") == ines
    assert AccountMail.objects.get().subject == "You already have an account"


def test_a_stranger_who_signed_up_with_the_address_keeps_no_way_in(client: Client) -> None:
    sign_up(client)
    ines = User.objects.get()
    take_back(ines, main_address(ines))
    assert accounts_there() == []
    assert come_back(Client()).redirect_chain[-1][0] == "/account/oidc/signup/"


@pytest.mark.parametrize("process", ["connect", "redirect"])
def test_nobody_connects_an_account_later(client: Client, process: str) -> None:
    client.force_login(person("Tobias"))
    come_back(client, f"?process={process}")
    visitor = Client()
    page = come_back(visitor, f"?process={process}")
    assert page.redirect_chain[-1][0] == "/account/login/"
    assert accounts_there() == []
    assert User.objects.get().username == "Tobias"


def test_a_member_stays_who_they_are(client: Client) -> None:
    sign_up(client)
    tobias = person("Tobias")
    member = Client()
    member.force_login(tobias)
    come_back(member)
    assert member.session["_auth_user_id"] == str(tobias.pk)


def test_a_guest_keeps_their_games(client: Client) -> None:
    client.post("/play/", {"request_id": uuid.uuid4()})
    guest = User.objects.get(is_guest=True)
    game = game_of(guest, person("Tobias"))
    form = come_back(client)
    assert f'value="{guest.username}"' in form.text
    client.post("/account/oidc/signup/", CHOSEN)
    ines = User.objects.get(username="Ines")
    assert (ines.pk, ines.is_guest) == (guest.pk, False)
    assert game.seats.filter(user=ines).exists()
    assert client.session["_auth_user_id"] == str(ines.pk)


def test_a_guest_who_has_an_account_is_remembered(client: Client) -> None:
    sign_up(client)
    browser = Client()
    browser.post("/play/", {"request_id": uuid.uuid4()})
    guest = User.objects.get(is_guest=True)
    come_back(browser)
    assert browser.session["_auth_user_id"] == str(User.objects.get(username="Ines").pk)
    assert browser.session["guest_before"] == guest.pk


def test_a_second_factor_is_asked_for(client: Client) -> None:
    sign_up(client)
    TOTP.activate(User.objects.get(), generate_totp_secret())
    again = Client()
    assert come_back(again).redirect_chain[-1][0].startswith("/account/security/authenticate/")
    assert "_auth_user_id" not in again.session


def test_a_deactivated_account_stays_closed(client: Client) -> None:
    sign_up(client)
    User.objects.update(is_active=False)
    again = Client()
    come_back(again)
    assert "_auth_user_id" not in again.session


def test_sign_ups_and_log_ins_are_limited(client: Client, settings: Settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"signup": "1/h/ip", "login": "3/m/ip"}
    assert sign_up(client, username="x").status_code == 400
    assert client.post("/account/oidc/signup/", CHOSEN).status_code == 429
    begin(Client())
    begin(Client())
    assert client.post(address()).status_code == 429


def test_whatever_fails_leads_back_to_the_log_in(client: Client, club: Provider) -> None:
    state = state_of(begin(client))
    answers = [{"error": "access_denied", "state": state}, {"code": "1", "state": "forged"}, {"code": "1"}]
    for answer in answers:
        page = client.get(address("callback/"), answer, follow=True)
        assert page.redirect_chain[-1][0] == "/account/login/"
        assert "You are not logged in" in page.text
    club.fails = True
    assert come_back(client).redirect_chain[-1][0] == "/account/login/"
    club.fails, club.claims = False, {"email": "ines@example.org"}
    assert come_back(client).redirect_chain[-1][0] == "/account/login/"
    assert client.post("/account/oidc/elsewhere/login/").status_code == 404
    assert client.get("/account/oidc/signup/").status_code == 302


def test_a_provider_that_is_away_leads_back_to_the_log_in(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = settings.SOCIALACCOUNT_PROVIDERS["openid_connect"]["APP"]
    monkeypatch.setitem(app, "settings", {"server_url": "http://127.0.0.1:9"})
    page = client.post(address(), follow=True)
    assert page.redirect_chain[-1][0] == "/account/login/"


def test_the_row_is_in_the_export_and_goes_with_the_account(client: Client) -> None:
    sign_up(client)
    ines = User.objects.get()
    [rows] = [rows for _file, name, rows in own_rows(ines) if name == "socialaccount"]
    assert [(row["provider"], row["uid"]) for row in rows] == [(settings.LOGIN_PROVIDER.id, "7")]
    assert any("signed up with Club" in row.what for row in privacy.rows())
    deletion.delete(ines)
    remove_account(ines.pk)
    assert accounts_there() == []
