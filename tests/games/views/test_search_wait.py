"""What pages say while a site that has just started gets its search ready."""

import pytest

from accounts.models import User
from games import search_process
from games.models import Game, Review
from games.services import hints
from tests.clients import client_of
from tests.play import fresh, game_of, play_one, play_out, solo_of

pytestmark = [pytest.mark.django_db]

SECONDS_LEFT = [(200.0, "in about 4 minutes"), (41.0, "in about 50 seconds"), (0.0, "in a moment")]


def wait_of(monkeypatch: pytest.MonkeyPatch, seconds: float | None) -> None:
    monkeypatch.setattr(search_process, "seconds_left", lambda: seconds)


def bots_turn(ines: User, level: str) -> Game:
    """Return a game in which a bot of this level is to move."""
    game = game_of(ines, bots=(level,))
    while fresh(game).to_move == 0:
        play_one(game)
    return fresh(game)


@pytest.mark.parametrize(("seconds", "words"), SECONDS_LEFT)
@pytest.mark.parametrize("mode", ["", "text/"])
def test_a_bot_that_searches_gets_ready(
    ines: User, monkeypatch: pytest.MonkeyPatch, mode: str, seconds: float, words: str
) -> None:
    address = f"{bots_turn(ines, 'expert').get_absolute_url()}{mode}"
    wait_of(monkeypatch, seconds)
    page = client_of(ines).get(address).text
    assert " is getting ready" in page
    assert f"Strong bots, hints and reviews will be ready {words}." in page
    wait_of(monkeypatch, None)
    page = client_of(ines).get(address).text
    assert " is thinking" in page
    assert "will be ready" not in page


def test_a_quick_bot_is_ready(ines: User, monkeypatch: pytest.MonkeyPatch) -> None:
    wait_of(monkeypatch, 41)
    page = client_of(ines).get(bots_turn(ines, "easy").get_absolute_url()).text
    assert " is thinking" in page
    assert "will be ready" not in page


@pytest.mark.parametrize("mode", ["", "text/"])
def test_a_hint_waits_until_the_expert_is_ready(
    ines: User, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    game = solo_of(ines)
    wait_of(monkeypatch, 41)
    assert "will be ready" not in client_of(ines).get(f"{game.get_absolute_url()}{mode}").text
    hints.ask(game.key, ines, 1)
    page = client_of(ines).get(f"{game.get_absolute_url()}{mode}").text
    assert "The expert is getting ready" in page
    assert "will be ready in about 50 seconds" in page


def test_a_review_waits_until_the_expert_is_ready(ines: User, monkeypatch: pytest.MonkeyPatch) -> None:
    game = play_out(solo_of(ines))
    Review.objects.create(game=game, asked_by=ines)
    wait_of(monkeypatch, 41)
    assert "will be ready in about 50 seconds" in client_of(ines).get(f"/g/{game.key}/review/").text
