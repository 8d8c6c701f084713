"""Profiles show results to everybody, but unlisted games only to their players."""

import re
import uuid
from datetime import timedelta
from itertools import permutations

import pytest
from bs4 import BeautifulSoup
from django.db.models import F
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts.avatars import HUES, PHASES, avatar_of
from accounts.models import User
from games.models import Block, Game, HiddenPart, ProfilePart, RatingChange, Seat
from games.queries.people.profiles import profile
from games.services.play import play as play_action
from games.titles.actions import Resign
from tests import play
from tests.clients import client_of, without_marks
from tests.games.views.review_pages import text_of

pytestmark = [pytest.mark.django_db, pytest.mark.databases]


@pytest.fixture
def game() -> Game:
    return play.play_out(play.game_of(play.person("Ines"), play.person("Tobias")))


def results_in(page: str, heading: str) -> list[int]:
    """Return how many games the only row of a table below a heading has as won, drawn and lost."""
    table = page.partition(f'id="{heading}"')[2].partition("</table>")[0]
    return [int(number) for number in re.findall(r'<td class="num[^"]*">(\d+)</td>', table)]


def test_a_profile_shows_results_and_games(client: Client, game: Game) -> None:
    play.play_out(play.solo_of(game.seats.get(number=0).user))
    page = client.get("/people/Ines/").text
    assert results_in(page, "h-record") == [int(game.winner == 0), 0, int(game.winner == 1)]
    assert "place 1 on the leaderboard" in page
    assert f'href="{game.get_absolute_url()}"' in page


def test_two_people_see_their_results_against_each_other(client: Client, game: Game) -> None:
    client.force_login(game.seats.get(number=1).user)
    page = without_marks(client.get("/people/Ines/").text)
    assert "You against Ines" in page
    assert results_in(page, "h-against") == [int(game.winner == 1), 0, int(game.winner == 0)]
    assert "You against" not in client.get("/people/Tobias/").text
    client.force_login(play.person("Mina"))
    assert "You against" not in client.get("/people/Ines/").text


def test_who_resigns_later_wins_against_who_resigned_before() -> None:
    ines, tobias, mina = (play.person(name) for name in ("Ines", "Tobias", "Mina"))
    game = play.play_some(play.game_of(ines, tobias, mina), 3)
    for seat, user in ((2, mina), (1, tobias)):
        play_action(game.key, user, Resign(seat), play.fresh(game).version + 1, uuid.uuid4())
    against = {
        (person, viewer): profile(person, viewer).head_to_head[0]
        for person, viewer in permutations((ines, tobias, mina), 2)
    }
    won = {pair: (one.won, one.drawn, one.lost) for pair, one in against.items()}
    assert won[mina, tobias] == won[mina, ines] == won[tobias, ines] == (1, 0, 0)
    assert won[tobias, mina] == won[ines, mina] == won[ines, tobias] == (0, 0, 1)


def test_a_game_that_an_opponent_has_left_is_no_best_game() -> None:
    ines, tobias = play.person("Ines"), play.person("Tobias")
    left, played_out = play.game_of(ines, tobias), play.game_of(ines, tobias)
    Game.objects.update(changes_ratings=True)
    play_action(left.key, tobias, Resign(1), 1, uuid.uuid4())
    assert RatingChange.objects.filter(game=left, mean__gt=F("mean_before"), user=ines).exists()
    play.play_out(played_out)
    best = [[summary.key for summary in profile(user, user).best] for user in (ines, tobias)]
    assert sorted(best) == [[], [played_out.key]]


def test_only_members_invite_others_to_a_game_on_their_profile(client: Client) -> None:
    ines, tobias = play.person("Ines"), play.person("Tobias")
    offer = 'href="/new/?invite=Ines"'
    assert offer not in client.get("/people/Ines/").text
    client.force_login(ines)
    assert offer not in client.get("/people/Ines/").text
    client.force_login(tobias)
    assert offer in client.get("/people/Ines/").text
    tobias.is_guest = True
    tobias.save()
    assert offer not in client.get("/people/Ines/").text


