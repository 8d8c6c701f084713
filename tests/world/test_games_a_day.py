"""A person finishes a limited number of games a day, so that no program fills the site with them."""

import uuid

import pytest
from django.test import Client

from accounts.models import User
from games.models import Game
from games.novaluna.engine import Resign
from games.services import tables
from games.services.play import play
from games.services.tables import limits
from tests.clients import client_of
from tests.frozen import frozen_clock
from tests.play import game_of, person, play_out

pytestmark = pytest.mark.django_db

REFUSAL = "You have finished 2 games within a day. Please try again in "


@pytest.fixture(autouse=True)
def _small_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_FINISHED_A_DAY", 2)


def start_solo(client: Client) -> str:
    return str(client.post("/solo/start/", {"request_id": uuid.uuid4()}).get("Location", "refused"))


def finish_solo(client: Client, user: User) -> None:
    play(start_solo(client).split("/")[2], user, Resign(0), 1, uuid.uuid4())


def test_after_the_limit_every_way_to_a_new_game_says_when_to_go_on() -> None:
    ines, tobias = person("Ines"), person("Tobias")
    finished = game_of(ines, tobias)
    play_out(finished)
    open_table = tables.open_table(tobias, tables.TableOptions(2, is_public=True, pace="slow"))
    client = client_of(ines)
    finish_solo(client, ines)
    games = Game.objects.count()

    fields = {"request_id": str(uuid.uuid4())}
    new = fields | {"opponents": "bots", "seat_count": 2, "level": "easy"}
    for path, form in {
        "/solo/start/": fields,
        "/play/": fields,
        "/new/": new,
        f"/g/{open_table.key}/join/": {},
        f"/g/{finished.key}/rematch/": {},
    }.items():
        answer = client.post(path, form)
        page = client.get(answer["Location"]) if answer.status_code == 302 else answer
        assert REFUSAL in page.text, path
        assert answer.status_code in (302, 429), path
    assert Game.objects.count() == games
    assert not open_table.seats.filter(user=ines).exists()
    assert start_solo(client_of(tobias)).startswith("/g/"), "others have their own limit"


def test_the_limit_is_for_one_day_and_running_games_go_on() -> None:
    ines = person("Ines")
    with frozen_clock() as clock:
        client = client_of(ines)
        running = start_solo(client)
        for _game in range(2):
            finish_solo(client, ines)
        assert start_solo(client) == "refused"
        play(running.split("/")[2], ines, Resign(0), 1, uuid.uuid4())
        clock.move_on(hours=23)
        assert start_solo(client) == "refused"
        clock.move_on(hours=2)
        assert start_solo(client).startswith("/g/")
