"""Games of Pairs from their table to what follows their end, played through the pages of the site."""

import json
import re
import uuid
from collections.abc import Iterator

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.log.replay import secret_position
from games.models import OBJECTION_TIME, Game
from games.services import bots, hand_overs, tables
from tests.clients import client_of, without_marks
from tests.play import fresh, person
from tests.titles.pairs.rules import PairsPosition
from tests.titles.play import DEALT, choose, dealt_pairs, pairs_game

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("pairs", "_dealt")]

NAMES = ("Ines", "Tobias", "Mina", "Noor")
# The lowest card of each hand first, then the next: Ines and Mina have the higher cards in each round.
ROUNDS = tuple(zip(*DEALT["hands"], strict=True))


@pytest.fixture
def _dealt() -> Iterator[None]:
    with dealt_pairs():
        yield


@pytest.fixture
def users() -> list[User]:
    return [person(name) for name in NAMES]


def press(client: Client, game: Game, part: str, **fields: object) -> str:
    """Send a form of a game, and return the words of the page that follows."""
    data = {"request_id": str(uuid.uuid4()), "number": fresh(game).version + 1, **fields}
    answer = client.post(f"/g/{game.key}/{part}", data, follow=True)
    assert answer.status_code == 200, answer.text
    return words_of(answer.text)


def press_card(client: Client, game: Game, seat: int, card: int) -> str:
    """Choose a card with the form of the page."""
    action = json.dumps([{"do": "choose", "seat": seat, "card": card}])
    return press(client, game, "play/", do="play", action=action)


def words_of(page: str) -> str:
    main = without_marks(page).partition("<main")[2].partition("</main>")[0]
    return " ".join(re.sub(r"<[^>]+>", " ", f"<main{main}").split())


def page_of(client: Client, game: Game, query: str = "") -> str:
    answer = client.get(f"/g/{game.key}/{query}")
    assert answer.status_code == 200
    return words_of(answer.text)


def hand_in(page: str) -> list[int]:
    """Return the cards of the hand that a page shows; none if it shows no hand."""
    found = re.search(r"Your hand (?:You have chosen the \d\. )?((?:\d )*)", page)
    return [int(card) for card in found[1].split()] if found else []


def play_rounds(game: Game, clients: list[Client], rounds: int = 3) -> None:
    for cards in ROUNDS[:rounds]:
        for seat, card in enumerate(cards):
            press_card(clients[seat], game, seat, card)


def test_two_people_a_guest_and_a_bot_play_with_the_partners_that_they_chose() -> None:
    ines, tobias, guest = client_of(person("Ines")), client_of(person("Tobias")), Client()
    table = {"title": "pairs", "opponents": "people", "seat_count": 4, "level": "easy"}
    options = {"rounds": 1, "hand": 3, "request_id": str(uuid.uuid4())}
    assert ines.post("/new/", {**table, **options}).status_code == 302
    game = Game.objects.get()
    press(tobias, game, "join/", seat=2)
    press(guest, game, "join/", seat=1)
    press(ines, game, "bots/", level="easy", seat=3)
    seats = list(fresh(game).seats.order_by("number"))
    assert [seat.user.username if seat.user else seat.bot for seat in seats][::2] == ["Ines", "Tobias"]
    assert (seats[1].is_of_guest, seats[3].bot) == (True, "easy")

    clients = [ines, guest, tobias]
    for seat, client in enumerate(clients):
        hand = DEALT["hands"][seat]
        assert hand_in(page_of(client, game)) == hand
        assert "Waiting for" in press_card(client, game, seat, hand[-1])
    bots.take_turn(game.pk, fresh(game).version + 1, without_search=True)
    position = secret_position(fresh(game))
    assert isinstance(position, PairsPosition)
    assert position.played[0][:3] == (7, 4, 7)
    assert position.places == (1, 2, 1, 2)
    assert ["You win" in page_of(client, game) for client in clients] == [True, False, True]
    assert "Ines and Tobias win" in page_of(guest, game)


def test_two_win_a_rated_game_and_all_play_again_with_the_same_seats(users: list[User]) -> None:
    options = tables.TableOptions(4, title="pairs", changes_ratings=True)
    game = tables.open_table(users[0], options)
    for user in users[1:]:
        tables.join(game.key, user)
    clients = [client_of(user) for user in users]
    play_rounds(game, clients)
    assert fresh(game).is_over
    assert list(game.seats.order_by("number").values_list("place", flat=True)) == [1, 2, 1, 2]
    for seat, client in enumerate(clients):
        page = page_of(client, game)
        assert ("You win" if seat % 2 == 0 else "Ines and Mina win") in page
        assert "1559" in page, "the new rating of the winners"
        assert "1441" in page
    profile = words_of(clients[0].get("/people/Mina/").text)
    assert re.search(r"Pairs: Rating (\(provisional\) )?1559", profile)

    for client in reversed(clients):
        press(client, game, "rematch/")
    again = Game.objects.get(rematch_of=game)
    assert again.is_running
    seats = again.seats.order_by("number")
    assert [seat.user.username for seat in seats if seat.user] == [*NAMES]
    assert (again.title, again.options, again.changes_ratings) == ("pairs", fresh(game).options, True)
    assert again.deal != game.deal
    assert hand_in(page_of(clients[3], again)) == DEALT["hands"][3]


