"""Actions that the forms of the game page post."""

import re
import uuid

import pytest
from django.db import transaction
from django.test import Client

from accounts.models import User
from games.models import Action, Game, SeatChange
from games.novaluna.engine import Resign
from games.services import tables
from games.services.play import lock_game, play, play_for_bot
from games.services.private import sound
from games.services.seat_changes import hand_to_bot, take_back
from tests.clients import HTMX, client_of, without_marks
from tests.play import (
    form_of,
    fresh,
    game_of,
    legal_action,
    legal_fields,
    mover,
    person,
    play_one,
    play_out,
    play_some,
    position_of,
)

pytestmark = pytest.mark.django_db


def other(game: Game) -> User:
    return User.objects.filter(seats__game=game).exclude(pk=mover(game).pk).get()


def test_a_legal_action_is_stored_and_redirects_to_the_board(game: Game) -> None:
    response = client_of(mover(game)).post(f"/g/{game.key}/play/", form_of(game, legal_fields(game)))

    assert response.status_code == 302
    assert response["Location"] == f"/g/{game.key}/"
    assert Action.objects.get(game=game).number == fresh(game).version == 1


def test_htmx_gets_the_new_board_and_the_address_without_a_choice(game: Game) -> None:
    response = client_of(mover(game)).post(
        f"/g/{game.key}/play/", form_of(game, legal_fields(game)), headers=HTMX
    )

    assert response.status_code == 200
    assert response["HX-Replace-Url"] == f"/g/{game.key}/"
    assert 'data-version="1"' in response.text
    assert "<html" not in response.text


def test_htmx_gets_no_part_that_an_own_action_leaves_as_it_was(game: Game) -> None:
    play_some(game, 12)
    user, body = mover(game), form_of(game, legal_fields(game))
    seat = 1 - fresh(game).to_move
    client, address = client_of(user), game.get_absolute_url()
    before = client.get(address, headers=HTMX).text
    answer = client.post(f"{address}play/", body, headers=HTMX).text
    after = client.get(address, headers=HTMX).text

    unchanged = (
        f'<div id="display-{seat}" data-unchanged></div>',
        '<details id="about" data-unchanged></details>',
    )
    refused = client.post(f"{address}play/", body | {"number": 3}, headers=HTMX).text
    for kept in unchanged:
        assert kept in answer
        assert kept not in before + after + refused
    assert opponent_in(before) == opponent_in(after)
    assert opponent_in(after) not in answer


def test_htmx_keeps_the_other_player_while_the_turn_stays_the_same(game: Game) -> None:
    for _turn in range(20):
        seat, user = fresh(game).to_move, mover(game)
        other, number = 1 - seat, fresh(game).version
        action = legal_fields(game)
        answer = client_of(user).post(f"/g/{game.key}/play/", form_of(game, action), headers=HTMX).text
        kept = f'<li id="player-{other}" data-unchanged></li>'
        assert fresh(game).version == number + 1
        assert (kept in answer) == (fresh(game).to_move == seat)
        assert f'<li id="player-{seat}" class="player' in answer
        play_some(game, 1)


def test_htmx_gets_both_players_after_a_change_of_seats_that_the_page_has_not_shown(game: Game) -> None:
    kept = 0
    for _turn in range(20):
        seat, user, body = fresh(game).to_move, mover(game), form_of(game, legal_fields(game))
        absent = game.seats.get(number=1 - seat)
        with transaction.atomic():
            hand_to_bot(lock_game(pk=game.pk), absent, "easy", SeatChange.Reason.CALL)
        take_back(game.key, absent.user)
        answer = client_of(user).post(f"/g/{game.key}/play/", body, headers=HTMX).text
        assert f'<li id="player-{1 - seat}" class="player' in answer
        kept += fresh(game).to_move == seat
        play_some(game, 1)
    assert kept, "the other player's discs, time and turn were as before"


def test_htmx_gets_a_new_game_menu_when_an_own_action_ends_the_game(game: Game) -> None:
    user = mover(game)
    client, address, number = client_of(user), game.get_absolute_url(), fresh(game).version + 1
    body = {"number": number, "request_id": str(uuid.uuid4()), "do": "resign"}
    answer = client.post(f"{address}play/", body, headers=HTMX).text
    assert '<details id="about" data-unchanged>' not in answer
    assert "data-unchanged" in answer, "the display of the other player is as it was"
    assert "Download the record" in answer


def opponent_in(page: str) -> str:
    """Return the display of the opponent on a page of two players."""
    [display] = re.findall(r'<article class="panel mini">.*?</article>', page, re.DOTALL)
    return display[display.index("<ul") :]


