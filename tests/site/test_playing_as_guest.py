"""Visitors play immediately: against a bot, solo, and at a table whose link they have."""

import re
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections
from django.http import HttpResponse
from django.test import Client

from accounts.models import User
from games.models import Game
from games.services import tables
from tests.clients import client_of
from tests.play import fresh, game_of, person, play_out, solo_of

pytestmark = pytest.mark.django_db


def once() -> dict[str, object]:
    return {"request_id": uuid.uuid4()}


def test_play_now_starts_a_game_against_an_easy_bot(client: Client) -> None:
    assert 'action="/play/"' in client.get("/").text
    response = client.post("/play/", once())
    game = Game.objects.get()
    assert response.url == game.get_absolute_url()
    assert game.is_running
    assert list(game.seats.values_list("user__is_guest", "bot")) == [(True, ""), (None, "easy")]
    page = client.get(response.url)
    assert page.status_code == 200
    assert page.context["user"] == game.opened_by
    assert not game.opened_by.has_usable_password()
    assert game.opened_by.email == ""


def test_play_now_starts_a_game_of_the_logged_in_person() -> None:
    ines = person("Ines")
    client_of(ines).post("/play/", once())
    assert Game.objects.get().opened_by == ines
    assert not User.objects.filter(is_guest=True).exists()


def test_a_form_that_is_sent_twice_makes_one_guest_and_one_game(client: Client) -> None:
    form = once()
    first, again, elsewhere = (each.post("/play/", form) for each in (client, client, Client()))
    assert first.url == again.url == elsewhere.url
    assert User.objects.count() == Game.objects.count() == 1
    assert Client().post("/play/", once()).url != first.url


@pytest.mark.parametrize(
    ("path", "name", "action"), [("/", "play_form", "/play/"), ("/solo/", "solo_form", "/solo/start/")]
)
def test_a_second_click_after_the_log_in_opens_the_same_game(path: str, name: str, action: str) -> None:
    client = Client(enforce_csrf_checks=True)
    page = client.get(path)
    form = {
        "csrfmiddlewaretoken": page.context["csrf_token"],
        "request_id": page.context[name]["request_id"].value(),
    }
    first, second = client.post(action, form), client.post(action, form)
    assert (first.status_code, second.status_code) == (302, 302)
    assert first.url == second.url == Game.objects.get().get_absolute_url()


@pytest.mark.django_db(transaction=True)
def test_a_double_click_makes_one_guest_and_one_game() -> None:
    form = once()

    def click(client: Client) -> HttpResponse:
        try:
            return client.post("/play/", form)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as pool:
        responses = list(pool.map(click, [Client() for _click in range(4)]))
    assert {response.status_code for response in responses} == {302}
    assert len({response.url for response in responses}) == 1
    assert User.objects.count() == Game.objects.count() == 1


def test_the_request_of_a_guest_who_has_registered_opens_nothing(client: Client) -> None:
    form = once()
    client.post("/play/", form)
    account = {"username": "Ines", "email": "ines@example.org", "password1": "moon-and-stars-17"}
    client.post("/account/signup/", account)
    stranger = Client()
    stranger.post("/play/", form)
    assert stranger.get("/").context["user"].username != "Ines"


@pytest.mark.parametrize("path", ["/play/", "/solo/start/"])
def test_only_a_form_of_this_site_makes_a_guest(client: Client, path: str) -> None:
    for refused in (
        client.get(path),
        client.head(path),
        client.post(path),
        client.post(path, {"request_id": 1}),
    ):
        assert refused.status_code == 302
    assert Client(enforce_csrf_checks=True).post(path, once()).status_code == 403
    assert not User.objects.exists()
    client.post(path, once())
    assert User.objects.get().is_guest


def test_a_visitor_starts_a_solo_game_as_a_guest(client: Client) -> None:
    assert client.post("/solo/start/", once()).url == Game.objects.get().get_absolute_url()
    assert Game.objects.get().is_solo


