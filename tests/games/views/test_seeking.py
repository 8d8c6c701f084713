"""The page that looks for people, with and without scripts, for visitors too."""

import re
import uuid
from datetime import timedelta

import pytest
from bs4 import BeautifulSoup
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.models import SEEK_TIME, Game, Seek
from games.novaluna.engine import Resign
from games.queries.overviews import overview
from games.services.play import play
from games.services.private import blocks
from tests.clients import client_of
from tests.play import person
from tests.titles.site import offering_only

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


def once() -> dict[str, object]:
    return {"request_id": uuid.uuid4()}


def test_visitors_and_people_meet_without_scripts(client: Client, ines: User) -> None:
    assert 'formaction="/play/person/"' in client.get("/").text
    waiting = client.post("/play/person/", once(), follow=True)
    assert "Looking for somebody" in waiting.text
    assert 'data-lost="Connection lost.' in waiting.text
    assert re.search(r'<noscript><meta http-equiv="refresh"', waiting.text)
    game_page = client_of(ines).post("/play/person/", once(), follow=True)
    game = Game.objects.get()
    assert game_page.redirect_chain[-1][0] == game.get_absolute_url()
    # The page of the guest loads itself again.
    assert client.get("/play/person/").url == game.get_absolute_url()
    assert [seat.user.is_guest for seat in game.seats.all()] == [True, False]


def test_a_page_that_waits_is_told_when_somebody_comes(ines: User, tobias: User) -> None:
    waiting = client_of(ines)
    waiting.post("/play/person/", once())
    assert waiting.get("/play/person/?others=", headers=HTMX).status_code == 204
    client_of(tobias).post("/play/person/", once())
    [link] = BeautifulSoup(waiting.get("/play/person/", headers=HTMX).text, "html.parser").select(
        "[data-starts=now]"
    )
    assert link["href"] == Game.objects.get().get_absolute_url()


@pytest.mark.parametrize("unreadable", [{"pace": "day"}, {"pace": "x", "title": "chess"}, {"title": ""}])
def test_what_is_unreadable_is_as_usual(unreadable: dict[str, str], ines: User) -> None:
    client_of(ines).post("/play/person/", {**once(), **unreadable})
    assert Seek.objects.values_list("title", "pace").get() == ("novaluna", "live5")


def test_a_bot_is_offered_at_any_time(ines: User) -> None:
    client = client_of(ines)
    client.post("/play/person/", once())
    Seek.objects.update(at=timezone.now() - SEEK_TIME)
    part = client.get("/play/person/", headers=HTMX).text
    assert "Nobody else is looking for this game" in part
    assert "hx-get" not in part
    page = client.post("/play/person/stop/", {**once(), "bot": 1}, follow=True)
    assert Game.objects.get().seats.exclude(bot="").count() == 1
    assert page.redirect_chain[-1][0] == Game.objects.get().get_absolute_url()
    assert not Seek.objects.exists()


def test_a_page_opened_after_an_earlier_search_does_not_say_that_nobody_came(
    ines: User, tobias: User
) -> None:
    for user in (ines, tobias):
        client_of(user).post("/play/person/", once())
    game = Game.objects.get()
    play(game.key, ines, Resign(game.seats.get(user=ines).number), 1, uuid.uuid4())
    assert "Nobody else is looking" not in client_of(tobias).get("/play/person/").text
    client_of(ines).post("/play/person/", once())
    Seek.objects.update(at=timezone.now() - SEEK_TIME)
    assert "Nobody else is looking" in client_of(ines).get("/play/person/").text
    Seek.objects.update(at=timezone.now() - timedelta(hours=1))
    assert "Nobody else is looking" not in client_of(ines).get("/play/person/").text


def test_an_offer_names_the_only_title_and_is_announced(ines: User, tobias: User) -> None:
    client_of(tobias).post("/play/person/", {**once(), "pace": "live3"})
    offer = "Somebody waits for Nova Luna, 3 minutes, +5 seconds a turn"
    with offering_only("novaluna"):
        page = BeautifulSoup(client_of(ines).get("/play/person/").text, "html.parser")
        own_page = BeautifulSoup(client_of(tobias).get("/play/person/").text, "html.parser")
    announced = page.select_one(".seek > .hidden[role=status]")
    assert announced.text.strip() == offer
    assert page.select_one(".seek__offers p").text == offer
    assert not page.select(".seek [role=status] :is(form, [role=timer])")
    assert own_page.select_one(".seek > .hidden[role=status]").text.strip() == ""


