"""Tips in a person's first game: one for each of the first turns, until the person hides them."""

import re
from html import unescape
from random import Random
from unittest import mock

import pytest
from django.test import Client
from django_webtest import DjangoTestApp

from accounts.models import User
from games.models import Game
from games.novaluna.engine import RefillRule
from games.services import deals
from tests import play
from tests.clients import client_of

pytestmark = pytest.mark.django_db


def tip_on(client: Client, game: Game, query: str = "") -> str:
    """Return the text of the tip on the page of a game; empty without one."""
    page = unescape(client.get(f"{game.get_absolute_url()}{query}").text)
    tips = re.findall(r'<aside class="tip".*?<p>\s*(.*?)\s*</p>', page, re.DOTALL)
    return re.sub(r"<[^>]*>", "", tips[0]) if tips else ""


@pytest.fixture
def game() -> Game:
    with mock.patch.object(deals, "mixed_deal", play.same_deals(2)):  # in every run
        return play.game_of(play.person("Ines"), play.person("Tobias"))


def play_turns(game: Game, user: User, turns: int) -> Game:
    """Play until it is this person's turn after they have placed this many tiles."""
    seat = game.seats.get(user=user).number
    while True:
        position = play.position_of(game)
        if len(position.displays[seat].tiles) == turns and position.to_move == seat:
            return play.fresh(game)
        play.play_one(game)


def test_the_first_turns_of_a_first_game_have_one_tip_each(game: Game) -> None:
    ines = User.objects.get(username="Ines")
    client = client_of(ines)
    tips = [tip_on(client, play_turns(game, ines, turns)) for turns in range(8)]
    assert "one of the three tiles after the marker" in tips[0]
    assert "Learn to play, 5 minutes" in tips[0]
    assert "Learn first" not in "".join(tips[1:])
    assert "needs a tile of its colour beside it" in tips[1]
    assert "the least time" in tips[2]
    assert "disc" in tips[3]
    assert "The marker moves" in tips[4]
    assert "refill the wheel first" in tips[5]
    assert "Try other cells" in tips[6]
    assert all(tips), "the board below the tips stays where it is"
    assert not tip_on(client, play_turns(game, ines, 8))


def test_the_first_tip_asks_nothing_of_a_player_who_has_to_wait(game: Game) -> None:
    mover = play.mover(game)
    [waiting] = User.objects.filter(seats__game=game).exclude(pk=mover.pk)
    assert f"{mover.username} moves first" in tip_on(client_of(waiting), game)
    assert "Choose one" in tip_on(client_of(mover), game)


def test_each_player_has_tips_in_their_own_first_game_only(game: Game) -> None:
    ines, tobias = (
        client_of(User.objects.get(username="Ines")),
        client_of(User.objects.get(username="Tobias")),
    )
    assert tip_on(ines, game)
    assert tip_on(tobias, game)
    second = play.game_of(User.objects.get(username="Ines"), play.person("Mina"))
    assert not tip_on(ines, second)
    assert tip_on(ines, game), "the first game keeps its tips"
    assert tip_on(client_of(User.objects.get(username="Mina")), second)


def test_a_guest_has_tips(client: Client) -> None:
    home = client.get("/").text
    [request_id] = set(re.findall(r'name="request_id" value="([^"]+)"', home))
    client.post("/play/", {"request_id": request_id})
    assert tip_on(client, Game.objects.get())


def test_spectators_past_positions_and_finished_games_have_no_tip(client: Client, game: Game) -> None:
    ines = client_of(User.objects.get(username="Ines"))
    assert not tip_on(client, game)
    assert not tip_on(client_of(play.person("Mina")), game)
    play.play_some(game, 2)
    assert tip_on(ines, game)
    assert not tip_on(ines, game, "?at=1")
    play.play_out(game)
    assert not tip_on(ines, game)


def test_hidden_tips_stay_hidden(game: Game) -> None:
    ines = client_of(User.objects.get(username="Ines"))
    address = f"{game.get_absolute_url()}tips/hide/"
    assert ines.get(address).status_code == 405
    assert tip_on(ines, game)
    assert ines.post(address).url == game.get_absolute_url()
    assert not tip_on(ines, game)
    assert tip_on(client_of(User.objects.get(username="Tobias")), game)
    partial = ines.post(address, headers={"hx-request": "true"}).text
    assert "Tips are hidden. The settings show them again." in partial


def test_a_tip_explains_who_moves_first_of_two_with_the_same_time(game: Game) -> None:
    rng, tip = Random(1), ""
    while "the same time" not in tip:
        play.play_one(game, rng)
        time = play.position_of(game).track.time
        tip = tip_on(client_of(play.mover(game)), game)
        assert ("the same time" in tip) == (time[0] == time[1])
    [waiting] = User.objects.filter(seats__game=game).exclude(pk=play.mover(game).pk)
    assert f"You and {waiting.username} have spent" in tip
    assert "You move first" in tip
    assert f"{play.mover(game).username} moves first" in tip_on(client_of(waiting), game)


def test_no_tip_comes_twice(game: Game) -> None:
    ines, rng, tips = User.objects.get(username="Ines"), Random(28), {}
    seat, ties = game.seats.get(user=ines).number, set()
    while (turn := len(play.position_of(game).displays[seat].tiles)) < 8:
        if play.mover(game) == ines:
            tips[turn] = tips.get(turn) or tip_on(client_of(ines), game)
            time = play.position_of(game).track.time
            ties |= {turn} if turn and time[0] == time[1] else set()
        play.play_one(game, rng)
    assert len(ties) > 1
    assert len(set(tips.values())) == len(tips) == 8


def test_the_random_order_of_the_first_turns_is_not_explained_by_arrivals() -> None:
    game = play.game_of(*map(play.person, ("Ines", "Tobias", "Mina", "Noor")))
    for _turn in range(3):
        mover = play.mover(game)
        assert "Choose one of the three tiles" in tip_on(client_of(mover), game)
        while play.mover(game) == mover:
            play.play_one(game)


def test_a_tip_explains_the_first_refill(game: Game) -> None:
    while play.position_of(game).refill is not RefillRule.ALLOWED:
        play.play_one(game, Random(1))
    tip = tip_on(client_of(play.mover(game)), game)
    assert tip == "Tip: You may refill the wheel first. Then you have more tiles to choose from."


def test_a_solo_game_has_tips_of_its_own() -> None:
    ines = play.person("Ines")
    play.game_of(ines, bots=("easy",))
    assert "Less is better" in tip_on(client_of(ines), play.solo_of(ines))
    assert not tip_on(client_of(ines), play.solo_of(ines)), "the second solo game"


def test_the_text_mode_shows_and_hides_the_tips_too(game: Game, django_app: DjangoTestApp) -> None:
    page = django_app.get(f"/g/{game.key}/text/", user="Ines")
    assert "Choose one of the three tiles after the marker" in page
    [form] = [form for form in page.forms.values() if form.action.endswith("/tips/hide/")]
    page = form.submit().follow()
    assert page.request.path == f"/g/{game.key}/text/"
    assert "Tips are hidden." in page
    assert "Tip:" not in page
