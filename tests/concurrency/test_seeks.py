"""People who look for others at the same moment meet, and nobody sits in two games."""

import uuid
from collections import Counter
from collections.abc import Callable

import pytest

from accounts.models import User
from games.models import Game, Seat, Seek
from games.services import tables
from tests.concurrency.simultaneous import run_simultaneously
from tests.play import person

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.databases]


def looking(user: User) -> Callable[[], int]:
    def call() -> int:
        tables.start_looking(user, "novaluna", uuid.uuid4())
        return 0

    return call


def looking_again(user: User) -> Callable[[], int]:
    def call() -> int:
        tables.look_again(user)
        return 0

    return call


@pytest.mark.parametrize("count", [2, 3, 8])
def test_people_who_press_at_the_same_time_meet(count: int) -> None:
    people = [person(f"Person{number}") for number in range(count)]
    run_simultaneously([looking(user) for user in people])
    # All pages ask again, also at the same time.
    run_simultaneously([looking_again(user) for user in people])
    assert Game.objects.running().count() == Game.objects.count() == count // 2
    assert set(Counter(Seat.objects.values_list("user", flat=True)).values()) == {1}
    assert Seek.objects.filter(game=None).count() == count % 2


def test_who_presses_again_while_others_come_gets_one_game() -> None:
    people = [person(f"Person{number}") for number in range(3)]
    run_simultaneously([looking(user) for user in people * 3])
    run_simultaneously([looking_again(user) for user in people])
    assert Game.objects.count() == 1
    assert set(Counter(Seat.objects.values_list("user", flat=True)).values()) == {1}


def test_who_stops_while_somebody_comes_is_seated_or_not(ines: User, tobias: User) -> None:
    tables.start_looking(ines, "novaluna", uuid.uuid4())
    found: list[Game | None] = []

    def stop() -> int:
        found.append(tables.stop_looking(ines))
        return 0

    run_simultaneously([stop, looking(tobias)])
    assert [game for game in found if game] == list(Game.objects.all())
    assert Seek.objects.filter(game=None).count() == 1 - Game.objects.count()
