"""A finished game has one rematch, even if all players press the button at the same time."""

from collections.abc import Callable

import pytest
from django.test import Client

from games.models import Game
from tests.clients import client_of
from tests.concurrency.simultaneous import run_simultaneously
from tests.play import cancel_game, game_of, person

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.databases]


def test_simultaneous_presses_of_all_players_start_one_rematch() -> None:
    users = [person("Ines"), person("Tobias"), person("Mina")]
    finished = game_of(*users)
    cancel_game(finished)
    clients = [client_of(user) for user in users * 2]

    def press(client: Client) -> Callable[[], int]:
        return lambda: client.post(f"/g/{finished.key}/rematch/").status_code

    assert run_simultaneously([press(client) for client in clients]) == [302] * 6
    [game] = Game.objects.filter(rematch_of=finished)
    assert game.is_running
    assert {seat.user for seat in game.seats.all()} == set(users)
