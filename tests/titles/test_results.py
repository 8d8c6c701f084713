"""Results of a title with sides and hands: places, ratings, lists, feeds, records and the admin."""

import json
import uuid
from collections.abc import Mapping, Sequence
from io import StringIO
from unittest import mock

import pytest
from django.core.management import call_command
from django.test import Client

from accounts.models import User
from games.models import Game, PlayerRating, RatingChange, Seat
from games.notifications.kind import describe_score
from games.queries.feeds import feed_urls
from games.queries.people.head_to_head import HeadToHead
from games.queries.people.profiles import profile
from games.services import tables
from games.services.play import cancel, lock_game, play
from games.titles.actions import Resign
from tests.clients import client_of, without_marks
from tests.play import fresh, game_of, person, play_out
from tests.titles.pairs.rules import Choose, PairsRules
from tests.titles.pairs.words import PairsWords

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("pairs", "_known_hands")]

NAMES = ("Ines", "Tobias", "Mina", "Noor")
HANDS = ([1, 6, 7], [2, 3, 5], [1, 6, 7], [2, 3, 5])
WON_BY_INES_AND_MINA = (7, 2, 6, 3)  # 13 against 5
LEVEL = (1, 2, 6, 5)  # 7 against 7


@pytest.fixture
def _known_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deal the same hands in each game of Pairs."""

    def deal(*_args: object) -> Mapping[str, object]:
        return {"hands": [list(hand) for hand in HANDS], "bonuses": [4]}

    monkeypatch.setattr(PairsRules, "deal", deal)


def pairs_of(*users: User, rated: bool = True) -> Game:
    """Return a started game of Pairs with one round."""
    options = {"rounds": 1}
    table = tables.open_table(
        users[0], tables.TableOptions(4, title="pairs", options=options, changes_ratings=rated)
    )
    for user in users[1:]:
        tables.join(table.key, user)
    return fresh(table)


def choose(game: Game, cards: Sequence[int]) -> Game:
    """Play a card for each of the first seats."""
    for seat, card in enumerate(cards):
        user = game.seats.get(number=seat).user
        play(game.key, user, Choose(seat, card), fresh(game).version + 1, uuid.uuid4())
    return fresh(game)


def people() -> list[User]:
    return [person(name) for name in NAMES]


def ratings() -> dict[str, int]:
    rows = PlayerRating.objects.filter(title="pairs").select_related("user")
    return {row.user.username: row.value.number for row in rows}


def places(game: Game) -> list[int | None]:
    return list(game.seats.order_by("number").values_list("place", flat=True))


def check_projections() -> None:
    for command in ("rebuild_games", "rebuild_ratings"):
        call_command(command, "--check", stdout=StringIO())


def words_of(client: Client, path: str) -> str:
    return " ".join(without_marks(client.get(path).text).split())


def test_partners_win_together_and_are_rated_together() -> None:
    game = choose(pairs_of(*people()), WON_BY_INES_AND_MINA)
    assert places(game) == [1, 2, 1, 2]
    assert [seat.figures for seat in game.seats.order_by("number")] == [{"points": 4}, {"points": 0}] * 2
    assert ratings() == {"Ines": 1559, "Tobias": 1441, "Mina": 1559, "Noor": 1441}
    assert set(RatingChange.objects.values_list("seat", "place")) == {(0, 1), (1, 2), (2, 1), (3, 2)}
    assert describe_score(game) == "Ines: 4 points · Tobias: 0 points · Mina: 4 points · Noor: 0 points"
    check_projections()


def test_a_tie_leaves_equal_ratings_equal() -> None:
    users = people()
    game = choose(pairs_of(*users), LEVEL)
    assert places(game) == [1, 1, 1, 1]
    assert set(ratings().values()) == {1500}
    assert "A tie" in words_of(client_of(users[0]), "/finished/")
    assert "A tie" in words_of(client_of(users[0]), game.get_absolute_url())
    found = profile(users[1], users[0])
    assert found is not None
    assert [(tally.played, tally.won) for tally in found.tallies] == [(1, 0)]
    assert found.head_to_head == [HeadToHead(title="pairs", won=0, drawn=1, lost=0)]
    assert profile(users[2], users[0]).head_to_head == []  # They were partners.
    check_projections()


def test_a_side_loses_if_one_of_its_players_leaves() -> None:
    users = people()
    game = pairs_of(*users)
    play(game.key, users[1], Resign(1), 1, uuid.uuid4())
    assert places(game) == [1, 2, 1, 2]
    changes = RatingChange.objects.order_by("seat").values_list("place", "has_left")
    assert list(changes) == [(1, False), (2, True), (1, False), (2, False)]
    assert ratings() == {"Ines": 1559, "Tobias": 1441, "Mina": 1559, "Noor": 1441}
    check_projections()


def test_a_seat_that_a_bot_plays_counts_as_last_for_its_player_only() -> None:
    users = people()
    game = choose(pairs_of(*users), WON_BY_INES_AND_MINA[:3])
    game.seats.filter(number=0).update(caretaker="easy")
    play(game.key, users[3], Choose(3, WON_BY_INES_AND_MINA[3]), 4, uuid.uuid4())
    assert places(game) == [1, 2, 1, 2], "the result is that of the side"
    changes = RatingChange.objects.order_by("seat").values_list("place", "has_left")
    assert list(changes) == [(2, True), (2, False), (1, False), (2, False)]
    assert ratings()["Mina"] > 1500 > ratings()["Ines"]
    call_command("rebuild_ratings", "--check", stdout=StringIO())


def test_ratings_of_two_titles_are_apart() -> None:
    ines, tobias, mina, noor = people()
    other = tables.open_table(ines, tables.TableOptions(2, changes_ratings=True))
    tables.join(other.key, tobias)
    play(other.key, ines, Resign(0), 1, uuid.uuid4())
    choose(pairs_of(ines, tobias, mina, noor), WON_BY_INES_AND_MINA)
    rows = {(row.user.username, row.title): row.value for row in PlayerRating.objects.all()}
    assert (rows["Ines", "novaluna"].number, rows["Ines", "pairs"].number) == (1421, 1559)
    assert {title for name, title in rows if name == "Noor"} == {"pairs"}
    before = list(PlayerRating.objects.order_by("pk").values())
    PlayerRating.objects.update(mean=1, games=0)
    call_command("rebuild_ratings", stdout=StringIO())
    assert list(PlayerRating.objects.order_by("pk").values()) == before
    check_projections()


def test_lists_and_profiles_name_the_title_and_the_winners() -> None:
    ines, tobias, mina, noor = people()
    choose(pairs_of(ines, tobias, mina, noor), WON_BY_INES_AND_MINA)
    play_out(game_of(ines, tobias))
    choose(pairs_of(ines, tobias, mina, noor), [7])
    home = words_of(client_of(ines), "/")
    assert "You and Mina won" in home
    assert "Pairs" in home
    assert "Nova Luna" in home
    assert "You: 0 points · Tobias: 0 points" in home
    assert "Ines and Mina won" in words_of(client_of(tobias), "/finished/")
    profile = words_of(client_of(noor), "/people/Ines/")
    for text in ("Pairs: Rating", "Pairs, 4 players", "Won", "You against Ines"):
        assert text in profile, text


def test_ratings_have_a_page_for_each_title() -> None:
    users = people()
    for user in users[:2]:
        PlayerRating.objects.create(user=user, title="pairs", mean=1700, games=12, is_listed=True)
    PlayerRating.objects.create(user=users[2], mean=1800, games=12, is_listed=True)
    client = client_of(users[3])
    first, second = words_of(client, "/ratings/"), words_of(client, "/ratings/?title=pairs")
    assert "Mina" in first
    assert "Ines" not in first
    assert "Places count, not discs." in first
    assert "Mina" not in second
    assert "Ines" in second
    assert "partners win or lose together" in second


def test_feeds_name_the_title() -> None:
    users = people()
    pairs_of(*users)
    assert client_of(users[0]).post("/account/notifications/feeds/").status_code == 302
    users[0].refresh_from_db()
    urls = feed_urls(users[0])
    assert "Pairs: Your turn against Tobias, Mina and Noor" in Client().get(urls["turns"]).text
    assert Client().get(urls["deadlines"]).status_code == 200


def test_feeds_replace_what_xml_cannot_have_in_the_name_of_a_title() -> None:
    [user, *_others] = users = people()
    pairs_of(*users)
    assert client_of(user).post("/account/notifications/feeds/").status_code == 302
    user.refresh_from_db()
    with mock.patch.object(PairsWords, "name", "Pa\x0birs"):
        answer = Client().get(feed_urls(user)["turns"])
    assert "Pa irs: Your turn against Tobias, Mina and Noor" in answer.text


def test_the_export_has_the_whole_game_when_it_is_over() -> None:
    users = people()
    game = choose(pairs_of(*users), WON_BY_INES_AND_MINA)
    record = json.loads(client_of(users[0]).get(f"/g/{game.key}/record.json").text)
    assert [action["card"] for action in record["actions"]] == list(WON_BY_INES_AND_MINA)


def test_the_admin_shows_no_action_of_a_running_game_with_hands(admin_client: Client) -> None:
    game = choose(pairs_of(*people()), [7])
    action, seat = game.actions.get(), Seat.objects.get(game=game, number=0)
    addresses = [
        "games/action/",
        f"games/action/{action.pk}/change/",
        "games/game/",
        f"games/game/{game.pk}/change/",
        "games/seat/",
        f"games/seat/{seat.pk}/change/",
    ]
    for address in addresses:
        page = admin_client.get(f"/admin/{address}", follow=True).text
        assert "card" not in page, address
        assert "choose" not in page, address
        assert "hands" not in page, address
    assert "pairs" in admin_client.get("/admin/games/game/").text
    cancel(lock_game(pk=game.pk))
    assert "choose" in admin_client.get("/admin/games/action/").text
