"""Names that fields offer: of people whom the viewer knows first, and of no guests."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django.fixtures import Settings

from accounts.models import User
from games.queries.people import names
from games.queries.people.names import names_offered
from games.services.private import blocks, profiles
from tests.clients import client_of
from tests.play import game_of, person

pytestmark = pytest.mark.django_db


def test_people_whom_the_viewer_knows_are_offered_first_and_before_anything_is_typed() -> None:
    ines, tobias, mina = person("Ines"), person("Tobias"), person("Mina")
    person("Otto")
    person("Ottokar")
    profiles.follow(ines, mina, is_following=True)
    game_of(ines, tobias)
    assert names_offered("", ines) == ["Tobias", "Mina"]
    assert names_offered("o", ines) == ["Tobias"]
    assert names_offered("ot", ines) == ["Otto", "Ottokar"]
    assert names_offered("TO", ines) == ["Tobias", "Otto", "Ottokar"]
    assert names_offered("", AnonymousUser()) == []


@pytest.mark.databases
def test_of_all_people_whom_the_viewer_knows_the_database_sends_only_those_to_offer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(names, "PEOPLE_SHOWN", 3)
    ines = person("Ines")
    for name in ("Anna", "Otto", "Hanna", "Johanna", "Susanna"):
        other = person(name)
        game_of(ines, other)
        profiles.follow(ines, other, is_following=True)
    blocks.block(ines, User.objects.get(username="Susanna"))
    with CaptureQueriesContext(connection) as queries:
        assert names_offered("ANN", ines) == ["Johanna", "Hanna", "Anna"]
    assert all("LIMIT 3" in one["sql"] for one in queries if "LIKE" in one["sql"])


def test_a_typo_finds_similar_names_while_one_types() -> None:
    ines = person("Ines")
    person("Tobias")
    assert names_offered("Tobais", ines) == ["Tobias"]
    assert names_offered("Tba", ines) == []


def test_names_are_limited_by_address(settings: Settings) -> None:
    person("Tobias")
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"names": "2/m/ip"}
    answers = [Client().get("/names/?name=tob").text for _letter in range(3)]
    assert ["Tobias" in answer for answer in answers] == [True, True, False]


def test_the_search_for_players_has_the_same_limit_and_says_so(settings: Settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"names": "2/m/ip"}
    Client().get("/names/?name=tob")
    answers = [Client().get("/watch/?name=tob") for _search in range(2)]
    assert [answer.status_code for answer in answers] == [200, 429]
    assert "Too many names were searched for from your network" in answers[1].text
    assert 0 < int(answers[1]["Retry-After"]) <= 60
    assert Client().get("/watch/").status_code == 200, "only searches are limited"


def test_guests_and_people_who_have_left_are_not_offered() -> None:
    ines = person("Ines")
    guest = User.objects.create(username="Amber-Comet", is_guest=True)
    gone = person("Amberley")
    game_of(ines, guest)
    game_of(ines, gone)
    User.objects.filter(pk=gone.pk).update(is_active=False)
    assert names_offered("", ines) == []
    assert names_offered("amb", ines) == []


def test_a_field_gets_the_names_for_what_somebody_has_typed() -> None:
    ines = person("Ines")
    person("Tobias")
    assert '<option value="Tobias">' in Client().get("/names/?name=tob").text
    assert '<option value="Tobias">' in client_of(ines).get("/names/?who=tob").text
    assert "option" not in client_of(ines).get("/names/?who=tob@").text
