"""The solo leaderboards: the best game or the average of each player, over several periods."""

from datetime import timedelta

import pytest
from bs4 import BeautifulSoup
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games.models import Game, SoloResult, Standing
from games.queries.standings import Leader, leaderboard, leaderboard_of, solo_standing
from games.services.projections.standings import rebuild_standings
from tests.clients import client_of, without_marks
from tests.play import fresh, game_of, person, play_out, score_of, solo_of

pytestmark = [pytest.mark.django_db, pytest.mark.databases]

BOARD = "/solo/leaderboard/"


def names(rows: list[Leader]) -> list[str]:
    return [row.name for row in rows]


def rows_of(client: Client, query: str = "", path: str = BOARD) -> list[str]:
    """Return the texts of the rows that the page shows."""
    page = client.get(f"{path}{query}")
    assert page.status_code == 200
    table = BeautifulSoup(page.content, "html.parser").select("main tbody tr")
    return [" ".join(row.get_text(" ").split()) for row in table]


def change_score(game: Game, score: int) -> None:
    """Store another score of a finished solo game than its log gives."""
    Game.objects.filter(pk=game.pk).update(score=score)
    SoloResult.objects.filter(game=game).update(score=score)
    rebuild_standings(game.seats.get().user)


def test_the_leaderboard_shows_the_best_score_of_each_player_in_order(ines: User) -> None:
    tobias = person("Tobias")
    games = {
        user: min((play_out(solo_of(user), seed) for seed in seeds), key=lambda game: game.score)
        for user, seeds in ((ines, (1, 2, 3)), (tobias, (4, 5)))
    }
    leaders = leaderboard(ines, leaderboard_of()).leaders
    assert [(row.name, row.score, row.url) for row in leaders] == sorted(
        ((user.username, game.score, game.get_absolute_url()) for user, game in games.items()),
        key=lambda row: row[1],
    )
    assert {row.name: row.is_you for row in leaders} == {"Ines": True, "Tobias": False}


def test_of_equal_scores_fewer_tiles_are_first_and_then_the_earlier_game(ines: User) -> None:
    now = score_of(ines, 95, tiles=20).ended_at
    score_of(person("Ada"), 95, tiles=20, ended_at=now - timedelta(seconds=1))
    score_of(person("Bea"), 95, tiles=19)
    score_of(person("Cleo"), 90, tiles=25)
    score_of(person("Dora"), 101, tiles=15)
    everybody = ["Cleo", "Bea", "Ada", "Ines", "Dora"]
    assert names(leaderboard(ines, leaderboard_of()).leaders) == everybody
    assert solo_standing(ines).rank == 4
    pages = [leaderboard(ines, leaderboard_of(), page, size=2) for page in (1, 2, 3)]
    assert [[row.rank for row in page.leaders] for page in pages] == [[1, 2], [3, 4], [5]]
    assert [(page.own.rank, page.own_page) for page in pages if page.own] == [(4, 2), (4, 2)]