@pytest.mark.databases
def test_a_repeated_request_gets_the_same_response_and_stores_nothing(game: Game) -> None:
    client, body = client_of(mover(game)), form_of(game, legal_fields(game))
    first = client.post(f"/g/{game.key}/play/", body)
    again = client.post(f"/g/{game.key}/play/", body)

    assert (first.status_code, first["Location"]) == (again.status_code, again["Location"])
    assert Action.objects.filter(game=game).count() == 1


def test_an_action_is_played_on_the_users_own_seat_whatever_the_form_says(game: Game) -> None:
    user, fields = mover(game), legal_fields(game)
    own, others = game.to_move, 1 - game.to_move
    body = form_of(game, fields, seat=others, made_by=other(game).pk, moon="full")
    assert client_of(user).post(f"/g/{game.key}/play/", body).status_code == 302

    action = Action.objects.get(game=game)
    assert (action.seat, action.made_by) == (own, user)
    assert action.payload == {**fields, "seat": own}


def test_a_service_ignores_the_seat_of_an_action_and_stores_what_the_engine_writes(game: Game) -> None:
    user = mover(game)
    play(game.key, user, Resign(1 - game.to_move), 1, uuid.uuid4())

    action = Action.objects.get(game=game)
    assert (action.seat, action.payload) == (game.to_move, {"do": "resign", "seat": game.to_move})
    assert game.seats.get(user=user).has_left
    assert fresh(game).winner == 1 - game.to_move


@pytest.mark.databases
def test_a_request_id_with_another_choice_is_refused(game: Game) -> None:
    client, body = client_of(mover(game)), form_of(game, legal_fields(game))
    client.post(f"/g/{game.key}/play/", body)
    another = next(tile.code for tile in position_of(game).in_reach)
    response = client.post(f"/g/{game.key}/play/", {**body, "tile": another, "number": 2})

    assert response.status_code == 409
    assert Action.objects.filter(game=game).count() == 1


@pytest.mark.databases
def test_an_outdated_form_is_refused_and_gets_the_board_as_it_is_now(game: Game) -> None:
    user = mover(game)
    stale = form_of(game, legal_fields(game))
    play_one(game)
    response = client_of(user).post(f"/g/{game.key}/play/", stale, headers=HTMX)

    assert response.status_code == 409
    assert "moved on" in response.text
    assert 'data-version="1"' in response.text
    assert fresh(game).version == 1


@pytest.mark.parametrize(
    ("changes", "status", "words"),
    [
        ({"tile": "far"}, 422, "next three"),
        ({"tile": "Z9"}, 422, "You can&#x27;t do that here"),
        ({"x": 5, "y": 5}, 422, "can&#x27;t place the tile there"),
        ({"do": "refill"}, 422, "can&#x27;t be refilled now"),
        ({"do": "dance"}, 400, "missing or unreadable"),
        ({"x": ""}, 400, "missing or unreadable"),
        ({"x": "1.5"}, 400, "missing or unreadable"),
        ({"x": "9" * 5000}, 400, "missing or unreadable"),
        ({"number": "one"}, 400, "missing or unreadable"),
        ({"number": 99}, 409, "moved on"),
        ({"request_id": "no-uuid"}, 400, "missing or unreadable"),
    ],
)
def test_a_wrong_action_is_refused_with_a_reason_and_stores_nothing(
    game: Game, changes: dict[str, object], status: int, words: str
) -> None:
    if changes.get("tile") == "far":
        wheel = position_of(game).wheel
        far = [
            tile.code
            for space, tile in enumerate(wheel.spaces)
            if tile and space not in wheel.spaces_in_reach
        ]
        changes = {"tile": far[0]}
    client = client_of(mover(game))
    for headers in ({}, HTMX):
        body = form_of(game, legal_fields(game), **changes)
        response = client.post(f"/g/{game.key}/play/", body, headers=headers)
        assert response.status_code == status
        assert words in response.text
        assert 'id="game"' in response.text
    assert fresh(game).version == Action.objects.filter(game=game).count() == 0


def test_only_the_seat_to_move_may_place(game: Game) -> None:
    response = client_of(other(game)).post(f"/g/{game.key}/play/", form_of(game, legal_fields(game)))

    assert response.status_code == 422
    assert "not your turn" in response.text
    assert fresh(game).version == 0


def test_spectators_and_anonymous_viewers_may_not_play(game: Game) -> None:
    for client, words in ((client_of(person("Noor")), "no seat"), (Client(), "not logged in")):
        response = client.post(f"/g/{game.key}/play/", form_of(game, legal_fields(game)))
        assert response.status_code == 403
        assert words in response.text
    assert fresh(game).version == 0