def test_a_visitor_joins_a_table_by_its_link_as_a_guest(client: Client) -> None:
    table = tables.open_table(person("Ines"), tables.TableOptions(2))
    page = client.get(table.get_absolute_url()).text
    assert "Join as a guest" in page

    assert client.get(f"/g/{table.key}/join/", once()).status_code == 302
    assert client.post(f"/g/{table.key}/join/").url.startswith("/account/login/")
    assert User.objects.count() == 1
    assert client.post(f"/g/{table.key}/join/", once()).url == table.get_absolute_url()
    assert fresh(table).is_running
    assert ">guest</span>" in client_of(User.objects.get(username="Ines")).get(table.get_absolute_url()).text


@pytest.mark.parametrize(
    ("typed", "shown"),
    [("Olga", "Olga"), ("ines", "already"), ("a b", "only letters"), ("Moderator", "reserved")],
)
def test_a_guest_who_takes_a_seat_can_choose_a_name(client: Client, typed: str, shown: str) -> None:
    table = tables.open_table(person("Ines"), tables.TableOptions(3))
    page = client.get(table.get_absolute_url()).text
    assert 'name="guest_name"' in page
    after = client.post(f"/g/{table.key}/join/", once() | {"guest_name": typed}, follow=True)
    taken = table.seats.get(number=1).user
    assert taken.is_guest
    assert shown in after.text
    assert (taken.username == typed) == (typed == "Olga")
    assert taken.username in after.text


def guest() -> User:
    """Return a new guest."""
    return User.objects.create_user("Amber-Comet", is_guest=True)


def test_a_table_of_a_guest_is_not_listed() -> None:
    form = {"opponents": "people", "seat_count": 2, "level": "easy", "is_public": "on"}
    for user, is_public in ((guest(), False), (person("Ines"), True)):
        client = client_of(user)
        page = client.get("/new/").text
        assert ("because you are a guest" in page) is not is_public
        client.post("/new/", form | once())
        assert Game.objects.get(opened_by=user).is_public is is_public


def test_a_visitor_opens_a_table_as_a_guest(client: Client) -> None:
    page = client.get("/new/?with=people").text
    assert "because you are a guest" in page
    assert re.search(r'value="people"[^>]* checked', page)
    form = {"opponents": "people", "seat_count": 2, "level": "easy"} | once()
    response = client.post("/new/", form)
    game = Game.objects.get()
    assert response.url == game.get_absolute_url()
    assert game.is_open
    assert game.opened_by.is_guest
    assert client.get(response.url).context["user"] == game.opened_by


@pytest.mark.parametrize("asked", [{"is_public": "on"}, {"changes_ratings": "on"}, {"invited": "Ines"}])
def test_what_guests_cannot_do_at_a_table_leads_to_the_log_in(asked: dict[str, str], client: Client) -> None:
    form = {"opponents": "people", "seat_count": 2, "level": "easy"} | once()
    assert client.post("/new/", form | asked).url.startswith("/account/login/")
    assert client.get("/new/?invite=Ines").url.startswith("/account/login/")
    assert not User.objects.exists()


def test_the_leaderboard_shows_people_with_an_account_only(client: Client) -> None:
    amber, ines = guest(), person("Ines")
    for user in (amber, ines):
        play_out(solo_of(user))
    page = client.get("/solo/leaderboard/").text
    assert "Ines" in page
    assert "Amber-Comet" not in page
    assert "Your best score" in client_of(amber).get("/solo/").text

    account = {"email": "amber@example.org", "username": "Amber", "password1": "moon-and-stars-17"}
    client_of(amber).post("/account/signup/", account)
    assert 'href="/people/Amber/"' in client.get("/solo/leaderboard/").text


def test_the_result_says_how_a_guest_keeps_the_games() -> None:
    amber, ines = guest(), person("Ines")
    game = game_of(amber, ines)
    assert "to keep your games" not in client_of(amber).get(game.get_absolute_url()).text
    play_out(game)
    assert "Sign up to keep your games</a>" in client_of(amber).get(game.get_absolute_url()).text
    assert "to keep your games" not in client_of(ines).get(game.get_absolute_url()).text


def test_the_profile_says_that_somebody_is_a_guest(client: Client) -> None:
    guest(), person("Ines")
    assert "Guest since" in client.get("/people/Amber-Comet/").text
    assert "Guest since" not in client.get("/people/Ines/").text
