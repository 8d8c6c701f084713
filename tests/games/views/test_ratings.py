"""Rated games on pages: chosen for a table, without guests and hints."""

import re
import uuid

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games.models import Game, Kind, Notification, PlayerRating, SeatOffer
from games.notifications.delivery import write_message
from games.notifications.mail import build_mail
from games.novaluna.engine import Resign
from games.services import hand_overs, invitations, tables
from games.services.errors import Conflict
from games.services.play import play
from tests.clients import client_of
from tests.play import fresh, game_of, let_wait, person

pytestmark = pytest.mark.django_db

TABLE = {
    "opponents": "people",
    "seat_count": "2",
    "level": "easy",
    "request_id": "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
}


def rated_table(opener: User, **options: object) -> Game:
    chosen = tables.TableOptions(2, is_public=True, pace="slow", changes_ratings=True, **options)
    return tables.open_table(opener, chosen)


def text_of(client: Client, path: str) -> str:
    return re.sub(r"\s+", " ", client.get(path).text)


@pytest.mark.parametrize("opponents", ["people", "bots"])
def test_the_form_stores_whether_a_game_is_rated(opponents: str) -> None:
    ines = client_of(person("Ines"))
    assert ines.post("/new/", TABLE | {"opponents": opponents, "changes_ratings": "on"}).status_code == 302
    game = Game.objects.get()
    assert game.changes_ratings
    page = text_of(ines, f"/g/{game.key}/")
    assert ("rated" if game.is_open else "Rated: the result changes the ratings of the players.") in page
    assert "?hint=1" not in page
    request = {"request_id": "6ba7b811-9dad-11d1-80b4-00c04fd430c8"}
    assert ines.post("/new/", TABLE | request | {"opponents": opponents}).status_code == 302
    assert not Game.objects.latest("pk").changes_ratings


def test_a_rated_game_against_bots_offers_and_allows_no_hints() -> None:
    ines = person("Ines")
    game = game_of(ines, bots=("easy",))
    Game.objects.filter(pk=game.pk).update(changes_ratings=True)
    let_wait(game, 0)
    response = client_of(ines).post(f"/g/{game.key}/hint/", {"number": 1})
    assert response.status_code == 409
    assert "There are no hints in rated games." in response.text


def test_visitors_need_an_account_at_a_rated_table(client: Client) -> None:
    table = rated_table(person("Ines"))
    url = f"/g/{table.key}/"
    page = text_of(client, url)
    assert "guests have none" in page
    assert "Join as a guest" not in page
    response = client.post(f"{url}join/", {"request_id": TABLE["request_id"]})
    assert response.headers["Location"].startswith("/account/login/")
    assert not User.objects.filter(is_guest=True).exists()
    assert fresh(table).is_open


def test_guests_are_refused_and_told_what_to_do() -> None:
    guest = client_of(User.objects.create_user("guest-1", is_guest=True))
    assert "changes_ratings" not in guest.get("/new/").text
    table = rated_table(person("Ines"))
    response = guest.post(f"/g/{table.key}/join/")
    assert response.status_code == 409
    assert "Please sign up, or join a table without ratings." in response.text
    assert fresh(table).is_open


def test_who_hands_over_a_seat_is_told_that_it_counts_as_last() -> None:
    ines, tobias = person("Ines"), person("Tobias")
    game = rated_table(ines)
    tables.join(game.key, tobias)
    assert "as if you had finished last" in text_of(client_of(ines), f"/g/{game.key}/hand-over/")
    other = game_of(ines, tobias)
    assert "as if you had finished last" not in text_of(client_of(ines), f"/g/{other.key}/hand-over/")


def test_seats_of_rated_games_show_ratings_before_joining_and_in_the_game(client: Client) -> None:
    ines, tobias = person("Ines"), person("Tobias")
    PlayerRating.objects.create(user=ines, mean=1612.4, deviation=45, games=30)
    table = rated_table(ines)
    url, expected = f"/g/{table.key}/", "Rating 1612 ± 90"
    assert expected in text_of(client, url)
    assert expected in text_of(client_of(ines), url)
    assert expected in text_of(client_of(tobias), "/"), "the list of open tables"
    tables.join(table.key, tobias)
    for path in (url, f"{url}text/"):
        page = text_of(client, path)
        assert expected in page
        assert "Rating 1500 ± 500, provisional" in page


