"""The solo leaderboard: the best finished game of each player."""

import uuid

import pytest
from django.test import Client

from accounts.models import User
from games.engine import Resign
from games.models import Game
from games.queries.standings import leaderboard, personal_best
from games.services.play import play
from tests.play import fresh, game_of, person, play_out, solo_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def ines() -> User:
    return person("Ines")


def test_the_leaderboard_shows_the_best_score_of_each_player_in_order(ines: User) -> None:
    tobias = person("Tobias")
    scores = {
        user: min(play_out(solo_of(user), seed).score for seed in seeds)
        for user, seeds in ((ines, (1, 2, 3)), (tobias, (4, 5)))
    }
    leaders, _page = leaderboard(ines)

    assert [(row.name, row.score) for row in leaders] == sorted(
        ((user.username, score) for user, score in scores.items()), key=lambda row: row[1]
    )
    assert {row.name: row.is_you for row in leaders} == {"Ines": True, "Tobias": False}
    assert all(row.tiles > 10 for row in leaders)
    assert personal_best(ines) == scores[ines]


def test_equal_scores_share_a_rank_across_pages(ines: User) -> None:
    games = [play_out(solo_of(person(name)), 3) for name in ("Ada", "Bea", "Cleo", "Dora")]
    for game, score in zip(games, (90, 95, 95, 101), strict=True):
        Game.objects.filter(pk=game.pk).update(score=score)
    assert [row.rank for row in leaderboard(ines, size=10)[0]] == [1, 2, 2, 4]
    assert [row.rank for row in leaderboard(ines, page=2, size=2)[0]] == [2, 4]


def test_unfinished_and_other_games_are_not_on_the_leaderboard(ines: User) -> None:
    given_up = solo_of(ines)
    play(given_up.key, ines, Resign(0), 1, uuid.uuid4())
    solo_of(ines)
    play_out(game_of(ines, person("Tobias")))
    assert leaderboard(ines)[0] == []
    assert personal_best(ines) is None


def test_anybody_can_follow_the_links_to_the_games(ines: User) -> None:
    game = play_out(solo_of(ines))
    page = Client().get("/solo/leaderboard/")
    assert page.status_code == 200
    assert game.get_absolute_url() in page.text
    assert str(fresh(game).score) in page.text
    assert Client().get(game.get_absolute_url()).status_code == 200
    for odd in ("0", "999", "x"):
        assert Client().get("/solo/leaderboard/", {"page": odd}).status_code == 200
