"""People look for others for a live game: who waits on an open page is seated, and nobody else."""

import uuid
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from games.models import SEEK_PRESENCE, SEEK_TIME, Block, Game, Seek
from games.services import tables
from games.services.errors import Conflict
from games.services.pruning.overdue import prune
from tests.play import fresh, person

pytestmark = pytest.mark.django_db


def look(user: User, title: str = "novaluna", pace: str = "live5") -> Seek:
    seek = tables.start_looking(user, title, uuid.uuid4(), pace=pace)
    assert seek is not None
    return seek


def test_two_people_who_look_meet_in_a_live_game(ines: User, tobias: User) -> None:
    assert look(ines).game is None
    game = look(tobias).game
    assert game is not None
    assert fresh(game).is_running
    assert (game.pace, game.changes_ratings) == ("live5", False)
    assert list(game.seats.values_list("user__username", flat=True)) == ["Ines", "Tobias"]
    found = tables.look_again(ines)
    assert found is not None
    assert found.game == game


def test_a_second_press_does_not_lose_the_game_that_was_found(ines: User, tobias: User) -> None:
    look(ines)
    game = look(tobias).game
    assert look(ines, pace="live3").game == look(ines).game == game
    Game.objects.update(status=Game.Status.OVER)
    assert look(ines).game is None


def test_only_those_meet_who_look_for_the_same_pace(ines: User, tobias: User) -> None:
    look(ines, pace="live3")
    assert look(tobias).game is None
    game = look(tobias, pace="live3").game
    assert game is not None
    assert game.pace == "live3"


def test_a_closed_page_seats_nobody(ines: User, tobias: User) -> None:
    look(ines)
    Seek.objects.update(seen_at=timezone.now() - SEEK_PRESENCE)
    assert look(tobias).game is None
    # Its page asks again: it was only slow.
    found = tables.look_again(ines)
    assert found is not None
    assert found.game is not None


def test_a_search_ends_after_a_minute_or_when_it_is_stopped(ines: User, tobias: User) -> None:
    look(ines)
    Seek.objects.update(at=timezone.now() - SEEK_TIME)
    assert look(tobias).game is None
    found = tables.look_again(ines)
    assert found is not None
    assert not found.waits(timezone.now())
    assert tables.stop_looking(tobias) is None
    assert look(ines).game is None
    assert not Game.objects.exists()


def test_a_search_in_vain_updates_home_pages_once(
    ines: User, django_capture_on_commit_callbacks: Callable[..., AbstractContextManager[list[object]]]
) -> None:
    look(ines)
    ended = timezone.now() - SEEK_TIME
    Seek.objects.update(at=ended, seen_at=ended + SEEK_TIME - timedelta(seconds=1))
    with django_capture_on_commit_callbacks() as updates:
        for _poll in range(4):
            found = tables.look_again(ines)
            assert found is not None
            assert found.was_in_vain(timezone.now())
    assert len(updates) == 1


def test_who_stops_too_late_gets_the_game(ines: User, tobias: User) -> None:
    look(ines)
    game = look(tobias).game
    assert tables.stop_looking(ines) == game


def test_nobody_plays_against_themselves_and_a_request_counts_once(ines: User, tobias: User) -> None:
    request_id = uuid.uuid4()
    for _press in range(3):
        tables.start_looking(ines, "novaluna", request_id)
    assert Seek.objects.count() == 1
    look(tobias)
    again = tables.start_looking(ines, "novaluna", request_id)
    assert again is not None
    assert again.game == Game.objects.get()


def test_who_asks_for_the_same_once_more_waits_on_and_for_another_from_the_start(ines: User) -> None:
    before = look(ines)
    again = look(ines)
    assert (again.at, again.request_id == before.request_id) == (before.at, False)
    other = look(ines, pace="live3")
    assert other.at > before.at
    Seek.objects.update(at=timezone.now() - SEEK_TIME)
    assert look(ines, pace="live3").waits(timezone.now())


def test_people_who_can_have_no_game_keep_nobody_waiting(ines: User, tobias: User) -> None:
    for _table in range(tables.MOST_OPEN_TABLES):
        tables.open_table(ines, tables.TableOptions(2))
    look(ines)
    assert look(tobias).game is None
    assert not Seek.objects.filter(user=ines).exists()
    look(person("Mina"))
    assert Game.objects.running().get().seats.filter(user=tobias).exists()


def test_their_own_search_says_why(ines: User, tobias: User) -> None:
    for _table in range(tables.MOST_OPEN_TABLES):
        tables.open_table(ines, tables.TableOptions(2))
    look(ines)
    Seek.objects.filter(user=ines).update(seen_at=timezone.now() - SEEK_PRESENCE)
    look(tobias)
    Seek.objects.filter(user=ines).update(at=timezone.now() - timedelta(seconds=30))
    Seek.objects.filter(user=tobias).update(at=timezone.now() - timedelta(seconds=1))
    with pytest.raises(Conflict):
        tables.look_again(ines)


@pytest.mark.usefixtures("pairs")
def test_a_title_for_four_needs_four(ines: User, tobias: User) -> None:
    people = [ines, tobias, person("Mina"), person("Noor")]
    look(person("Luna"))  # for another title
    for user in people[:3]:
        assert look(user, "pairs").game is None
    game = look(people[3], "pairs").game
    assert game is not None
    assert fresh(game).is_running
    assert {seat.user for seat in game.seats.all()} == set(people)


def test_old_searches_are_removed(ines: User) -> None:
    look(ines)
    prune()
    assert Seek.objects.exists()
    Seek.objects.update(at=timezone.now() - timedelta(days=2))
    prune()
    assert not Seek.objects.exists()


def test_many_who_keep_apart_take_one_query(ines: User) -> None:
    queries = []
    for name in ("Tobias", "Noor", "Mina", "Vera"):
        other = person(name)
        Block.objects.create(user=other, blocked=ines)
        look(ines)
        for earlier in User.objects.exclude(pk__in=[ines.pk, other.pk]).order_by("pk"):
            Block.objects.create(user=earlier, blocked=other)
        assert look(other).game is None
        with CaptureQueriesContext(connection) as captured:
            assert tables.look_again(ines) is not None
        queries.append(len(captured))
    assert len(set(queries)) == 1
