"""The site offers only what one of its titles can do."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from games.models import DailyDeal
from games.tasks import sweep
from games.titles import registry
from games.titles.talents import Talent
from tests.clients import client_of
from tests.play import person
from tests.titles.play import choose, dealt_pairs, pairs_game
from tests.titles.site import offering_only

pytestmark = pytest.mark.django_db

OF_TALENTS = (
    "/solo/",
    "/solo/leaderboard/",
    "/daily/",
    "/daily/2026-06-01/",
    "/duplicates/new/",
    "/learn/",
    "/rules/",
)


@pytest.fixture
def _only_pairs(pairs: None) -> Iterator[None]:
    """Let the site offer only Pairs, without matches."""
    with offering_only("pairs"):
        registry.register(replace(registry.TITLES["pairs"], talents=frozenset({Talent.PLANS})))
        yield


@pytest.mark.usefixtures("_only_pairs")
def test_pages_of_talents_that_no_title_has_do_not_exist() -> None:
    client = client_of(person("Ines"))
    for path in OF_TALENTS:
        assert client.get(path).status_code == 404, path
    home = client.get("/").text
    assert "/new/" in home
    assert not [path for path in OF_TALENTS if f'"{path}"' in home]
    assert not [path for path in ("/solo/start/", "/daily/start/") if f'"{path}"' in home]
    for path in ("/solo/start/", "/daily/start/"):
        assert client.post(path).status_code == 404
    sweep()
    assert not DailyDeal.objects.exists()


def test_pages_of_talents_exist_beside_a_title_without_them(pairs: None) -> None:
    client = client_of(person("Ines"))
    for path in OF_TALENTS:
        assert client.get(path).status_code == (404 if "2026" in path else 200), path
    home = client.get("/").text
    assert '"/solo/"' in home
    assert '"/rules/"' in home


def test_a_title_without_plans_offers_none(pairs: None) -> None:
    users = [person(name) for name in ("Ines", "Tobias", "Mina", "Noor")]
    with dealt_pairs():
        game = pairs_game(*users)
    client = client_of(users[0])
    choose(game, users[0], 3)
    pages = [f"/g/{game.key}/", f"/g/{game.key}/text/"]
    assert all("Plan my turn" in client.get(page).text for page in pages)
    registry.register(replace(registry.TITLES["pairs"], talents=frozenset()))
    assert not any("Plan my turn" in client.get(f"{page}?plan=1").text for page in pages)
    for page in pages:
        assert client.post(f"{page}plan/", {"number": 2, "wishes": ""}).status_code == 404


def test_settings_speak_of_a_title_only_if_the_site_offers_no_other() -> None:
    client = client_of(person("Ines"))
    assert "press 1 to 3 to choose a tile" not in client.get("/account/settings/").text
    with offering_only("novaluna"):
        assert "press 1 to 3 to choose a tile" in client.get("/account/settings/").text
