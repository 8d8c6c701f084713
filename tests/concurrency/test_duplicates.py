"""The last place of a duplicate match goes to one person, all tables start once, and the match ends once."""

import uuid
from collections.abc import Callable

import pytest
from django.test import Client

from games.models import DuplicateMatch, Game, Kind, Notification
from games.novaluna.engine import Resign
from games.services.play import play
from games.services.tables import duplicates
from tests.clients import client_of
from tests.concurrency.simultaneous import run_simultaneously
from tests.play import match_of, mover, person, play_some

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.databases]


def test_several_people_who_want_the_last_place_start_one_match() -> None:
    opener, second, third, *others = [person(f"Person-{number}") for number in range(7)]
    match = duplicates.open_match(opener, 2, 2, pace="day", is_public=True)
    for user in (second, third):
        duplicates.enter(match.key, user)

    def press(client: Client, **fields: str) -> Callable[[], int]:
        return lambda: client.post(match.get_absolute_url(), fields).status_code

    calls = [press(client_of(user), do="enter") for user in others]
    assert sorted(run_simultaneously(calls)) == [302, 409, 409, 409]
    assert Game.objects.running().count() == 2
    assert DuplicateMatch.objects.get().entries.count() == 4


def test_a_start_with_bots_and_the_last_person_start_one_match() -> None:
    opener, second, third, last = [person(f"Person-{number}") for number in range(4)]
    match = duplicates.open_match(opener, 2, 2, pace="day", is_public=True)
    for user in (second, third):
        duplicates.enter(match.key, user)
    clients = client_of(opener), client_of(last)

    def press(client: Client, fields: dict[str, str]) -> Callable[[], int]:
        return lambda: client.post(match.get_absolute_url(), fields).status_code

    start, enter = {"do": "start", "level": "easy"}, {"do": "enter"}
    started, entered = run_simultaneously([press(clients[0], start), press(clients[1], enter)])
    assert started == 302
    assert entered in (302, 409)
    assert Game.objects.count() == 2
    assert last.seats.exists() == (entered == 302)


def test_two_tables_that_end_at_the_same_time_end_the_match_once() -> None:
    users = [person(f"Person-{number}") for number in range(6)]
    games = match_of(*users, tables=2, seats=3)
    for game in games:
        play_some(game, 2)
        play(game.key, mover(game), Resign(0), 3, uuid.uuid4())
    leavers = [mover(game) for game in games]

    def leave(number: int) -> Callable[[], int]:
        return lambda: play(games[number].key, leavers[number], Resign(0), 4, uuid.uuid4()).number

    assert run_simultaneously([leave(0), leave(1)]) == [4, 4]
    owed = Notification.objects.filter(kind=Kind.MATCH)
    assert owed.values("user").distinct().count() == owed.count() == 1, "the one who plays on at the first"
    match = DuplicateMatch.objects.get()
    assert match.changes == 6 + 1 + 2, "six entered, the start, two ends"
