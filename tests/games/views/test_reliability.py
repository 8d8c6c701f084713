"""Reliability on pages: of players, and as what a table asks of those who join."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.models import Attendance, Game
from games.services import invitations, tables
from games.services.errors import Conflict
from tests.clients import client_of
from tests.play import fresh, game_of, person, play_out

pytestmark = pytest.mark.django_db

TABLE = {
    "opponents": "people",
    "seat_count": "2",
    "level": "easy",
    "request_id": "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
}


def player(name: str, finished: int, counted: int) -> User:
    """Return a person with games that are over, of which they have finished some, and answers of 5 hours."""
    user = person(name)
    games = Game.objects.bulk_create(
        Game(seat_count=2, goal_discs=20, status=Game.Status.OVER) for _game in range(counted)
    )
    for number, game in enumerate(games):
        Attendance.objects.create(
            game=game,
            user=user,
            ended_at=timezone.now() - timedelta(days=number),
            has_finished=number < finished,
            answers=[5 * 3600],
        )
    return user


def table_for(percent: int, opener: User) -> Game:
    return tables.open_table(
        opener, tables.TableOptions(2, is_public=True, pace="slow", least_reliability=percent)
    )


def text_of(client: Client, path: str) -> str:
    return re.sub(r"\s+", " ", client.get(path).text)


def test_the_profile_shows_finished_games_and_the_usual_time_of_an_answer(client: Client) -> None:
    player("Ines", 19, 20)
    page = text_of(client, "/people/Ines/")
    assert "plays 95% to the end" in page
    assert "<dd> 19 of the latest 20 games </dd>" in page
    assert '<b class="num">5 hours</b>' in page
    person("Tobias")
    assert "Reliability" not in text_of(client, "/people/Tobias/")


def test_a_finished_game_shows_on_both_profiles(client: Client) -> None:
    play_out(game_of(player("Ines", 4, 4), player("Tobias", 3, 3), is_public=False))
    assert "<dd> 5 of the latest 5 games </dd>" in text_of(client, "/people/Ines/")
    page = text_of(client, "/people/Tobias/")
    assert "<dd> 4 of 4 games so far </dd>" in page
    assert "Usually answers" not in page
    assert "less than a minute" in page


def test_seats_show_how_reliable_people_are(client: Client) -> None:
    ines, tobias = player("Ines", 19, 20), player("Tobias", 2, 3)
    table = table_for(0, ines)
    url = f"/g/{table.key}/"
    expected = "Finishes 95% of games, answers in 5 hours"
    assert expected in text_of(client, url), "visitors see it before they sit down"
    assert expected in text_of(client_of(ines), url)
    tables.join(table.key, tobias)
    for path in (url, f"{url}text/"):
        page = text_of(client, path)
        assert expected in page, path
        assert "New player, finished 2 of 3 games so far, answers in 5 hours" in page


def test_games_with_bots_and_finished_games_show_no_reliability(client: Client) -> None:
    ines = player("Ines", 19, 20)
    for game in (game_of(ines, bots=("easy",)), play_out(game_of(ines, person("Tobias")))):
        assert "Finishes" not in text_of(client, f"/g/{game.key}/")


@pytest.mark.parametrize(
    ("fields", "stored"),
    [({"least_reliability": "90"}, 90), ({}, 0), ({"least_reliability": "90", "opponents": "bots"}, 0)],
)
def test_the_form_stores_the_reliability_that_a_table_asks_for(fields: dict[str, str], stored: int) -> None:
    assert client_of(person("Ines")).post("/new/", TABLE | fields).status_code == 302
    assert Game.objects.get().least_reliability == stored


def test_unknown_reliabilities_are_refused() -> None:
    assert client_of(person("Ines")).post("/new/", TABLE | {"least_reliability": "99"}).status_code == 400
    assert not Game.objects.exists()


@pytest.mark.parametrize(
    ("finished", "counted", "may_join", "reason"),
    [
        (18, 20, True, "You finished 18 of your latest 20, so you may join."),
        (17, 20, False, "You finished 17 of your latest 20, so you can&#x27;t join."),
        (0, 4, True, "You may join, because you are new"),
        (4, 5, False, "You finished 4 of your latest 5, so you can&#x27;t join."),
    ],
)
def test_a_table_asks_for_reliable_players_and_allows_new_ones(
    finished: int, counted: int, may_join: bool, reason: str
) -> None:
    table = table_for(90, player("Ines", 10, 20))
    tobias = client_of(player("Tobias", finished, counted))
    url = f"/g/{table.key}/"
    assert "needs 90% finished games" in text_of(tobias, "/")
    page = text_of(tobias, url)
    assert "For players who finish 90% of their games." in page
    assert reason in page
    assert ("Join the table" in page) is may_join
    response = tobias.post(f"{url}join/")
    assert response.status_code == (302 if may_join else 409)
    if not may_join:
        assert f"you finished {finished} of your latest {counted}. Please join another table" in response.text
    assert fresh(table).is_running is may_join


def test_visitors_may_join_as_guests_and_are_told(client: Client) -> None:
    table = table_for(90, person("Ines"))
    page = text_of(client, f"/g/{table.key}/")
    assert "New players may join too." in page
    assert "Join as a guest" in page


def test_people_whom_the_opener_invites_need_no_reliability() -> None:
    ines, tobias = person("Ines"), player("Tobias", 1, 20)
    table = table_for(90, ines)
    with pytest.raises(Conflict, match="finished 1 of your latest 20"):
        tables.join(table.key, tobias)
    invitations.invite(table.key, ines, tobias)
    page = text_of(client_of(tobias), f"/g/{table.key}/")
    assert "For players who" not in page
    assert "Accept" in page
    tables.join(table.key, tobias)
    assert fresh(table).is_running


def test_a_rematch_asks_for_the_same_reliability() -> None:
    ines, tobias = person("Ines"), person("Tobias")
    table = table_for(80, ines)
    tables.join(table.key, tobias)
    assert tables.rematch(play_out(fresh(table)).key, tobias).least_reliability == 80