def test_a_player_may_resign_out_of_turn_and_the_other_wins(game: Game) -> None:
    winner = mover(game)
    for mode in ("", "text/"):
        question = client_of(other(game)).get(f"/g/{game.key}/{mode}?resign=1")
        assert question.status_code == 200
        assert f"The game ends and {winner.username} wins." in without_marks(question.text)
    assert fresh(game).is_running
    response = client_of(other(game)).post(f"/g/{game.key}/play/", form_of(game, {"do": "resign"}))

    assert response.status_code == 302
    game = fresh(game)
    assert game.is_over
    assert game.ending == "left"
    assert game.seats.get(number=game.winner).user == winner


@pytest.mark.parametrize("mode", ["", "text/"])
def test_a_game_without_a_move_offers_no_review(mode: str) -> None:
    games = [game_of(person("Ines"), person("Tobias")), game_of(person("Amal"), person("Lena"))]
    play_one(games[1])
    for game, is_offered in zip(games, (False, True), strict=True):
        client = client_of(mover(game))
        client.post(f"/g/{game.key}/play/", form_of(fresh(game), {"do": "resign"}))
        assert fresh(game).is_over
        assert (f"/g/{game.key}/review/" in client.get(f"/g/{game.key}/{mode}").text) is is_offered


@pytest.mark.parametrize("is_rated", [False, True])
def test_the_question_says_what_resigning_costs(is_rated: bool) -> None:
    costs = ("For your reliability, this game counts as not finished.", "For your rating, you finish last.")
    ines, tobias, mina = person("Ines"), person("Tobias"), person("Mina")
    with_people = {game_of(ines, tobias, mina): True, game_of(ines, tobias): False}
    with_people |= {game_of(ines, bots=("easy", "easy")): False}
    Game.objects.update(changes_ratings=is_rated)
    for game, has_others in with_people.items():
        page = client_of(ines).get(f"/g/{game.key}/?resign=1").text
        assert [cost in page for cost in costs] == [has_others, is_rated]


def test_nothing_can_be_played_after_the_end(game: Game) -> None:
    play_out(game)
    player = game.seats.get(number=0).user
    response = client_of(player).post(f"/g/{game.key}/play/", form_of(game, {"do": "resign"}))

    assert response.status_code == 422
    assert "over" in response.text


def test_an_action_at_a_table_is_refused() -> None:
    opener = person("Ines")
    table = tables.open_table(opener, tables.TableOptions(2, is_public=True, pace="slow"))
    body = {"number": 1, "request_id": str(uuid.uuid4()), "do": "resign"}
    response = client_of(opener).post(f"/g/{table.key}/play/", body)

    assert response.status_code == 409
    assert "not started" in response.text


def test_an_unknown_game_is_not_found() -> None:
    client = client_of(person("Ines"))
    assert client.get("/g/nosuchgame22/").status_code == 404
    assert client.post("/g/nosuchgame22/play/", {}).status_code == 404
    assert client.get("/g/no-such-game/").status_code == 404


def test_no_cache_may_store_game_pages(game: Game) -> None:
    client = client_of(mover(game))
    for address in ("", "version/", "deal/"):
        assert client.get(f"/g/{game.key}/{address}")["Cache-Control"] == "private, no-store"


def test_a_refusal_removes_the_choice_from_the_address(game: Game) -> None:
    body = legal_fields(game) | {"number": 9, "request_id": uuid.uuid4()}
    response = client_of(mover(game)).post(f"{game.get_absolute_url()}play/", body, headers=HTMX)
    assert response.status_code == 409
    assert response["HX-Replace-Url"] == game.get_absolute_url()


def play_any(game: Game) -> None:
    """Play one legal action for the player whose turn it is, a person or a bot."""
    if fresh(game).seats.get(number=fresh(game).to_move).bot:
        play_for_bot(game.pk, legal_action(game), fresh(game).version + 1)
    else:
        play_one(game)


@pytest.mark.parametrize("page", ["", "text/"])
def test_the_page_speaks_of_no_other_game_while_a_bot_thinks(page: str) -> None:
    ines, none_left = person("Ines"), "No other game is waiting for your move."
    game = game_of(ines, person("Tobias"), bots=("easy",))
    seen = set()
    while len(seen) < 2:
        to_move = fresh(game).seats.get(number=fresh(game).to_move)
        if to_move.user != ines:
            is_bots_turn = bool(to_move.bot)
            seen.add(is_bots_turn)
            assert (none_left not in client_of(ines).get(f"/g/{game.key}/{page}").text) == is_bots_turn
        play_any(game)


@pytest.mark.parametrize(("sent", "is_on"), [("True", True), ("False", False), ("", True)])
def test_only_the_switch_of_the_sound_turns_it(sent: str, is_on: bool) -> None:
    ines = person("Ines")
    game = game_of(ines, person("Tobias"))
    sound.turn_sound(ines, is_on=True)
    client_of(ines).post(f"/g/{game.key}/sound/", {"is_on": sent})
    ines.refresh_from_db()
    assert ines.sound is is_on
