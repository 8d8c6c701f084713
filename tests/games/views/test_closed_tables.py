"""Requests for a table that was closed a moment before."""

import uuid
from collections.abc import Callable

import pytest

from accounts.models import User
from games.engine import Resign
from games.models import Game
from games.queries.access import access_game
from games.services import play as play_service
from games.services import presence, tables
from games.services.errors import Gone
from tests.clients import HTMX, client_of
from tests.play import form_of, person

pytestmark = pytest.mark.django_db


@pytest.fixture
def ines() -> User:
    return person("Ines")


@pytest.fixture
def table(ines: User) -> Game:
    """A table of Ines with two free seats."""
    return tables.open_table(ines, 3, (), beginner=False, is_public=True)


@pytest.mark.parametrize("change", [tables.join, tables.leave, tables.close])
def test_services_raise_gone_for_a_closed_table(
    change: Callable[[str, User], object], table: Game, ines: User
) -> None:
    tables.close(table.key, ines)
    with pytest.raises(Gone, match="closed"):
        change(table.key, ines)


def test_an_action_raises_gone_if_the_table_is_closed_before_the_lock(
    table: Game, ines: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    # `play` marks presence after it has found the seat and before it locks the game.
    monkeypatch.setattr(presence, "mark", lambda key, user_id: tables.close(key, ines))
    with pytest.raises(Gone, match="closed"):
        play_service.play(table.key, ines, Resign(0), 1, uuid.uuid4())


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
    assert "the table was closed" in response.text