def test_boards_of_the_day_the_week_and_the_month_count_games_that_ended_then(
    ines: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = score_of(ines, 120).ended_at.replace(year=2026, month=10, day=14, hour=12)  # a Wednesday
    monkeypatch.setattr("django.utils.timezone.now", lambda: now)
    Standing.objects.all().delete()
    for name, days, score in (("Ada", 0, 110), ("Bea", 1, 105), ("Cleo", 5, 100), ("Dora", 20, 95)):
        score_of(person(name), score, ended_at=now - timedelta(days=days))
    shown = {
        period: names(leaderboard(ines, leaderboard_of(period)).leaders) for period in Standing.Period.values
    }
    assert shown == {
        "day": ["Ada"],
        "week": ["Bea", "Ada"],
        "month": ["Cleo", "Bea", "Ada"],
        "all": ["Dora", "Cleo", "Bea", "Ada"],
    }


def test_the_average_needs_ten_results(client: Client, ines: User) -> None:
    tobias = person("Tobias")
    for nth in range(10):
        score_of(ines, 100 + nth)
    for _nth in range(9):
        score_of(tobias, 80)
    assert rows_of(client, "?measure=average") == ["1 Ines 20 10 104.50"]
    assert [row.split()[1] for row in rows_of(client)] == ["Tobias", "Ines"]
    assert rows_of(client, "?measure=average&period=day") == ["1 Ines 20 10 104.50"]


def test_my_own_row_is_always_in_view(ines: User) -> None:
    for nth in range(51):
        score_of(User.objects.create(username=f"Player{nth}"), 90)
    score_of(ines, 120)
    mine = client_of(ines)
    first = rows_of(mine)
    assert len(first) == 51
    assert first[-1].startswith("52 Ines you")
    assert len(rows_of(Client())) == 50
    assert "page=2" in mine.get(BOARD).text
    assert [row.split()[:2] for row in rows_of(mine, "?page=2")] == [["51", "Player50"], ["52", "Ines"]]
    assert rows_of(mine, path="/solo/")[-1].startswith("52 Ines you")


def test_a_guest_sees_their_place_and_nobody_else_does(client: Client, ines: User) -> None:
    guest = User.objects.create_user("Amber-Comet", is_guest=True)
    score_of(guest, 90)
    score_of(ines, 95)
    assert [row.split()[1] for row in rows_of(client)] == ["Ines"]
    assert [row.split()[1] for row in rows_of(client_of(guest))] == ["Ines"]
    assert "With an account, you would be in place 1." in client_of(guest).get(BOARD).text
    assert "place 1 on the leaderboard" in client.get("/people/Ines/").text
    assert "on the leaderboard" not in client.get("/people/Amber-Comet/").text


def test_a_player_with_another_name_keeps_their_place(client: Client, ines: User) -> None:
    score_of(ines, 90)
    ines.username = "Inez"
    ines.save()
    assert [row.split()[1] for row in rows_of(client)] == ["Inez"]


def test_unfinished_and_other_games_are_not_on_the_leaderboard(ines: User) -> None:
    solo_of(ines)
    play_out(game_of(ines, person("Tobias")))
    assert leaderboard(ines, leaderboard_of()).leaders == []
    assert solo_standing(ines) is None


def test_anybody_can_follow_the_links_to_the_games(ines: User) -> None:
    game = play_out(solo_of(ines))
    page = Client().get(BOARD)
    assert game.get_absolute_url() in page.text
    assert str(fresh(game).score) in page.text
    assert Client().get(game.get_absolute_url()).status_code == 200
    for odd in ("page=0", "page=999", "page=x", "period=x&measure=y", "period=&measure="):
        assert len(rows_of(Client(), f"?{odd}")) == 1


@pytest.mark.parametrize("path", [BOARD, f"{BOARD}?measure=average&period=week", "/solo/", "/people/Ines/"])
def test_pages_take_the_same_queries_however_many_results_there_are(
    ines: User, path: str, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for nth in range(11):
        score_of(User.objects.create(username=f"Player{nth}"), 100)
        score_of(ines, 120)
    client = client_of(ines)
    client.get(path)
    with CaptureQueriesContext(connection) as before:
        client.get(path)
    for nth in range(11, 22):
        score_of(User.objects.create(username=f"Player{nth}"), 100)
        score_of(ines, 120)
    with django_assert_num_queries(len(before)):
        client.get(path)


def test_a_finished_solo_game_says_what_it_is_worth_and_what_to_beat() -> None:
    ines, tobias = person("Ines"), person("Tobias")
    best, later, other = (play_out(solo_of(user), seed) for seed, user in enumerate((ines, ines, tobias)))
    for game, score in ((best, 99), (later, 108), (other, 95)):
        change_score(game, score)
    page = client_of(ines).get(f"/g/{best.key}/").text
    assert "Below 100: a great score." in page
    assert "It is your best score so far, by 9 points." in page
    assert "Tobias leads the leaderboard with 95." in without_marks(page)
    page = client_of(ines).get(f"/g/{later.key}/").text
    assert "A score below 100 is great. You need 9 points less." in page
    assert "To beat: 99, the best of your other games." in page
    assert "You lead the leaderboard." in client_of(tobias).get(f"/g/{other.key}/").text
    assert "great" not in client_of(ines).get(f"/g/{other.key}/").text  # It is not their game.
