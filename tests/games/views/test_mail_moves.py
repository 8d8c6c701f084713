"""Links in turn emails that play one move without a log-in, and allow nothing else."""

import re
from dataclasses import dataclass
from urllib.parse import quote_plus

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.models import Action, Channel, Game, Kind, Notification, Seat
from games.novaluna.board.notation import write_action
from games.novaluna.engine import Place
from games.queries.marks import mark_of_turn
from games.replies import Purpose, Turn, turn_token
from games.services import notifications
from tests.clients import client_of, without_marks
from tests.play import (
    fresh,
    game_of,
    match_of,
    mover,
    person,
    play_one,
    play_out,
    play_some,
    position_of,
    turn_mail,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    return play_some(game_of(person("Ines"), person("Tobias")), 4)


def closed_game() -> Game:
    """Return a running table of a duplicate match, which nobody else may see yet."""
    return match_of(*(person(name) for name in ("Amal", "Lena", "Milo", "Olga")))[0]


def links_of(game: Game) -> list[str]:
    """Return the addresses of the moves in the turn email, without the site's name."""
    text = turn_mail(game, mover(game)).body
    return re.findall(r"^http://[^/]+(/move/\S+)$", text, re.MULTILINE)


def link(game: Game, move: str = "take 1 at E1", purpose: Purpose = Purpose.MOVE, **changes: int) -> str:
    game = fresh(game)
    seat = 0 if game.to_move is None else game.to_move
    user = game.seats.get(number=seat).user
    assert user is not None
    turn = Turn(user.pk, game.pk, seat, game.version + 1)._replace(**changes)
    mark = mark_of_turn(User.objects.get(pk=turn.user), game, turn.number)
    return f"/move/{turn_token(purpose, turn, mark)}/?move={quote_plus(move)}"


def count_actions(game: Game) -> int:
    return Action.objects.filter(game=game).count()


def test_each_link_of_an_email_shows_its_move_and_changes_nothing(game: Game) -> None:
    links, before = links_of(game), count_actions(game)
    assert 1 <= len(links) <= 5
    for address in links:
        page = Client().get(address)
        assert page.status_code == 200
        assert "Confirm" in page.text
        assert "no-store" in page.headers["Cache-Control"]
    assert count_actions(game) == before
    assert not Seat.objects.filter(seen_at__gt=fresh(game).moved_at).exists(), "nobody counts as present"


def test_the_button_plays_the_move_once(game: Game) -> None:
    user, client, address, before = mover(game), Client(), links_of(game)[0], 5
    for _press in range(2):
        answer = client.post(address, follow=True)
        assert answer.status_code == 200
        assert "You took" in answer.text
        assert "Confirm" not in answer.text
    assert count_actions(game) == before
    assert Action.objects.get(game=game, number=before).made_by == user


@pytest.mark.parametrize("why", ["", "kind", "game"])
def test_the_page_promises_an_email_only_to_a_person_who_gets_one(game: Game, why: str) -> None:
    user, address = mover(game), links_of(game)[0]
    if why == "kind":
        notifications.stop(user, Kind.TURN, Channel.MAIL)
    if why == "game":
        notifications.silence(game, user, is_silent=True)
    page = Client().post(address, follow=True).text
    assert "Your move is played" in page
    assert ("You get no emails when it is your turn." in page) is bool(why)
    assert ("You get an email when it is your turn." in page or "The next email" in page) is not bool(why)


def moves_that_lead_to_another(game: Game) -> list[Place]:
    """Return the moves after which the same player is to move again."""
    position = position_of(game)
    return [
        action
        for action in position.legal_actions
        if isinstance(action, Place) and position.apply(action).position.to_move == action.seat
    ]


def test_a_person_who_moves_again_gets_the_next_email(game: Game) -> None:
    while not moves_that_lead_to_another(game):
        play_one(game)
    user, move = mover(game), write_action(moves_that_lead_to_another(game)[0], position_of(game))
    Notification.objects.all().delete()
    Client().post(link(game, move))
    [owed] = Notification.objects.filter(kind=Kind.TURN)
    assert (owed.user, owed.version) == (user, fresh(game).version)


@dataclass(frozen=True)
class Case:
    """What a link is, what GET and POST return, and whether POST plays."""

    name: str
    get: int
    post: int
    plays: bool = False


CASES = [
    Case("this turn", 200, 302, plays=True),
    Case("this turn, in upper case", 200, 302, plays=True),
    Case("this turn, of a visitor who is logged in as somebody else", 200, 302, plays=True),
    Case("another player's turn", 200, 409),
    Case("an earlier turn", 200, 409),
    Case("an earlier turn of a table that is closed to others", 403, 403),
    Case("a later turn", 200, 409),
    Case("a finished game", 200, 409),
    Case("a token for replies", 404, 404),
    Case("a forged token", 404, 404),
    Case("somebody without this seat", 404, 404),
    Case("a player who was deactivated", 404, 404),
    Case("a tile that is not in reach", 400, 400),
    Case("a cell that is not free", 400, 400),
    Case("a resignation", 400, 400),
    Case("no move", 400, 400),
]


def prepare(case: str, game: Game) -> str:
    """Return the link of a case."""
    user, seat = mover(game), fresh(game).to_move
    assert seat is not None
    other = game.seats.exclude(number=seat).get()
    version, good = fresh(game).version, links_of(game)[0]
    match case:
        case "this turn" | "this turn, of a visitor who is logged in as somebody else":
            return good
        case "this turn, in upper case":
            path, query = good.split("?")
            return f"/move/{path.split('/')[2].upper()}/?{query}"
        case "another player's turn":
            return link(game, user=other.user_id, seat=other.number)
        case "an earlier turn" | "an earlier turn of a table that is closed to others":
            play_one(game)
            return good
        case "a later turn":
            return link(game, number=version + 2)
        case "a finished game":
            play_out(game)
            return link(game)
        case "a token for replies":
            return link(game, purpose=Purpose.REPLY)
        case "a forged token":
            return good.replace("/?", "x/?")
        case "somebody without this seat":
            return link(game, user=person("Noor").pk)
        case "a player who was deactivated":
            User.objects.filter(pk=user.pk).update(is_active=False)
            return good
        case "a tile that is not in reach":
            return link(game, "take 9 at E1")
        case "a cell that is not free":
            return link(game, "take 1 at 0")
        case "a resignation":
            return link(game, "resign")
        case "no move":
            return link(game, "")
    raise ValueError(case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_a_link_allows(game: Game, case: Case) -> None:
    if "closed to others" in case.name:
        game = closed_game()
    address = prepare(case.name, game)
    client = client_of(person("Mina")) if "somebody else" in case.name else Client()
    before, session = count_actions(game), dict(client.session)
    assert client.get(address).status_code == case.get
    assert count_actions(game) == before
    assert client.post(address).status_code == case.post
    assert count_actions(game) == before + case.plays
    assert dict(client.session) == session, "a link logs nobody in and out"


def test_a_link_lets_a_visitor_do_nothing_else(game: Game) -> None:
    client, key = Client(), game.key
    client.get(links_of(game)[0])
    client.post(links_of(game)[0])
    before = count_actions(game)
    for name, fields in {"play": {"do": "resign"}, "hint": {}, "silence": {"is_silent": "True"}}.items():
        answer = client.post(reverse(f"games:{name}", args=[key]), {"number": before + 1, **fields})
        assert answer.status_code in (302, 400, 403), name
    assert client.get(reverse("games:notifications")).status_code == 302
    assert count_actions(game) == before
    assert not Seat.objects.filter(is_silent=True).exists()


def test_after_the_turn_the_link_shows_the_board_and_asks_for_a_log_in(game: Game) -> None:
    user, address = mover(game), links_of(game)[0]
    play_one(game)
    page = Client().get(address)
    assert "The game has moved on" in page.text
    assert "Log in to do more" in page.text
    assert 'id="game"' in page.text
    assert "Confirm" not in page.text
    assert client_of(user).get(address).headers["Location"] == game.get_absolute_url()


def test_after_the_turn_a_link_to_a_closed_table_shows_no_board_to_others() -> None:
    game = closed_game()
    user, address = mover(game), links_of(game)[0]
    play_one(game)
    for client in (Client(), client_of(person("Sam"))):
        page = client.get(address)
        assert "You can see this game later" in page.text
        assert 'id="game"' not in page.text
        assert "This is the board now" not in client.get("/").text
    assert client_of(user).get(address).headers["Location"] == game.get_absolute_url()


def test_a_browser_of_somebody_else_is_asked_whether_they_are_the_player(game: Game) -> None:
    user, address, question = mover(game), links_of(game)[0], f"Are you {mover(game)}?"
    for client in (Client(), client_of(user)):
        page = without_marks(client.get(address).text)
        assert question not in page
        assert f"Confirm as {user}" not in page
    page = without_marks(client_of(person("Mina")).get(address).text)
    assert question in page
    assert "In this browser you are logged in as Mina." in page
    assert f"Confirm as {user}" in page
    assert page.index(question) < page.index(f"Confirm as {user}")


def test_after_the_turn_a_browser_of_somebody_else_is_asked_first(game: Game) -> None:
    user, address = mover(game), links_of(game)[0]
    play_one(game)
    client = client_of(person("Mina"))
    for open_link in (client.get, client.post):
        page = open_link(address, follow=True).text
        assert f"Are you {user}?" in page
        assert "The game has moved on" in page
        assert 'id="game"' not in page
