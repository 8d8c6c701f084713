"""Pages of a site that has stored games of a title which is not installed any more."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.test import Client

from accounts.models import User
from games.models import TrainingPosition, today
from games.services import tables
from games.services.play import play
from games.services.tables import duplicates
from games.titles.actions import Resign
from tests.clients import client_of
from tests.play import game_of, match_of, person, play_out, score_of
from tests.titles import site
from tests.titles.play import pairs_game

pytestmark = pytest.mark.django_db

NAMES = ("Ines", "Tobias", "Mina", "Noor")
OF_TALENTS = ("/trainer/", "/solo/", "/daily/", "/learn/", "/rules/")
LISTS = ("/", "/finished/", "/people/Ines/", "/people/Tobias/", "/ratings/", "/account/profile/")


@pytest.fixture
def users() -> list[User]:
    return [person(name) for name in NAMES]


@contextmanager
def without_novaluna() -> Iterator[None]:
    """Offer Pairs only, after games of Nova Luna were stored."""
    with site.installed(site.PAIRS), site.offering_only("pairs"):
        yield


def lists(viewer: User) -> dict[str, str]:
    """Return the pages that list games, by address."""
    client = client_of(viewer)
    answers = {path: client.get(path) for path in LISTS}
    assert {path: answer.status_code for path, answer in answers.items()} == dict.fromkeys(LISTS, 200)
    return {path: answer.text for path, answer in answers.items()}


def test_lists_show_games_of_a_removed_title_by_its_key(users: list[User]) -> None:
    with site.installed(site.PAIRS):
        options = tables.TableOptions(4, title="pairs", is_public=True, pace="day", changes_ratings=True)
        table = tables.open_table(users[1], options, bots=["easy", "medium"])
        running, over = pairs_game(*users), pairs_game(*users)
        play(over.key, users[0], Resign(-1), 1, uuid.uuid4())
        game_of(*users[:2])
    pages = [lists(user)["/"] for user in users[:2]]
    for home in [Client().get("/").text, *pages]:
        assert table.key in home
    assert all(game.key in home for home in pages for game in (running, over))


def test_lists_show_games_of_nova_luna_after_its_removal(users: list[User]) -> None:
    ines, tobias, *_others = users
    game, over = game_of(ines, tobias), play_out(game_of(ines, tobias))
    options = tables.TableOptions(3, is_public=True, pace="day", changes_ratings=True)
    tables.open_table(tobias, options, ["hard"])
    [first, *_tables] = match_of(ines, tobias)
    waiting = duplicates.open_match(tobias, 2, 2, pace="day", is_public=True)
    score_of(ines, 90)
    TrainingPosition.objects.create(
        user=ines, game=over, number=1, cost=2.0, due_on=today(), judgement={"answers": [], "line": []}
    )
    assert "/trainer/" in lists(ines)["/"]
    with without_novaluna():
        pages = lists(ines)
        assert all(listed.key in pages["/"] for listed in (game, over, first, waiting))
        assert client_of(ines).get(waiting.get_absolute_url()).status_code == 503
        for path, page in pages.items():
            assert not [link for link in OF_TALENTS if f'"{link}' in page], path
        assert client_of(ines).get("/trainer/").status_code == 404
