"""After the end of a game, everybody sees all hands, at each step of its history; before it, nobody does."""

from collections.abc import Iterable
from html import unescape
from random import Random

import pytest
from django.test import Client

from games.log import replay
from games.log.replay import secret_log
from games.lunar.engine import Position
from games.lunar.words import join_cards
from games.models import Game
from tests.clients import client_of
from tests.lunar.games import lunar_game, position_of, user_of
from tests.play import play_all

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("dealt")]

HEADING = "All hands"


def played_out(seats: int) -> tuple[Game, list[object]]:
    """Return a new game, and random actions until its end."""
    game, rng, actions = lunar_game(seats), Random(4), []
    position = position_of(game)
    while position.awaited:
        actions.append(rng.choice(list(position.legal(min(position.awaited)))))
        position = position.apply(actions[-1]).position
    return game, actions


def hands_after(game: Game, number: int) -> Iterable[str]:
    position = secret_log(game).at(number)
    assert isinstance(position, Position)
    return [join_cards(hand) for hand in position.hands]


@pytest.mark.parametrize("seats", [2, 4])
def test_all_hands_are_shown_at_each_step_after_the_end(seats: int) -> None:
    game, actions = played_out(seats)
    game = play_all(game, actions)
    for number, client in ((0, Client()), (5, client_of(user_of(game, 1))), (21, Client())):
        for part in ("", "text/"):
            text = unescape(client.get(f"/g/{game.key}/{part}?at={number}").text)
            assert HEADING in text
            assert all(hand in text for hand in hands_after(game, number)), (number, part)
    at_end = Client().get(f"/g/{game.key}/").text
    assert 'id="hands"' not in at_end, "nobody has a card"
    assert all(hand in unescape(at_end) for hand in hands_after(game, 0)), "as dealt"


def test_a_process_replays_a_game_that_is_over_once(monkeypatch: pytest.MonkeyPatch) -> None:
    game = play_all(*played_out(2))
    replays = []
    whole_log = replay._whole_log
    monkeypatch.setattr(replay, "_whole_log", lambda *log: replays.append(log) or whole_log(*log))
    replay._kept.cache_clear()
    for _visit in range(2):
        assert HEADING in Client().get(f"/g/{game.key}/?at=5").text
    assert len(replays) == 2, "as spectators know it, and with all hands"


@pytest.mark.parametrize("seats", [2, 4])
def test_no_step_shows_all_hands_while_the_game_runs(seats: int) -> None:
    game, actions = played_out(seats)
    game = play_all(game, actions[:25])
    for client in (Client(), client_of(user_of(game, 1))):
        for part in ("", "text/", "?at=0", "text/?at=21"):
            assert HEADING not in client.get(f"/g/{game.key}/{part}").text
