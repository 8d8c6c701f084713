"""The solo leaderboard: the best finished game of each player."""

import uuid

import pytest
from django.test import Client

from accounts.models import User
from games.engine import Resign
from games.models import Game
from games.queries.standings import leaderboard, personal_best
from games.services.play import play
from tests.clients import client_of
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


def test_a_finished_solo_game_says_what_it_is_worth_and_what_to_beat() -> None:
    ines, tobias = person("Ines"), person("Tobias")
    best, later, other = (play_out(solo_of(user), seed) for seed, user in enumerate((ines, ines, tobias)))
    for game, score in ((best, 99), (later, 108), (other, 95)):
        Game.objects.filter(pk=game.pk).update(score=score)
    page = client_of(ines).get(f"/g/{best.key}/").text
    assert "Below 100: a great score." in page
    assert "It is your best score so far, by 9 points." in page
    assert "Tobias leads the leaderboard with 95." in page
    page = client_of(ines).get(f"/g/{later.key}/").text
    assert "A score below 100 is great: that is 9 points less." in page
    assert "To beat: 99, the best of your other games." in page
    assert "You lead the leaderboard." in client_of(tobias).get(f"/g/{other.key}/").text
    assert "great" not in client_of(ines).get(f"/g/{other.key}/").text  # It is not their game.