def test_bots_show_their_fixed_rating_in_rated_games_only() -> None:
    ines = person("Ines")
    for is_rated in (True, False):
        game = tables.open_table(
            ines, tables.TableOptions(2, is_public=True, changes_ratings=is_rated), ("hard",)
        )
        page = text_of(client_of(ines), f"/g/{game.key}/")
        assert ("Rating 1870" in page) is is_rated
        assert ("Rating 1500 ± 500, provisional" in page) is is_rated


def test_games_without_ratings_show_those_of_people_who_have_one(client: Client) -> None:
    ines, tobias = person("Ines"), person("Tobias")
    PlayerRating.objects.create(user=ines, mean=1612.4, deviation=45, games=30)
    page = text_of(client, f"/g/{game_of(ines, tobias).key}/")
    assert "Rating 1612 ± 90" in page
    assert "provisional" not in page


def test_the_end_of_a_rated_game_shows_the_ratings_and_their_change(client: Client) -> None:
    ines, tobias = person("Ines"), person("Tobias")
    game = rated_table(ines)
    tables.join(game.key, tobias)
    play(game.key, tobias, Resign(0), 1, uuid.uuid4())
    for path in (f"/g/{game.key}/", f"/g/{game.key}/text/"):
        page = text_of(client, path)
        assert "Rating 1579, up 79" in page
        assert "Rating 1421, down 79" in page
        assert "provisional" not in page
    second = rated_table(ines)
    tables.join(second.key, tobias)
    play(second.key, tobias, Resign(0), 1, uuid.uuid4())
    assert "Rating 1579, up 79" in text_of(client, f"/g/{game.key}/"), "later games change nothing here"
    notification = Notification(game=fresh(game), user=ines, kind=Kind.OVER, version=1)
    mail = build_mail(write_message([notification]), ines, ines.email)
    assert "Rating 1579, up 79." in mail.body


def test_players_with_enough_rated_games_are_ranked_and_the_viewer_is_in_view(client: Client) -> None:
    for number in range(60):
        user = User.objects.create_user(f"Player-{number:02}")
        PlayerRating.objects.create(user=user, mean=2000 - number, deviation=40, games=10, is_listed=True)
    ines, tobias, mina = person("Ines"), person("Tobias"), person("Mina")
    PlayerRating.objects.create(user=ines, mean=1944.5, deviation=40, games=12, is_listed=True)
    PlayerRating.objects.create(user=tobias, mean=2300, deviation=160, games=4)
    first, second = (text_of(client, f"/ratings/?page={page}") for page in (1, 2))
    assert "Player-00" in first
    assert "Player-50" not in first
    assert "Player-50" in second
    for page in (first, second):
        assert "Tobias" not in page, "too few games"
    own = text_of(client_of(ines), "/ratings/")
    assert '<td class="num">57</td> <td><a href="/people/Ines/" translate="no">Ines</a>' in own
    assert 'href="?page=2">My place' in own
    provisional = text_of(client_of(tobias), "/ratings/?page=2")
    assert '<td class="num">–</td> <td><a href="/people/Tobias/" translate="no">Tobias</a>' in provisional
    assert "2300?" in provisional
    assert 'class="is-you"' not in text_of(client_of(mina), "/ratings/")


def test_the_ratings_need_the_same_queries_for_any_number_of_players(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(20):
        user = User.objects.create_user(f"Player-{number:02}")
        PlayerRating.objects.create(user=user, mean=2000 - number, deviation=40, games=10, is_listed=True)
    with django_assert_num_queries(2):
        client.get("/ratings/")


def rated(name: str, number: float) -> User:
    user = person(name)
    PlayerRating.objects.create(user=user, mean=number, deviation=45, games=30)
    return user


@pytest.mark.parametrize(
    ("fields", "stored"),
    [
        ({"least_rating": "1400", "most_rating": "1600"}, (1400, 1600)),
        ({"least_rating": "1400", "most_rating": ""}, (1400, None)),
        ({}, (None, None)),
        ({"least_rating": "1400", "opponents": "bots"}, (None, None)),
    ],
)
def test_the_form_stores_the_range_of_ratings(fields: dict[str, str], stored: tuple[int | None, ...]) -> None:
    assert client_of(person("Ines")).post("/new/", TABLE | fields).status_code == 302
    game = Game.objects.get()
    assert (game.least_rating, game.most_rating) == stored


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"least_rating": "1600", "most_rating": "1600"}, "The highest rating must be above the lowest."),
        ({"least_rating": "1601"}, "1601 is not one of the available choices."),
    ],
)
def test_impossible_ranges_are_refused(fields: dict[str, str], error: str) -> None:
    response = client_of(person("Ines")).post("/new/", TABLE | fields)
    assert response.status_code == 400
    assert error in response.text
    assert not Game.objects.exists()


