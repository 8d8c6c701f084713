"""The site offers only what one of its titles can do."""

import pytest

from games.models import DailyDeal
from games.tasks import sweep
from games.titles import registry
from tests.clients import client_of
from tests.play import person
from tests.titles.site import forget_parts

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
def _only_pairs(pairs: None) -> None:
    """Leave Pairs as the only title of the site; `pairs` brings the others back."""
    del registry._titles["novaluna"]
    forget_parts()


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