def test_the_past_shows_each_seat_what_it_saw_then(users: list[User]) -> None:
    game = pairs_game(*users)
    clients = [client_of(user) for user in users]
    play_rounds(game, clients)
    assert fresh(game).is_over
    # After action 6, Ines and Tobias have chosen in the second round, and Mina and Noor have not.
    for seat, client in enumerate(clients):
        page = page_of(client, game, "?at=6")
        assert hand_in(page) == DEALT["hands"][seat][1:]
        assert ("You have chosen the" in page) == (seat < 2)
        assert ("Tobias has chosen" in page) == (seat != 1)
        assert page_of(client, game, "text/?at=6") != page_of(clients[seat - 1], game, "text/?at=6")
    spectator = page_of(Client(), game, "?at=6")
    assert hand_in(spectator) == []
    assert "Ines chose the" not in spectator
    assert "The bonus is 3 points" in spectator, "that of the second round"


def test_who_hands_a_seat_over_looks_on_only_after_the_end(users: list[User]) -> None:
    game, vera = pairs_game(*users), client_of(person("Vera"))
    clients = [client_of(user) for user in users]
    play_rounds(game, clients, 1)
    page = press(clients[0], game, "hand-over/", do="link")
    offer = game.seat_offers.get()
    assert f"/seats/{offer.key}/" in page or offer.key in clients[0].get(f"/g/{game.key}/hand-over/").text
    taken = vera.post(f"/seats/{offer.key}/", {"request_id": str(uuid.uuid4())}, follow=True)
    assert taken.status_code == 200
    assert hand_in(page_of(vera, game)) == [], "before the time to object is over"
    game.seat_offers.update(taken_at=timezone.now() - OBJECTION_TIME)
    hand_overs.finish(offer.pk)

    assert hand_in(page_of(vera, game)) == [6, 7]
    for part in ("", "text/", "?at=1", "record.json", "chat/"):
        assert clients[0].get(f"/g/{game.key}/{part}").status_code == 403
    refused = clients[0].post(
        f"/g/{game.key}/play/",
        {
            "do": "play",
            "number": 5,
            "request_id": str(uuid.uuid4()),
            "action": json.dumps([{"do": "choose", "seat": 0, "card": 6}]),
        },
    )
    assert refused.status_code == 403
    for cards in ROUNDS[1:]:
        for seat, card in enumerate(cards):
            press_card([vera, *clients[1:]][seat], game, seat, card)
    assert fresh(game).is_over
    assert "Vera and Mina win" in page_of(clients[0], game)
    assert clients[0].get(f"/g/{game.key}/record.json").status_code == 200


def test_all_four_agree_to_cancel_a_game(users: list[User]) -> None:
    game = pairs_game(*users)
    clients = [client_of(user) for user in users]
    press_card(clients[0], game, 0, 3)
    press(clients[1], game, "vote/", do="start", purpose="cancel")
    vote = game.votes.get()
    for seat in (0, 2):
        assert "Noor" in press(clients[seat], game, "vote/", do="agree", vote=vote.pk)
        assert fresh(game).is_running
    page = press(clients[3], game, "vote/", do="agree", vote=vote.pk)
    assert "Game cancelled" in page
    assert "Ines chose the" not in page
    over = fresh(game)
    assert (over.is_over, over.ending) == (True, "cancelled")
    assert set(game.seats.values_list("place", flat=True)) == {None}


def test_a_game_ends_when_a_player_leaves_and_the_other_side_wins(users: list[User]) -> None:
    game = pairs_game(*users)
    clients = [client_of(user) for user in users]
    choose(game, users[0], 7)
    page = press(clients[2], game, "play/", do="resign")
    assert "Tobias and Noor win" in page
    over = fresh(game)
    assert (over.is_over, over.ending) == (True, "left")
    assert list(game.seats.order_by("number").values_list("place", "has_left")) == [
        (2, False),
        (1, False),
        (2, True),
        (1, False),
    ]
    for seat in (1, 3):
        assert "You win" in page_of(clients[seat], game)
        assert "Ines chose the" not in page_of(clients[seat], game), "nobody saw this choice"
    assert not game.seats.awaited().exists()
