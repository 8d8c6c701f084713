"""How many queries the pages of a game run: what most games don't have costs none."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.models import (
    FACTS,
    ChatLine,
    Game,
    PlayerRating,
    PrivateNote,
    SeatChange,
    Vacation,
    Vote,
    facts_of,
)
from games.queries.overviews import overviews, overviews_without_lists
from tests.clients import HTMX, client_of
from tests.play import form_of, fresh, game_of, legal_fields, mover, person, play_some

pytestmark = pytest.mark.django_db


@pytest.fixture
def people() -> tuple[User, User]:
    return person("Ines"), person("Tobias")


@pytest.fixture
def game(people: tuple[User, User]) -> Game:
    return play_some(game_of(*people), 20, random.Random(1))


def client_of_visitor(user: User) -> Client:
    """Return a client whose visit the site has noted."""
    client = client_of(user)
    client.get("/rules/")
    return client


def reads_of(request: Callable[[], Any]) -> int:
    """Return how many reading queries a request runs."""
    with CaptureQueriesContext(connection) as captured:
        assert request().status_code == 200
    return sum(query["sql"].startswith("SELECT") for query in captured.captured_queries)


def test_the_page_of_a_game_needs_seven_queries(game: Game) -> None:
    client = client_of_visitor(mover(game))
    assert reads_of(lambda: client.get(game.get_absolute_url())) <= 7


def test_a_part_of_the_page_needs_six_queries(game: Game) -> None:
    client = client_of_visitor(mover(game))
    assert reads_of(lambda: client.get(game.get_absolute_url(), headers=HTMX)) <= 6


def test_an_action_needs_ten_reads(game: Game) -> None:
    client, form = client_of_visitor(mover(game)), form_of(game, legal_fields(game))
    address = f"{game.get_absolute_url()}play/"
    assert reads_of(lambda: client.post(address, form, headers=HTMX)) <= 10


def test_a_game_without_anything_unusual_has_no_facts(game: Game, people: tuple[User, User]) -> None:
    assert facts_of(game, people[0].pk) == frozenset({"mails"})


def test_facts_are_those_of_the_game_and_the_viewer(game: Game, people: tuple[User, User]) -> None:
    ines, tobias = people
    ChatLine.objects.create(game=game, author=ines, text="Hello")
    Vote.objects.create(game=game, purpose=Vote.Purpose.CANCEL, started_by=ines)
    SeatChange.objects.create(game=game, seat=0, number=3, user=ines, former=tobias, at=game.moved_at)
    PlayerRating.objects.create(user=tobias)
    Vacation.objects.create(user=tobias, starts_at=game.started_at, ends_at=game.moved_at, time_zone="UTC")
    PrivateNote.objects.create(game=game, user=ines, text="Refill early")
    of_all = {"mails", "chat", "votes", "seat_changes", "ratings", "vacations"}
    assert of_all < FACTS
    assert facts_of(fresh(game), ines.pk) == {*of_all, "note"}
    assert facts_of(fresh(game), tobias.pk) == {*of_all, "handed_over"}
    assert facts_of(fresh(game)) == of_all
    assert "chat" not in facts_of(game_of(person("Noor"), person("Kenji")), ines.pk)


def test_facts_are_read_once_and_again_after_a_refresh(game: Game, people: tuple[User, User]) -> None:
    assert "chat" not in facts_of(game, people[0].pk)
    ChatLine.objects.create(game=game, author=people[0], text="Hello")
    with CaptureQueriesContext(connection) as captured:
        assert "chat" not in facts_of(game, people[0].pk)
        assert "chat" not in facts_of(game)
    assert not captured.captured_queries
    game.refresh_from_db()
    assert "chat" in facts_of(game, people[0].pk)


def test_pages_without_lists_get_the_same_number_by_one_query(people: tuple[User, User]) -> None:
    noor = person("Noor")
    play_some(game_of(*people), 3)
    game_of(noor, people[0])
    everybody = {None, noor.pk, *(one.pk for one in people)}
    with CaptureQueriesContext(connection) as captured:
        turns = {user: one.turns for user, one in overviews_without_lists(everybody).items()}
    assert len(captured.captured_queries) == 1
    assert turns == {user: one.turns for user, one in overviews(everybody).items()}
    assert turns[None] == 0
    assert sum(turns.values()) == 2