def test_unlisted_games_are_shown_only_to_their_players(client: Client) -> None:
    ines, tobias = play.person("Ines"), play.person("Tobias")
    finished = play.play_out(play.game_of(ines, tobias, is_public=False))
    running = play.game_of(ines, tobias, is_public=False)
    for viewer in (None, play.person("Mina")):
        if viewer:
            client.force_login(viewer)
        page = client.get("/people/Ines/").text
        assert finished.key not in page
        assert running.key not in page
        assert "No finished games to show yet" in page
    client.force_login(tobias)
    page = client.get("/people/Ines/").text
    assert finished.key in page
    assert running.key in page


def test_the_address_accepts_a_name_in_any_case(client: Client) -> None:
    play.person("Ines")
    assert client.get("/people/iNES/").url == "/people/Ines/"


def test_unknown_and_deleted_people_have_no_profile(client: Client) -> None:
    gone = play.person("Ines")
    gone.is_active = False
    gone.save()
    assert client.get("/people/Ines/").status_code == 404
    assert client.get("/people/nobody/").status_code == 404
    assert client.post("/people/Ines/").status_code == 405


def test_a_profile_takes_few_queries(
    client: Client, game: Game, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    client.force_login(game.seats.get(number=1).user)
    play.play_out(play.game_of(*(seat.user for seat in game.seats.order_by("number"))))
    with django_assert_max_num_queries(25):
        client.get("/people/Ines/")


def test_the_game_page_links_to_profiles(client: Client, game: Game) -> None:
    page = client.get(game.get_absolute_url()).text
    assert 'href="/people/Ines/"' in page
    assert 'href="/people/Tobias/"' in page


def test_games_on_a_profile_are_named_as_their_reader_sees_them(client: Client, game: Game) -> None:
    ines, tobias = User.objects.get(username="Ines"), User.objects.get(username="Tobias")
    running = play.game_of(ines, tobias)
    [mover] = running.seats.awaited()
    names_for = {
        None: "Ines and Tobias",
        "Mina": "Ines and Tobias",
        "Ines": "Tobias",
        "Tobias": "Ines and you",
    }
    for name, names in names_for.items():
        client.logout()
        if name:
            client.force_login(User.objects.filter(username=name).first() or play.person(name))
        page = BeautifulSoup(client.get("/people/Ines/").text, "html.parser")
        for one in (game, running):
            [link] = page.select(f'.row__go[href="{one.get_absolute_url()}"]')
            assert " ".join(link.text.split()) == names
        [turn] = page.select(".person__fold .row .small")
        assert turn.text.strip() == ("Your turn" if name == mover.name else f"{mover.name} to move")


def seen(person: User, viewer: User | None) -> str:
    client = Client() if viewer is None else client_of(viewer)
    found = re.search(r"Seen (?:today|this \w+)", text_of(client.get(f"/people/{person.username}/").text))
    return found[0] if found else ""


@pytest.mark.parametrize(
    ("days", "words"), [(0, "Seen today"), (3, "Seen this week"), (20, "Seen this month"), (40, "")]
)
def test_members_see_whether_a_person_was_here_lately_and_no_time(days: int, words: str) -> None:
    ines, tobias, mina = (play.person(name) for name in ("Ines", "Tobias", "Mina"))
    play.game_of(ines, tobias)
    Seat.objects.filter(user=ines).update(seen_at=timezone.now() - timedelta(days=days))
    assert seen(ines, mina) == words
    assert seen(ines, None) == seen(ines, ines) == ""
    User.objects.filter(pk=mina.pk).update(is_guest=True)
    assert seen(ines, mina) == "", "anybody becomes a guest with one press"


def test_nobody_sees_who_was_here_in_private_games_behind_a_block_or_with_hidden_reliability() -> None:
    ines, tobias, mina = (play.person(name) for name in ("Ines", "Tobias", "Mina"))
    play.game_of(ines, tobias, is_public=False)
    Seat.objects.filter(user=ines).update(seen_at=timezone.now())
    assert seen(ines, mina) == ""
    assert seen(ines, tobias) == "Seen today"
    block = Block.objects.create(user=ines, blocked=tobias)
    assert seen(ines, tobias) == ""
    block.delete()
    HiddenPart.objects.create(user=ines, part=ProfilePart.RELIABILITY)
    assert seen(ines, tobias) == ""


def test_each_account_has_a_moon_of_its_own_that_stays() -> None:
    moons = [avatar_of(pk) for pk in range(1, 1 + PHASES * HUES)]
    assert len(set(moons)) == len(moons)
    ines = play.person("Ines")
    assert avatar_of(ines.pk).path in Client().get("/people/Ines/").text
