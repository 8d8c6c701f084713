"""What a profile shows, what its owner hides, and whom people follow on the leaderboards."""

import re
from datetime import timedelta

import pytest
from bs4 import BeautifulSoup
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.models import Block, Follow, Game, PlayerRating, ProfilePart, RatingChange
from tests.clients import client_of, without_marks
from tests.play import game_of, person, play_out, score_of

pytestmark = pytest.mark.django_db

# What only this part of the profile of Ines shows.
MARKS = {
    ProfilePart.RATING: ("A chart of the rating after", "1631"),
    ProfilePart.RESULTS: ("h-record",),
    ProfilePart.SOLO: ("h-solo", "Scores over time", "How often each score"),
    ProfilePart.RELIABILITY: ("h-reliability", "Played to the end"),
    ProfilePart.BEST: ("h-best",),
    ProfilePart.RUNNING: ("h-running", "Games in progress"),
    ProfilePart.FINISHED: ("h-finished",),
    ProfilePart.AGAINST: ("You against Ines",),
}


@pytest.fixture
def ines() -> User:
    """Return a person with something to show in every part of the profile."""
    ines, tobias = person("Ines"), person("Tobias")
    finished = play_out(game_of(ines, tobias))
    game_of(ines, tobias)
    for number in range(12):
        score_of(ines, 100 + number, ended_at=timezone.now() - timedelta(days=number))
    PlayerRating.objects.create(user=ines, mean=1631, deviation=80, games=12, is_listed=True)
    for number, game in enumerate([finished, *Game.objects.solo().order_by("pk")[:3]]):
        RatingChange.objects.create(
            game=game,
            user=ines,
            seat=0,
            place=1,
            has_left=False,
            ended_at=timezone.now() - timedelta(days=9 - number),
            mean_before=1500 + number,
            deviation_before=100,
            mean=1560 + number,
            deviation=99,
            games=number + 1,
            model="openskill 6, Plackett-Luce",
        )
    return ines


def text_of(client: Client, path: str) -> str:
    return re.sub(r"\s+", " ", without_marks(client.get(path).text))


def test_a_profile_shows_every_part(ines: User) -> None:
    page = text_of(client_of(User.objects.get(username="Tobias")), "/people/Ines/")
    for part, marks in MARKS.items():
        for mark in marks:
            assert mark in page, part
    assert '<b>1631</b> <span class="muted">± 160</span>' in page
    assert "place 1 of all ratings" in page
    assert "A chart of the rating after each of the latest 4 games. The highest in it is 1563;" in page
    assert "in 12 games, from 100 to" in page
    best = page[page.index("h-best") : page.index("h-reliability")]
    assert best.index("Score 100") < best.index("Score 101") < best.index("Score 102")
    assert "Score 103" not in best
    assert Game.objects.multiplayer().over().get().key in best


def test_the_counts_of_games_add_up(ines: User, client: Client) -> None:
    tobias = User.objects.get(username="Tobias")
    page = text_of(client, "/people/Ines/")
    assert 'Finished games <span class="muted small num">1</span>' in page
    assert "not count," not in page
    for _number in range(2):
        with_hints = play_out(game_of(ines, tobias))
        Game.objects.filter(pk=with_hints.pk).update(is_without_hints=False)
    page = text_of(client, "/people/Ines/")
    assert 'Finished games <span class="muted small num">3</span>' in page
    assert "2 finished games do not count: they had hints or moves taken back, were cancelled," in page
    client_of(ines).post(
        "/account/profile/",
        {"is_whole": "True", "shown": [part for part in ProfilePart.values if part != ProfilePart.FINISHED]},
    )
    assert "not counted here" not in text_of(client, "/people/Ines/")


@pytest.mark.parametrize("part", ProfilePart.values)
def test_its_owner_hides_each_part_from_everybody_else(ines: User, part: str, client: Client) -> None:
    own, tobias = client_of(ines), client_of(User.objects.get(username="Tobias"))
    shown = [other for other in ProfilePart.values if other != part]
    response = own.post("/account/profile/", {"is_whole": "True", "shown": shown})
    assert response.status_code == 302
    for viewer in (client, tobias):
        page = text_of(viewer, "/people/Ines/")
        for mark in MARKS[ProfilePart(part)]:
            assert mark not in page
        others = [
            mark for other in shown if other != ProfilePart.AGAINST for mark in MARKS[ProfilePart(other)]
        ]
        for mark in others:
            assert mark in page
    page = text_of(own, "/people/Ines/")
    if part != ProfilePart.AGAINST:
        assert MARKS[ProfilePart(part)][0] in page
        assert page.count("only you see this") == 1
    own.post("/account/profile/", {"is_whole": "True", "shown": ProfilePart.values})
    assert MARKS[ProfilePart(part)][0] in text_of(tobias, "/people/Ines/")


@pytest.mark.parametrize("body", [{}, {"shown": "rating"}, {"is_whole": "True", "shown": "secrets"}])
def test_a_damaged_request_hides_nothing(ines: User, body: dict[str, str]) -> None:
    assert client_of(ines).post("/account/profile/", body).status_code == 400
    assert not ines.hidden_parts.exists()


