"""Guests play without an account, keep their games when they register, and have no pages of an account."""

import uuid
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta
from unittest import mock

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from accounts import drawn_names, guests, usernames
from accounts.addresses import confirmed_address
from accounts.models import User
from games.models import Game
from novaluna_site.limits import pot
from tests.accounts.conftest import link_path
from tests.play import person
from tests.plugins.mailserver import MailServer

pytestmark = pytest.mark.django_db

ACCOUNT = {"username": "Ines", "email": "ines@example.org", "password1": "moon-and-stars-17"}


def play_now(client: Client, request_id: uuid.UUID | None = None) -> HttpResponse:
    return client.post("/play/", {"request_id": request_id or uuid.uuid4()})


@pytest.fixture
def guest(client: Client) -> User:
    """The guest who plays in `client`."""
    play_now(client)
    return User.objects.get(is_guest=True)


def test_every_name_of_a_guest_is_a_valid_username() -> None:
    for name in [f"{first}-{second}-999" for first in drawn_names.ADJECTIVES for second in drawn_names.NOUNS]:
        for validate in usernames.validators:
            validate(name)
    with pytest.raises(ValidationError):
        usernames.validators[0]("Amber Comet")


@pytest.mark.databases
def test_a_name_that_is_taken_gets_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawn_names, "ADJECTIVES", ["Amber"])
    monkeypatch.setattr(drawn_names, "NOUNS", ["Comet"])
    assert guests.free_name() == "Amber-Comet"
    person("amber-comet")
    assert guests.free_name() == "Amber-Comet-2"
    person("Amber-Comet-2")
    assert guests.free_name() == "Amber-Comet-3"


def test_a_guest_stays_logged_in_for_30_days_after_each_visit(client: Client, guest: User) -> None:
    assert client.session.get_expiry_age() == pytest.approx(guests.KEPT.total_seconds(), abs=60)

    later = timezone.now() + timedelta(days=20)
    with mock.patch.object(timezone, "now", return_value=later):
        assert client.get("/").context["user"] == guest
        assert client.session.get_expiry_date() == pytest.approx(
            later + guests.KEPT, abs=timedelta(minutes=1)
        )
    guest.refresh_from_db()
    assert guest.last_login == later


def test_a_session_that_has_expired_belongs_to_nobody(client: Client, guest: User) -> None:
    session = client.session
    session.set_expiry(-1)
    session.save()
    response = client.get("/")
    assert not response.context["user"].is_authenticated
    assert "Play now" in response.text


@pytest.mark.databases
def test_a_guest_who_registers_keeps_the_games(
    client: Client,
    guest: User,
    inbox: MailServer,
    django_capture_on_commit_callbacks: Callable[..., AbstractContextManager[object]],
) -> None:
    form = client.get("/account/signup/")
    assert "Keep your games" in form.text
    assert f'value="{guest.username}"' in form.text

    version = Game.objects.get().live_version
    with django_capture_on_commit_callbacks(execute=True):
        response = client.post("/account/signup/", ACCOUNT)
    assert (response.status_code, response.url) == (302, "/")
    assert Game.objects.get().live_version > version, "open pages show the name"
    user = User.objects.get()
    assert (user.pk, user.username, user.is_guest) == (guest.pk, "Ines", False)
    assert Game.objects.get().seats.get(user=user).number == 0
    assert client.get("/").context["user"] == user
    assert client.session.get_expiry_age() > guests.KEPT.total_seconds()

    assert confirmed_address(user) is None
    client.post(link_path(inbox.wait_for("confirm your email address"), "confirm-email"))
    assert confirmed_address(user) == "ines@example.org"
    log_in = {"login": "ines@example.org", "password": ACCOUNT["password1"]}
    assert Client().post("/account/login/", log_in).status_code == 302


@pytest.mark.parametrize("when", ["before the log-in", "after the log-in"])
def test_a_late_answer_to_a_page_of_the_guest_logs_nobody_out(client: Client, guest: User, when: str) -> None:
    old_page = Client()
    old_page.cookies = client.cookies.copy()
    if when == "before the log-in":  # when the account is stored already
        guest.set_password("moon-and-stars-17")
        guest.save()
    else:
        client.post("/account/signup/", ACCOUNT)
    assert settings.SESSION_COOKIE_NAME not in old_page.get("/").cookies


def test_a_log_out_deletes_the_cookie(client: Client, ines: User) -> None:
    client.force_login(ines)
    assert client.post("/account/logout/").cookies[settings.SESSION_COOKIE_NAME].value == ""


def test_a_guest_may_register_with_their_own_name(client: Client, guest: User) -> None:
    # A password that is not similar to any name of a guest.
    account = ACCOUNT | {"username": guest.username, "password1": "1846-1930-1781"}
    assert client.post("/account/signup/", account).status_code == 302
    guest.refresh_from_db()
    assert not guest.is_guest


@pytest.mark.databases
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"username": "tobias"}, "Somebody has that name already"),
        ({"password1": "moon-17"}, "at least 8 characters"),
    ],
)
def test_a_guest_cannot_take_what_belongs_to_others(
    client: Client, guest: User, changes: dict[str, str], message: str
) -> None:
    person("Tobias")
    response = client.post("/account/signup/", ACCOUNT | changes)
    assert response.status_code == 400
    assert message in response.text
    before = guest.username
    guest.refresh_from_db()
    assert (guest.is_guest, guest.username, guest.email) == (True, before, "")
    assert not guest.has_usable_password()
    assert not EmailAddress.objects.filter(user=guest).exists()


