"""People look for others for a live game of one of several titles."""

import re
import uuid

import pytest

from accounts.models import User
from games.models import Block, Game
from games.queries.lists import usual_title_of
from games.services import tables
from tests.clients import client_of
from tests.lunar.games import lunar_game, user_of
from tests.play import person

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}
CHOICE = {"title": "lunar", "pace": "live3"}


def once() -> dict[str, object]:
    return {"request_id": uuid.uuid4()}


def test_a_person_sees_what_others_wait_for_and_one_press_starts_that_game(ines: User, tobias: User) -> None:
    first, second = client_of(ines), client_of(tobias)
    assert "Somebody waits for" not in second.get("/play/person/").text
    page = first.post("/play/person/", {**once(), **CHOICE}, follow=True).text
    assert "Each player has 3 minutes, +5 seconds a turn" in page
    assert "Somebody waits for" not in page, "one's own search is no offer"
    second.post("/play/person/", once())
    part = second.get("/play/person/", headers=HTMX).text
    assert "Somebody waits for <b>LUNAR</b>, 3 minutes, +5 seconds a turn" in part
    assert second.get("/play/person/?others=lunar-live3", headers=HTMX).status_code == 204
    Block.objects.create(user=ines, blocked=tobias)
    assert "Somebody waits for" not in second.get("/play/person/?others=lunar-live3", headers=HTMX).text
    Block.objects.all().delete()
    second.post("/play/person/", {**once(), **CHOICE})
    game = Game.objects.get()
    assert (game.title, game.pace, game.is_running) == ("lunar", "live3", True)


def test_the_bot_plays_the_game_and_the_pace_that_are_chosen(ines: User) -> None:
    page = client_of(ines).get("/play/person/").text
    button = re.search(r'form="seek-choice" formaction="([^"]+)" name="bot"', page)
    assert button is not None
    request = once()
    for choice in (CHOICE, {"title": "novaluna", "pace": "live"}, CHOICE):
        client_of(ines).post(button[1], {**request, **choice, "bot": 1})
    games = Game.objects.order_by("pk").values_list("title", "pace")
    assert [*games] == [("lunar", "live3"), ("novaluna", "live")]


@pytest.mark.usefixtures("dealt")
def test_the_home_page_begins_with_the_title_that_a_person_has_played_last() -> None:
    search = "Play Nova Luna with a person, 5 min each"
    assert search in client_of(person("Halley")).get("/").text
    client = client_of(user_of(lunar_game(2), 0))
    for path in ("/", "/new/"):
        assert '<input type="hidden" name="title" value="lunar"' in client.get(path).text
    page = client.get("/").text
    assert "Play LUNAR with a person, 5 min each" in page
    assert search not in page
    assert 'href="/play/person/?title=lunar"' in page
    for query, title in (("", "lunar"), ("?title=novaluna", "novaluna")):
        form = client.get(f"/play/person/{query}").text
        assert re.findall(r'name="title" value="(\w+)"[^>]* checked', form) == [title]


@pytest.mark.usefixtures("dealt")
@pytest.mark.databases
def test_an_open_table_is_no_game_that_a_person_has_played() -> None:
    player = user_of(lunar_game(2), 0)
    tables.open_table(player, tables.TableOptions(2, title="novaluna"))
    assert usual_title_of(player).key == "lunar"
