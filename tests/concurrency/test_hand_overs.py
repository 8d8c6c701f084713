"""An offered seat has one new player, even if several people take it at the same time."""

from collections.abc import Callable

import pytest
from django.test import Client

from games.models import SeatChange
from games.services import hand_overs
from tests.clients import client_of
from tests.concurrency.simultaneous import run_simultaneously
from tests.play import game_of, person

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.databases]


def test_two_people_who_take_a_seat_at_the_same_time_make_one_change() -> None:
    ines, takers = person("Ines"), [person("Noor"), person("Otto")]
    game = game_of(ines, bots=("easy",))
    hand_overs.offer(game.key, ines, is_public=True)
    path = f"/seats/{game.seat_offers.get().key}/"
    clients = [client_of(taker) for taker in takers * 2]

    def press(client: Client) -> Callable[[], int]:
        return lambda: client.post(path).status_code

    answers = run_simultaneously([press(client) for client in clients])

    assert sorted(answers) == [302, 302, 409, 409], "a second press of the same person is no conflict"
    change = SeatChange.objects.get()
    assert (change.former, game.seats.get(bot="").user) == (ines, change.user)
    assert change.user in takers
