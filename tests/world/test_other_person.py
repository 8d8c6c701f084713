"""What an open page asks for in the name of its person, after a log-out or another log-in in another tab."""

import re

import pytest
from django.test import Client
from django.utils.html import strip_tags

from games.services import tables
from tests import play
from tests.clients import HTMX, client_of

pytestmark = pytest.mark.django_db

# What open pages request by themselves, and for links that replace a part. KEY is a game, TILE one in reach.
REQUESTS = (
    "/",
    "/updates/",
    "/updates/?lists",
    "/g/KEY/",
    "/g/KEY/?at=2",
    "/g/KEY/?tile=TILE",
    "/g/KEY/?refill=1",
    "/g/KEY/?resign=1",
    "/g/KEY/?hint=1",
    "/g/KEY/?plan=1",
    "/g/KEY/?older=1",
    "/g/KEY/hint/?late=1",
    "/g/KEY/chat/?line=0",
    "/g/KEY/displays/0/",
    "/g/KEY/try/5/",
    "/g/KEY/version/?visible=1",
    "/g/TABLE/",
    "/g/TABLE/version/",
    "/g/OVER/",
    "/g/OVER/review/",
    "/duplicates/MATCH/",
    "/duplicates/MATCH/version/",
    "/trainer/",
    "/learn/2/",
    "/rules/?q=moon",
)

# A part of a page that depends on its viewer.
SHOWN = re.compile(r'id="(game|lists|open-tables|match|found)"|data-line=')


def test_the_site_answers_a_page_of_one_person_for_nobody_else() -> None:
    ines, tobias = play.person("Ines"), play.person("Tobias")
    game = play.play_some(play.game_of(ines, tobias), 6)
    keys = {
        "KEY": game.key,
        "TILE": play.position_of(game).in_reach[0].code,
        "TABLE": tables.open_table(ines, tables.TableOptions(3, is_public=True, pace="slow")).key,
        "OVER": play.play_out(play.game_of(ines, tobias)).key,
        "MATCH": play.match_of(ines, tobias)[0].duplicate.key,
    }
    viewers = {"": Client(), str(ines.pk): client_of(ines), str(tobias.pk): client_of(tobias)}
    wrong = []
    for request in REQUESTS:
        path = re.sub("|".join(keys), lambda found: keys[found[0]], request)
        for person in viewers:
            for viewer, client in viewers.items():
                answer = client.get(path, headers={**HTMX, "x-person": person})
                is_refused = answer.status_code == 403 and "This page" in answer.text
                if is_refused is not (person != viewer) or (is_refused and SHOWN.search(answer.text)):
                    wrong.append((request, person, viewer, answer.status_code))
    assert wrong == []


def test_a_refused_request_marks_nobody_as_present() -> None:
    ines, tobias = play.person("Ines"), play.person("Tobias")
    game = play.game_of(ines, tobias)
    game.seats.update(seen_at=None)
    client_of(tobias).get(f"/g/{game.key}/version/?visible=1", headers={"x-person": str(ines.pk)})
    assert not game.seats.exclude(seen_at=None).exists()


def test_the_answer_says_who_is_logged_in_and_what_to_do() -> None:
    ines, tobias = play.person("Ines"), play.person("Tobias")
    headers = {**HTMX, "x-person": str(ines.pk)}
    other, nobody = client_of(tobias).get("/", headers=headers), Client().get("/", headers=headers)
    assert "You are logged in as Tobias now." in strip_tags(other.text)
    assert "Reload it to go on" in other.text
    assert "You are logged out." in nobody.text
    assert "Log in in another tab and come back" in nobody.text


def test_a_page_that_a_link_opens_is_for_whoever_is_logged_in() -> None:
    assert client_of(play.person("Ines")).get("/").status_code == 200
    assert client_of(play.person("Tobias")).get("/", headers=HTMX).status_code == 200
