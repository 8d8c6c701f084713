"""Votes on pages: changing the pace, calling an absent player, and cancelling a game."""

import random
import re
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client

from accounts.models import User
from games.models import Game
from games.services import bots, tables
from tests.clients import client_of, without_marks
from tests.frozen import FrozenClock
from tests.play import (
    form_of,
    fresh,
    game_of,
    legal_fields,
    mover,
    person,
    play_all,
    play_one,
    position_of,
    random_actions,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(clock: FrozenClock) -> Game:
    """A game of three people without a clock, near its end, which has waited for one of them for 14 days."""
    game = game_of(person("Ines"), person("Tobias"), person("Mina"), is_public=False)
    actions = [*random_actions(position_of(game), random.Random(1))]
    game = play_all(game, actions[:-5])
    clock.move_on(days=14)
    return game


def page_of(game: Game, user: User, path: str = "") -> str:
    return re.sub(r"\s+", " ", without_marks(client_of(user).get(f"/g/{game.key}/{path}").text))


def vote_in(page: str) -> str:
    """Return the number of the vote that a page shows; empty if it shows none."""
    found = re.search(r'name="vote" value="(\d+)"', page)
    return found.group(1) if found else ""


def after(user: User, path: str, **data: str) -> str:
    """Return the page to which a vote or an answer leads."""
    return without_marks(client_of(user).post(path, data, follow=True).text)


def test_the_page_lists_earlier_votes_with_their_outcomes(game: Game, clock: FrozenClock) -> None:
    player, other, _absent = sorted(
        (seat.user for seat in game.seats.select_related("user")), key=lambda user: user == mover(game)
    )
    path = f"/g/{game.key}/vote/"
    assert "Earlier proposals" not in page_of(game, player, "vote/")
    asked = after(player, path, do="start", purpose="pace", pace="day")
    assert re.search(rf"You asked [^.]*{other.username}", asked)
    vote = vote_in(page_of(game, other))
    assert "Earlier proposals" not in page_of(game, player, "vote/"), "it still runs"
    assert "The proposal has ended." in after(other, path, do="decline", vote=vote)
    page = page_of(game, other, "vote/")
    page = page[page.index("Earlier proposals") :]
    assert "Change the pace to 1 day, +12 hours a turn?" in page
    assert "A player declined." in page
    assert f"{player.username} proposed this. Agreed: {player.username}." in page


def test_all_players_agree_to_change_the_pace(clock: FrozenClock) -> None:
    ines, tobias, noor = person("Ines"), person("Tobias"), person("Noor")
    game = game_of(ines, tobias, noor, is_public=False)
    path = f"/g/{game.key}/vote/"
    assert "Change the pace" in page_of(game, ines)
    assert client_of(ines).post(path, {"do": "start", "purpose": "pace", "pace": "day"}).status_code == 302
    vote = vote_in(page_of(game, tobias, "text/"))
    assert "Change the pace to 1 day, +12 hours a turn?" in page_of(game, tobias)
    assert "The players agreed" not in page_of(game, tobias)
    to_move = mover(game)
    for user in (tobias, noor):
        assert ('class="vote-notice"' in page_of(game, user)) == (user == to_move)
    assert "Withdraw" in page_of(game, ines)
    assert "You have proposed this. Agreed: you. Waiting for Tobias and Noor." in page_of(game, ines)
    assert client_of(tobias).post(path, {"do": "start", "purpose": "pace", "pace": "live"}).status_code == 409
    assert "You agreed. Waiting for Noor." in after(tobias, path, do="agree", vote=vote)
    assert fresh(game).pace == ""

    clock.move_on(days=3)
    for _press in range(2):
        assert "Everybody agreed." in after(noor, path, do="agree", vote=vote)
    new_pace = "The players agreed on a new pace: 1 day, +12 hours a turn."
    assert all(new_pace in page_of(game, ines, page) for page in ("", "text/"))
    assert new_pace not in page_of(game, person("Mina"))
    assert (fresh(game).pace, fresh(game).caretaker) == ("day", "medium")
    assert fresh(game).deadline == clock.now + timedelta(days=1)
    assert vote_in(page_of(game, ines)) == ""

    clock.move_on(hours=20)
    play_one(game)
    for user in (ines, tobias, noor):
        client_of(user).post(path, {"do": "start", "purpose": "pace", "pace": "slow"})
    assert {seat.bank for seat in game.seats.all()} == {timedelta(days=7)}
    assert fresh(game).deadline == clock.now + timedelta(days=7)
    for _action in range(3):
        clock.move_on(hours=1)
        play_one(game)
    call_command("rebuild_games", "--check", stdout=StringIO())

    for user in (ines, tobias, noor):
        client_of(user).post(path, {"do": "start", "purpose": "pace", "pace": "none"})
    assert (fresh(game).pace, fresh(game).deadline) == ("", None)


def test_players_of_a_live_game_can_ask_again_soon_and_for_possible_paces(
    clock: FrozenClock,
) -> None:
    ines, tobias = person("Ines"), person("Tobias")
    table = tables.open_table(ines, tables.TableOptions(2, is_public=True, pace="live3"))
    tables.join(table.key, tobias)
    path = f"/g/{table.key}/vote/"
    page = page_of(table, ines, "vote/")
    assert re.findall(r'<option value="(\w*)"', page) == ["", "slow", "day", "live", "live5"]
    assert "can be made again after 2 minutes" in page
    refused = client_of(ines).post(path, {"do": "start", "purpose": "pace", "pace": "none"})
    assert "Only games that are not listed" in refused.text

    client_of(ines).post(path, {"do": "start", "purpose": "pace", "pace": "live"})
    asked = page_of(table, tobias)
    assert "<title>Proposal ·" in asked
    assert "<title>Proposal" not in page_of(table, ines)
    client_of(tobias).post(path, {"do": "decline", "vote": vote_in(asked)})
    assert "Tobias declined" in page_of(table, ines)
    clock.move_on(seconds=20)
    assert "Tobias declined" not in page_of(table, ines)
    again = {"do": "start", "purpose": "pace", "pace": "live"}
    assert "Please try again in 2 minutes." in client_of(ines).post(path, again).text
    clock.move_on(seconds=100)
    assert client_of(ines).post(path, again).status_code == 302


@pytest.mark.parametrize(
    ("pace", "effect"),
    [
        ("live3", "Everybody then starts with 3 minutes"),
        ("live", "Everybody then starts with 10 minutes"),
        ("day", "All clocks are then full again."),
    ],
)
def test_a_vote_on_a_pace_says_how_much_time_everybody_then_has(pace: str, effect: str) -> None:
    starter, other = person("Ines"), person("Tobias")
    game = game_of(starter, other, is_public=False)
    path = f"{game.get_absolute_url()}vote/"
    assert effect not in page_of(game, other)
    assert client_of(starter).post(path, {"do": "start", "purpose": "pace", "pace": pace}).status_code == 302
    page = page_of(game, other, "vote/")
    assert effect in page
    client_of(other).post(path, {"do": "agree", "vote": vote_in(page)})
    assert fresh(game).pace == pace


def test_one_player_declines_another_pace_and_others_have_no_say(clock: FrozenClock) -> None:
    ines, tobias = person("Ines"), person("Tobias")
    game = tables.open_table(ines, tables.TableOptions(2, is_public=True, pace="day", caretaker="easy"))
    tables.join(game.key, tobias)
    path = f"/g/{game.key}/vote/"
    client_of(ines).post(path, {"do": "start", "purpose": "pace", "pace": "slow"})
    vote = vote_in(client_of(tobias).get(path).text)
    noor = client_of(person("Noor"))
    assert noor.post(path, {"do": "agree", "vote": vote}).status_code == 403
    assert noor.get(path).status_code == 302
    assert vote_in(page_of(game, person("Mina"))) == ""
    assert client_of(tobias).post(path, {"do": "decline", "vote": vote}).status_code == 302
    assert client_of(tobias).post(path, {"do": "agree", "vote": vote}).status_code == 302
    assert (fresh(game).pace, vote_in(page_of(game, ines))) == ("day", "")
    for fields, status in (
        ({"do": "start", "purpose": "pace", "pace": "day"}, 409),
        ({"do": "start", "purpose": "pace", "pace": "none"}, 409),
        ({"do": "start", "purpose": "pace", "pace": "fast"}, 400),
        ({"do": "start", "purpose": "pace"}, 400),
        ({"do": "agree"}, 400),
        ({"do": "agree", "vote": "moon"}, 400),
    ):
        assert client_of(ines).post(path, fields).status_code == status


def others(game: Game) -> list[User]:
    """Return the people whose turn it is not."""
    seats = game.seats.filter(user__isnull=False).exclude(number=fresh(game).to_move)
    return [seat.user for seat in seats.select_related("user").order_by("number")]


def call(game: Game, purpose: str) -> None:
    """Let the others call the absent player, on pages: one starts the vote, and the other agrees."""
    absent, (first, second) = mover(game), others(game)
    assert f"Continue without {absent}" in page_of(game, first)
    assert (
        client_of(first).post(f"/g/{game.key}/vote/", {"do": "start", "purpose": purpose}).status_code == 302
    )
    for path in ("", "text/"):
        page = page_of(game, second, path)
        assert f"{first} proposes this. No answer by " in page
        assert f"Agreed: {first}. Waiting for {second}." in page_of(game, absent, path)
        assert "I am back" in page_of(game, absent, path)
        assert "I am back" not in page
    assert "Answer the proposal" in client_of(second).get("/").text
    for user in (first, absent):
        assert "Answer the proposal" not in client_of(user).get("/").text
    answer = {"do": "agree", "vote": vote_in(page_of(game, second))}
    assert client_of(second).post(f"/g/{game.key}/vote/", answer).status_code == 302


def play_on(game: Game) -> None:
    """Play a game to its end, on pages and by bots."""
    while fresh(game).is_running:
        seat = game.seats.get(number=fresh(game).to_move)
        if seat.level:
            bots.take_turn(game.pk, fresh(game).version + 1, without_search=True)
        else:
            fields = form_of(game, legal_fields(game))
            assert client_of(seat.user).post(f"/g/{game.key}/play/", fields).status_code == 302


def assert_projections_are_right() -> None:
    out = StringIO()
    call_command("rebuild_games", "--check", stdout=out)
    assert " 0 differ " in out.getvalue()


def test_a_game_of_a_vanished_player_goes_on_with_a_bot(game: Game) -> None:
    absent = mover(game)
    call(game, "bot")
    assert "A bot plays" in client_of(absent).get("/").text
    words = f"{absent} was absent, and the others agreed that a bot (medium) plays for them"
    assert words in page_of(game, others(game)[0])
    assert words in page_of(game, others(game)[0], "text/")
    play_on(game)
    assert game.seats.get(user=absent).rank
    assert_projections_are_right()


def test_a_game_of_a_vanished_player_goes_on_without_them(game: Game) -> None:
    absent, (first, _second) = mover(game), others(game)
    call(game, "out")
    assert f"{absent} was absent, and the others agreed to continue" in page_of(game, first)
    assert "You were absent, and the others agreed to continue without you" in page_of(game, absent)
    play_on(game)
    assert "was absent" in page_of(game, first)
    assert "resigned" not in page_of(game, first)
    assert_projections_are_right()


def test_a_game_of_a_vanished_player_is_cancelled(game: Game) -> None:
    first = others(game)[0]
    call(game, "cancel")
    for viewer in (client_of(first), Client()):
        for path in ("", "text/"):
            page = viewer.get(f"/g/{game.key}/{path}").text
            assert "Game cancelled" in page
            assert "The players agreed to cancel the game, so nobody wins" in page
    assert "Cancelled" in client_of(first).get("/finished/").text
    assert client_of(first).get(f"/g/{game.key}/record.json").json()["actions"][-1] == {"do": "cancel"}
    assert_projections_are_right()


def test_the_others_can_call_while_another_vote_waits_for_the_absent_player(game: Game) -> None:
    absent, (first, second) = mover(game), others(game)
    path = f"/g/{game.key}/vote/"
    client_of(absent).post(path, {"do": "start", "purpose": "pace", "pace": "slow"})
    assert f"Continue without {absent}" in page_of(game, first)
    page = page_of(game, first, "vote/")
    assert "Change the pace to 7 days, +2 days a turn?" in page
    assert "Let a bot play" in page
    assert "Propose this pace" not in page
    client_of(first).post(path, {"do": "start", "purpose": "out"})
    assert f"Continue without {absent}" not in page_of(game, second)
    page = page_of(game, second, "vote/")
    assert f"Play on without {absent}?" in page
    assert "Let a bot play" not in page


def test_the_absent_player_ends_the_call_by_a_button_or_a_move(game: Game, clock: FrozenClock) -> None:
    absent, (first, _second) = mover(game), others(game)
    path = f"/g/{game.key}/vote/"
    for _call in range(2):
        client_of(first).post(path, {"do": "start", "purpose": "out"})
        vote = vote_in(page_of(game, absent))
        client_of(absent).post(path, {"do": "decline", "vote": vote})
        clock.move_on(days=3)
    page = page_of(game, absent)
    assert "The proposal ends when you move." in page
    assert "I am back" not in page
    refused = client_of(absent).post(path, {"do": "decline", "vote": vote_in(page)})
    assert (refused.status_code, "Please move to end the proposal." in refused.text) == (409, True)
    assert (
        client_of(absent).post(f"/g/{game.key}/play/", form_of(game, legal_fields(game))).status_code == 302
    )
    assert vote_in(page_of(game, first)) == ""


def test_all_players_agree_to_cancel_a_game_and_strangers_see_no_vote(clock: FrozenClock) -> None:
    ines, tobias = person("Ines"), person("Tobias")
    game = game_of(ines, tobias, bots=("easy",))
    path = f"/g/{game.key}/vote/"
    assert "Ask the others to cancel" in client_of(ines).get(path).text
    assert "<h1>Change the pace or cancel</h1>" in client_of(ines).get(path).text
    assert "Continue without" not in client_of(ines).get(path).text
    assert client_of(ines).post(path, {"do": "start", "purpose": "bot"}).status_code == 409
    assert client_of(ines).post(path, {"do": "start"}).status_code == 400
    assert client_of(ines).post(path, {"do": "start", "purpose": "cancel", "text": ""}).url.endswith("/text/")
    assert vote_in(page_of(game, person("Noor"))) == ""
    assert vote_in(Client().get(game.get_absolute_url()).text) == ""
    client_of(tobias).post(path, {"do": "start", "purpose": "cancel"})
    assert fresh(game).ending == "cancelled"
    assert client_of(tobias).get(path).status_code == 302
    assert "Ask the others" not in client_of(person("Mina")).get(path, follow=True).text


def test_a_game_against_bots_offers_no_cancel(clock: FrozenClock) -> None:
    ines = person("Ines")
    page = page_of(game_of(ines, bots=("easy",)), ines, "vote/")
    assert "<h1>Change the pace</h1>" in page
    assert "Nobody else has to agree" in page
    assert "Agree with the others" not in page
    assert "cancel" not in page.lower()