OFFER = "Somebody waits for <b>Nova Luna</b>, 3 minutes, +5 seconds a turn"


def test_home_pages_show_who_looks_for_a_live_game_until_the_search_ends(ines: User, tobias: User) -> None:
    pages = [Client(), client_of(ines)]
    before = {overview(user).lists for user in (None, ines.pk)}
    client_of(tobias).post("/play/person/", {**once(), "pace": "live3"})
    assert not before & {overview(user).lists for user in (None, ines.pk)}
    for client in pages:
        assert OFFER in client.get("/").text
        assert OFFER in client.get("/", headers=HTMX).text
    assert OFFER not in client_of(tobias).get("/").text
    client_of(tobias).post("/play/person/leave/")
    assert before == {overview(user).lists for user in (None, ines.pk)}
    assert [OFFER in client.get("/").text for client in pages] == [False, False]
    client_of(tobias).get("/play/person/")
    form = BeautifulSoup(pages[1].get("/").text, "lxml").select_one("#looking form")
    sent = {one["name"]: one.get("value", "") for one in form.select("input")}
    page = pages[1].post(form["action"], sent, follow=True)
    game = Game.objects.get()
    assert page.redirect_chain[-1][0] == game.get_absolute_url()
    assert game.pace == "live3"


def test_home_pages_show_no_search_of_people_who_keep_apart_or_to_players_of_a_live_game(
    ines: User, tobias: User
) -> None:
    mina = person("Mina")
    for user in (ines, mina):
        client_of(user).post("/play/person/", once())
    client_of(tobias).post("/play/person/", {**once(), "pace": "live3"})
    assert OFFER not in client_of(ines).get("/").text
    noor = person("Noor")
    assert OFFER in client_of(noor).get("/").text
    blocks.block(tobias, noor)
    assert OFFER not in client_of(noor).get("/").text


def test_a_search_is_stopped(ines: User, tobias: User) -> None:
    client = client_of(ines)
    client.post("/play/person/", once())
    page = client.post("/play/person/stop/", {**once(), "title": "novaluna", "pace": "live3"}, follow=True)
    assert page.redirect_chain == [("/play/person/?title=novaluna&pace=live3", 302)]
    chosen = BeautifulSoup(page.text, "html.parser").select("#seek-choice input[checked]")
    assert [one["value"] for one in chosen] == ["live3"]
    assert "The game is not rated" in page.text
    client_of(tobias).post("/play/person/", once())
    assert not Game.objects.exists()


def test_who_closes_a_page_is_seated_with_nobody_until_another_page_asks(ines: User, tobias: User) -> None:
    client = client_of(ines)
    client.post("/play/person/", once())
    assert client.post("/play/person/leave/").status_code == 204
    client_of(tobias).post("/play/person/", once())
    assert not Game.objects.exists()
    assert client.get("/play/person/").url == Game.objects.get().get_absolute_url()


def test_who_closes_the_page_early_is_not_one_whom_nobody_met(ines: User, client: Client) -> None:
    own = client_of(ines)
    own.post("/play/person/", once())
    own.post("/play/person/leave/")
    Seek.objects.update(at=timezone.now() - SEEK_TIME, seen_at=timezone.now() - SEEK_TIME / 2)
    assert "Nobody else is looking" not in own.get("/play/person/").text
    assert client.post("/play/person/leave/").status_code == 204


def test_no_bot_takes_the_place_of_a_person_who_was_found(ines: User, tobias: User) -> None:
    client = client_of(ines)
    client.post("/play/person/", once())
    client_of(tobias).post("/play/person/", once())
    answer = client.post("/play/person/stop/", {**once(), "bot": 1})
    assert answer.url == Game.objects.get().get_absolute_url()


def test_a_link_makes_no_guest(client: Client) -> None:
    assert "Look for somebody" in client.get("/play/person/").text
    assert client.post("/play/person/", {"request_id": "x"}).url == "/play/person/"
    assert not User.objects.exists()