@pytest.mark.parametrize("is_public", [True, False])
@pytest.mark.parametrize(
    ("options", "own", "may_join", "fact"),
    [
        ({"least_rating": 1400, "most_rating": 1600}, 1600.4, True, "rating 1400 to 1600"),
        ({"least_rating": 1400, "most_rating": 1600}, 1601, False, "rating 1400 to 1600"),
        ({"least_rating": 1400}, 1399, False, "rating 1400 or more"),
        ({"most_rating": 1600}, 1400, True, "rating 1600 or less"),
    ],
)
def test_a_table_is_for_a_range_of_ratings(
    options: dict[str, int], own: float, may_join: bool, fact: str, is_public: bool
) -> None:
    chosen = tables.TableOptions(2, is_public=is_public, pace="slow", **options)
    table = tables.open_table(person("Ines"), chosen)
    tobias, url = client_of(rated("Tobias", own)), f"/g/{table.key}/"
    assert (fact in text_of(tobias, "/")) is is_public
    page = text_of(tobias, url)
    words = "may join" if may_join else "can&#x27;t join"
    assert (
        f"For players with a {fact.replace('rating', 'rating of')}. Your rating is {own:.0f}, so you {words}."
        in page
    )
    assert ("Join the table" in page) is may_join
    response = tobias.post(f"{url}join/")
    assert response.status_code == (302 if may_join else 409)
    if not may_join:
        assert f"and your rating is {own:.0f}. Please join another table, or open your own." in response.text
    assert fresh(table).is_running is may_join


def test_people_outside_of_the_range_can_not_be_invited_or_accept() -> None:
    ines, tobias, mina = person("Ines"), rated("Tobias", 1450), rated("Mina", 1300)
    table = rated_table(ines, least_rating=1400)
    with pytest.raises(Conflict, match="The rating of Mina, 1300, is outside the range of your table"):
        invitations.invite(table.key, ines, mina)
    invitations.invite(table.key, ines, tobias)
    PlayerRating.objects.filter(user=tobias).update(mean=1390)
    page = text_of(client_of(tobias), f"/g/{table.key}/")
    assert "Your rating is 1390, so you can&#x27;t join." in page
    assert ">Accept<" not in page
    assert ">Decline<" in page
    with pytest.raises(Conflict, match="rated 1400 or more, and your rating is 1390"):
        tables.join(table.key, tobias)


def test_new_players_join_by_their_first_rating_and_guests_not_at_all(client: Client) -> None:
    table = tables.open_table(
        person("Ines"), tables.TableOptions(2, is_public=True, pace="slow", most_rating=1500)
    )
    assert "For players with a rating of 1500 or less." in text_of(client, f"/g/{table.key}/")
    guest = User.objects.create_user("guest-1", is_guest=True)
    with pytest.raises(Conflict, match="Guests have no rating"):
        tables.join(table.key, guest)
    tables.join(table.key, person("Tobias"))
    assert fresh(table).is_running


def test_a_rematch_is_for_the_same_people_whatever_their_ratings_are_now() -> None:
    ines, tobias = person("Ines"), person("Tobias")
    table = rated_table(ines, least_rating=1500)
    tables.join(table.key, tobias)
    play(table.key, tobias, Resign(0), 1, uuid.uuid4())
    again = tables.rematch(table.key, ines)
    tables.join(again.key, tobias)
    assert fresh(again).is_running
    assert fresh(again).changes_ratings


def test_an_offered_seat_is_for_the_same_ratings() -> None:
    ines, tobias, noor = person("Ines"), person("Tobias"), rated("Noor", 1300)
    table = rated_table(ines, least_rating=1500)
    tables.join(table.key, tobias)
    hand_overs.offer(table.key, tobias, is_public=False)
    with pytest.raises(Conflict, match="your rating is 1300"):
        hand_overs.take(SeatOffer.objects.get().key, noor)