def test_a_profile_without_games_says_so_and_offers_nothing_to_visitors(client: Client) -> None:
    person("Mina")
    page = text_of(client, "/people/Mina/")
    assert "No finished games to show yet." in page
    assert ">Follow<" not in page
    assert client.post("/people/Mina/follow/", {"is_following": "True"}).status_code == 302
    assert not Follow.objects.exists()


def test_people_follow_and_stop_following() -> None:
    ines, _tobias = person("Ines"), person("Tobias")
    own = client_of(ines)
    for _press in range(2):
        assert own.post("/people/Tobias/follow/", {"is_following": "True"}).url == "/people/Tobias/"
    assert "Stop following" in text_of(own, "/people/Tobias/")
    assert 'href="/people/Tobias/"' in text_of(own, "/account/profile/")
    done = own.post("/people/Tobias/follow/", {"is_following": "False", "to_list": "on"})
    assert done.url == "/account/profile/"
    assert "You follow nobody yet." in text_of(own, "/account/profile/")
    assert not Follow.objects.exists()


def test_nobody_can_follow_themselves_and_a_damaged_request_changes_nothing() -> None:
    own = client_of(person("Ines"))
    assert (
        "You can&#x27;t follow yourself."
        in own.post("/people/Ines/follow/", {"is_following": "True"}, follow=True).text
    )
    person("Tobias")
    own.post("/people/Tobias/follow/", {"is_following": "perhaps"})
    assert not Follow.objects.exists()
    assert own.get("/people/Tobias/follow/").status_code == 405


def test_only_the_follower_sees_whom_they_follow() -> None:
    ines, tobias = person("Ines"), person("Tobias")
    Follow.objects.create(user=ines, followed=tobias)
    other = client_of(tobias)
    for path in ("/people/Ines/", "/people/Tobias/", "/account/profile/", "/ratings/?people=followed"):
        page = text_of(other, path)
        assert "Stop following" not in page
    assert "Ines" not in text_of(other, "/account/profile/")


def test_leaderboards_can_show_only_the_viewer_and_those_whom_they_follow(client: Client) -> None:
    ines, tobias, mina, noor = (person(name) for name in ("Ines", "Tobias", "Mina", "Noor"))
    for place, user in enumerate((mina, tobias, noor, ines)):
        score_of(user, 90 + place)
        PlayerRating.objects.create(user=user, mean=1700 - place, deviation=50, games=20, is_listed=True)
    Follow.objects.create(user=ines, followed=tobias)
    own = client_of(ines)
    for path in ("/solo/leaderboard/?kind=free&measure=best&period=all", "/ratings/?page=1"):
        everybody, followed = text_of(own, path), text_of(own, f"{path}&people=followed")
        for name in ("Mina", "Tobias", "Noor", "Ines"):
            assert f'href="/people/{name}/" translate="no">{name}<' in everybody
        assert "/people/Mina/" not in followed
        assert "/people/Noor/" not in followed
        for place, name in ((1, "Tobias"), (2, "Ines")):
            assert f'<td class="num">{place}</td> <td><a href="/people/{name}/" translate="no">' in followed
        assert "People I follow" not in text_of(client, path)
        assert "Nobody here yet." in text_of(client, f"{path}&people=followed")


def test_the_links_of_the_leaderboards_keep_the_filter() -> None:
    page = text_of(client_of(person("Ines")), "/solo/leaderboard/?people=followed")
    assert page.count("&amp;people=followed") >= 6
    assert "/ratings/?people=followed" in page


def test_best_games_that_are_not_listed_show_only_to_their_players(ines: User, client: Client) -> None:
    game = Game.objects.multiplayer().over().get()
    Game.objects.filter(pk=game.pk).update(is_public=False)
    assert game.key not in client.get("/people/Ines/").text
    assert game.key in client_of(User.objects.get(username="Tobias")).get("/people/Ines/").text


def test_players_are_followed_from_the_menu_of_their_game() -> None:
    game, noor = game_of(person("Ines"), person("Tobias")), person("Noor")
    path = game.get_absolute_url()
    client = client_of(noor)

    def ways(of: Client) -> list[str]:
        buttons = BeautifulSoup(of.get(path).text, "html.parser").select("#about [name=is_following]")
        return [" ".join(button.text.split()) for button in buttons]

    assert ways(client) == ["Follow Ines", "Follow Tobias"]
    assert ways(client_of(User.objects.get(username="Ines"))) == ["Follow Tobias"]
    assert ways(Client()) == []
    answer = client.post("/people/Ines/follow/", {"is_following": "True", "game": game.key})
    assert answer.headers["Location"] == path
    assert ways(client) == ["Stop following Ines", "Follow Tobias"]
    Block.objects.create(user=User.objects.get(username="Tobias"), blocked=noor)
    assert ways(client) == ["Stop following Ines"]
    answer = client.post("/people/Ines/follow/", {"is_following": "False", "game": "../x"})
    assert answer.headers["Location"] == "/people/Ines/", "a wrong key leads nowhere else"
