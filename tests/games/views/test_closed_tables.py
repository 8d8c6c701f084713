"""Requests for a table that was closed a moment before."""

import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from django.db import connection
from django.test import Client

from accounts.models import User
from games.models import Game
from games.novaluna.engine import Resign
from games.queries.access import access_game
from games.services import play as play_service
from games.services import presence, tables
from games.services.errors import Gone
from tests.clients import HTMX, client_of
from tests.play import form_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(ines: User) -> Game:
    """A table of Ines with two free seats."""
    return tables.open_table(ines, tables.TableOptions(3, is_public=True, pace="slow"))


@pytest.mark.parametrize("change", [tables.join, tables.leave, tables.close])
def test_services_raise_gone_for_a_closed_table(
    change: Callable[[str, User], object], table: Game, ines: User
) -> None:
    tables.close(table.key, ines)
    with pytest.raises(Gone, match="closed"):
        change(table.key, ines)


@pytest.mark.databases
def test_an_action_raises_gone_if_the_table_is_closed_before_the_lock(
    table: Game, ines: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def close(_key: str, _user: int) -> int:
        tables.close(table.key, ines)
        return 1

    # `play` finds the seat of a player by marking it, before it locks the game.
    monkeypatch.setattr(presence, "mark_player", close)
    with pytest.raises(Gone, match="closed"):
        play_service.play(table.key, ines, Resign(0), 1, uuid.uuid4())


@pytest.mark.databases
@pytest.mark.parametrize("address", ["join", "leave", "close", "play"])
@pytest.mark.parametrize("headers", [{}, HTMX])
def test_views_show_404_if_the_table_is_closed_after_they_have_loaded_it(
    address: str, headers: dict[str, str], table: Game, ines: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def load_and_close(viewer: User, key: str) -> Game:
        game = access_game(viewer, key)
        tables.close(key, ines)
        return game

    monkeypatch.setattr("games.views.tables.access_game", load_and_close)
    monkeypatch.setattr("games.views.game.page.access_game", load_and_close)
    client, body = client_of(ines), form_of(table, {"do": "resign"})
    response = client.post(f"/g/{table.key}/{address}/", body, headers=headers)
    assert response.status_code == 404
    assert "The table was probably closed" in response.text


@contextmanager
def closed_before_query(number: int, table: Game) -> Iterator[list[str]]:
    """Close the table immediately before the query with this number; yield the queries so far."""
    queries: list[str] = []

    def execute(run: Callable[..., object], sql: str, *rest: object) -> object:
        queries.append(sql)
        if len(queries) == number:
            Game.objects.filter(pk=table.pk).delete()
        return run(sql, *rest)

    with connection.execute_wrapper(execute):
        yield queries


@pytest.mark.parametrize("is_opener", [True, False])
@pytest.mark.parametrize("address", ["/", "/g/KEY/"])
def test_a_table_that_is_closed_between_two_queries_of_a_page_is_not_on_it(
    address: str, is_opener: bool, ines: User
) -> None:
    """Visits the page once for each of its queries."""
    client = client_of(ines) if is_opener else Client()
    for number in range(1, 100):
        table = tables.open_table(ines, tables.TableOptions(3, is_public=True, pace="slow"))
        with closed_before_query(number, table) as queries:
            response = client.get(address.replace("KEY", table.key))
        if len(queries) < number:
            break
        assert response.status_code in ((200,) if address == "/" else (200, 404))
        if response.status_code == 200:
            # An invitation counts the free seats in words.
            shows_seats = response.text.count('class="seat-free"') == 2 or "2 free seats" in response.text
            assert (table.key in response.text) == shows_seats
    assert number > 3