def test_a_guest_can_log_in_to_an_account_which_gets_no_games_unasked(client: Client, guest: User) -> None:
    ines = person("Ines")
    assert guest.username in client.get("/account/login/").text
    wrong = client.post("/account/login/", {"login": "Ines", "password": "sun-and-sand"})
    assert wrong.status_code == 400
    assert client.get("/").context["user"] == guest

    client.post("/account/login/", {"login": "Ines", "password": "moon-and-stars-17"})
    assert client.get("/").context["user"] == ines
    assert Game.objects.get().opened_by == guest


def test_members_cannot_log_in_or_sign_up_again(client: Client, ines: User) -> None:
    client.force_login(ines)
    for path in ("/account/login/", "/account/signup/"):
        assert client.get(f"{path}?next=/solo/").url == "/solo/"
        assert client.get(f"{path}?next=dance").status_code == 302
    assert client.post("/account/signup/", ACCOUNT | {"username": "Noor"}).status_code == 302
    assert User.objects.get() == ines


def test_a_guest_changes_the_name_in_the_settings(client: Client, guest: User) -> None:
    person("Tobias")
    form = {"confirm_moves": True, "plays_forced": True, "shortcuts": True, "tips": True, "sound": False}
    for name in ("tobias", "Ines Adler", "Halley", "x", ""):
        assert client.post("/account/settings/", form | {"username": name}).status_code == 400
        assert client.get("/").context["user"].username == guest.username
    assert client.post("/account/settings/", form | {"username": "Ines"}).status_code == 302
    assert client.get("/").context["user"].username == "Ines"


def test_a_guest_has_few_names_in_a_day_so_that_they_are_no_messages(client: Client, guest: User) -> None:
    """Who has blocked a guest reads their name in a game that goes on."""

    def rename(name: str, sound: str = "False") -> HttpResponse:
        guest.refresh_from_db()
        fields = dict.fromkeys(("confirm_moves", "plays_forced", "shortcuts", "tips"), "True")
        return client.post("/account/settings/", {**fields, "username": name, "sound": sound})

    for name in ("Ines-I", "see", "where"):
        assert rename(name).status_code == 302
    assert rename("where", sound="True").status_code == 302, "the same name is no new one"
    refused = rename("she-is")
    assert refused.status_code == 429
    assert 23 * 60 * 60 < int(refused["Retry-After"]) <= 24 * 60 * 60
    assert (
        "You have changed your name three times within a day. Please try again in 24 hours." in refused.text
    )
    assert 'value="she-is"' in refused.text
    guest.refresh_from_db()
    assert guest.username == "where"


def test_a_member_cannot_change_the_name_in_the_settings(client: Client, ines: User) -> None:
    client.force_login(ines)
    form = {
        "confirm_moves": True,
        "plays_forced": True,
        "shortcuts": True,
        "tips": True,
        "sound": False,
        "username": "Noor",
    }
    assert client.post("/account/settings/", form).status_code == 302
    assert User.objects.get().username == "Ines"


@pytest.mark.parametrize(
    "path",
    [
        "/account/email/",
        "/account/notifications/",
        "/account/notifications/sent/",
        "/account/password/change/",
        "/account/password/set/",
        "/account/reauthenticate/",
    ],
)
def test_a_guest_has_no_address_and_no_password(client: Client, guest: User, ines: User, path: str) -> None:
    assert client.get(path).url == "/account/signup/"
    link = 'href="/account/notifications/"'
    assert link not in client.get("/account/settings/").text
    client.force_login(ines)
    assert "signup" not in client.get(path).get("Location", "")
    assert link in client.get("/account/settings/").text


def test_a_guest_is_warned_before_the_games_are_lost(client: Client, guest: User, ines: User) -> None:
    assert "you lose your games" in client.get("/account/logout/").text
    assert 'action="/account/logout/"' not in client.get("/").text  # only the page with the warning logs out
    client.force_login(ines)
    assert "you lose your games" not in client.get("/account/logout/").text
    assert 'action="/account/logout/"' in client.get("/").text


def test_new_guests_are_limited_by_address_and_in_all(settings: Settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"guest": "2/h/ip"} | pot("guests", 3, "ip")
    here = [play_now(Client(REMOTE_ADDR="10.0.0.1")) for _guest in range(3)]
    assert [response.status_code for response in here] == [302, 302, 429]
    assert "guests from your network" in here[-1].text
    assert "try again in 60 minutes" in here[-1].text
    there = [play_now(Client(REMOTE_ADDR="10.0.0.2")) for _guest in range(2)]
    assert [response.status_code for response in there] == [302, 429]
    assert User.objects.count() == Game.objects.count() == 3


def test_an_old_form_makes_a_new_guest(client: Client) -> None:
    request_id = uuid.uuid4()
    play_now(client, request_id)
    User.objects.update(date_joined=timezone.now() - 2 * guests.SENT_TWICE_WITHIN)
    assert play_now(Client(), request_id).status_code == 302
    assert User.objects.filter(is_guest=True).count() == 2, "nobody plays as the earlier guest"
    assert Game.objects.values("opened_by").distinct().count() == 2


def test_a_guest_whose_log_in_failed_is_removed_too() -> None:
    with (
        mock.patch("accounts.guests.login", side_effect=OSError("full")),
        pytest.raises(OSError, match="full"),
    ):
        play_now(Client())
    with mock.patch("django.utils.timezone.now", return_value=timezone.now() + 2 * guests.KEPT):
        assert guests.abandoned().exists()


def test_games_of_a_guest_do_not_count_as_new_guests(client: Client, settings: Settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"guest": "1/h/ip"}
    assert [play_now(client).status_code for _game in range(3)] == [302, 302, 302]
    assert User.objects.count() == 1
