"""A guest takes the games along to another browser by a link or a code, which works once and not for long."""

import re
from datetime import timedelta
from urllib.parse import urlsplit

import pytest
from django.contrib.auth import SESSION_KEY
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from accounts import guest_codes, guests
from accounts.models import GuestCode, User
from games.services import pruning
from tests.clients import client_of
from tests.play import game_of, person

pytestmark = pytest.mark.django_db

MAKE, ENTER = "/account/other-browser/", "/account/guest-code/"


@pytest.fixture(autouse=True)
def _no_limits() -> None:
    cache.clear()


@pytest.fixture
def amber() -> User:
    return User.objects.create_user("Amber-Comet", is_guest=True, last_login=timezone.now())


def user_in(client: Client) -> str | None:
    return client.session.get(SESSION_KEY)


def test_a_guest_plays_on_in_another_browser_by_the_link_and_stays_here(amber: User) -> None:
    game = game_of(amber, person("Tobias"))
    first, second = client_of(amber), Client(enforce_csrf_checks=True)
    page = first.post(MAKE).text
    assert "data:image/svg+xml;base64," in page
    [url] = re.findall(r'href="(\S+/account/guest-code/\S+/)"', page)
    link = urlsplit(url).path
    asked = second.get(link)
    assert "Amber-Comet" in asked.text
    assert user_in(second) is None, "programs that look at links use up nothing"
    token = re.findall(r'csrfmiddlewaretoken" value="(\w+)"', asked.text)[0]
    code = re.findall(r'name="code" value="(\S+)"', asked.text)[0]
    assert second.post(ENTER, {"code": code, "csrfmiddlewaretoken": token}).url == "/"
    assert user_in(second) == user_in(first) == str(amber.pk)
    assert second.session.get_expiry_age() == pytest.approx(guests.KEPT.total_seconds(), abs=60)
    assert f"/g/{game.key}/" in second.get("/").text
    assert Client().get(link).status_code == 400, "it works once"


def test_the_code_is_read_as_people_type_it(amber: User) -> None:
    code = guest_codes.make(amber)
    assert re.fullmatch(r"[2-9A-Z]{5}-[2-9A-Z]{5}", code)
    assert not {*"IO01"} & {*code}
    client = Client()
    assert client.post(ENTER, {"code": f" {code.lower().replace('-', ' ')} "}).status_code == 302
    assert user_in(client) == str(amber.pk)
    assert client.post(ENTER, {"code": code}).status_code == 400


def test_a_code_ends_and_a_new_one_replaces_it(amber: User) -> None:
    older = guest_codes.make(amber)
    code = guest_codes.make(amber)
    assert Client().post(ENTER, {"code": older}).status_code == 400
    GuestCode.objects.update(made_at=timezone.now() - GuestCode.LIVES)
    refused = Client().post(ENTER, {"code": code})
    assert refused.status_code == 400
    assert "does not work" in refused.text
    GuestCode.objects.update(made_at=timezone.now() - GuestCode.LIVES - timedelta(seconds=1))
    pruning.prune()
    assert not GuestCode.objects.exists()


def test_the_database_does_not_show_the_code(amber: User) -> None:
    code = guest_codes.make(amber)
    assert code.replace("-", "") not in str(GuestCode.objects.values().get())


def test_a_code_does_not_open_an_account(amber: User) -> None:
    code = guest_codes.make(amber)
    User.objects.filter(pk=amber.pk).update(is_guest=False)
    assert Client().post(ENTER, {"code": code}).status_code == 400


def test_who_has_an_account_is_told_to_log_in_there() -> None:
    client = client_of(person("Ines"))
    for page in (client.get(MAKE), client.post(MAKE)):
        assert "You have an account: log in there" in page.text
    assert not GuestCode.objects.exists()


def test_who_is_logged_in_there_can_move_the_games_to_the_account(amber: User) -> None:
    ines = person("Ines")
    game = game_of(amber, person("Tobias"))
    client = client_of(ines)
    code = guest_codes.make(amber)
    assert "You are logged in as" in client.get(f"{ENTER}{code}/").text
    client.post(ENTER, {"code": code})
    assert user_in(client) == str(ines.pk), "they stay logged in to the account"
    assert "Amber-Comet" in client.get("/").text
    client.post("/guest-games/", {"moves": "1"})
    assert game.seats.filter(user=ines).exists()


def test_another_guest_reads_what_happens_to_their_games(amber: User) -> None:
    misty = User.objects.create_user("Misty-Moon", is_guest=True, last_login=timezone.now())
    client = client_of(misty)
    code = guest_codes.make(amber)
    for asked in (client.get(f"{ENTER}{code}/"), client.post(ENTER, {"code": code})):
        assert "this browser loses the games of" in asked.text
        assert user_in(client) == str(misty.pk)
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="(\S+)"', asked.text))
    assert client.post(ENTER, fields).url == "/"
    assert user_in(client) == str(amber.pk)
    own = client.post(ENTER, {"code": guest_codes.make(amber)})
    assert own.status_code == 302, "they lose nothing"


def test_nobody_tries_many_codes() -> None:
    client = Client()
    statuses = {client.post(ENTER, {"code": f"GUESS-{number}"}).status_code for number in range(125)}
    assert statuses == {400, 429}
    assert client.get(ENTER).status_code == 200
