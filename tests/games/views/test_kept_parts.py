"""Parts of pages that a process keeps: nobody gets a part of another viewer, another language or a secret."""

import random
import re
from collections.abc import Callable, Iterator
from unittest import mock

import pytest
from django.test import Client
from django.utils.translation import override

from accounts.models import User
from games.models import Game
from games.novaluna.board.bar import choice_data
from games.novaluna.engine import TILES
from games.shown import parts
from games.shown.history import history
from games.templatetags import boards
from tests.clients import HTMX, client_of
from tests.play import game_of, person, play_some, position_of

pytestmark = pytest.mark.django_db

KEEPING = (parts.include_kept, parts.include_kept_panel, boards.log_entries, choice_data, history)
# What differs from one response to the next, for the same viewer too.
CHANGING = re.compile(r'name="(csrfmiddlewaretoken|request_id)" value="[^"]+"|<time.*?</time>')


@pytest.fixture
def people() -> tuple[User, User]:
    return person("Ines"), person("Tobias")


@pytest.fixture
def game(people: tuple[User, User]) -> Game:
    return play_some(game_of(*people), 20, random.Random(1))


def forget_all() -> None:
    for keeping in KEEPING:
        keeping.forget()


@pytest.fixture
def kept() -> Iterator[Callable[[], list[str]]]:
    """Start without kept parts; return a function that returns those that were rendered since then."""
    rendered: list[str] = []
    render = parts.render_to_string

    def remember(template_name: str, values: dict[str, object]) -> str:
        rendered.append(render(template_name, values))
        return rendered[-1]

    forget_all()
    with mock.patch.object(parts, "render_to_string", remember):
        yield lambda: rendered
    forget_all()


def board(client: Client, game: Game) -> str:
    return CHANGING.sub("", client.get(game.get_absolute_url(), headers=HTMX).text)


def test_every_viewer_gets_the_page_that_they_get_without_kept_parts(
    kept: Callable[[], list[str]], people: tuple[User, User], game: Game
) -> None:
    clients = [Client(), *map(client_of, people)]
    alone = []
    for client in clients:
        forget_all()
        alone.append(board(client, game))
    assert len(set(alone)) == len(clients), "each viewer has a page of their own"
    assert [board(client, game) for client in clients] == alone
    count = len(kept())
    assert [board(client, game) for client in reversed(clients)] == alone[::-1]
    assert len(kept()) == count, "every part was kept"


def test_no_kept_part_shows_an_undrawn_tile_or_a_token(
    kept: Callable[[], list[str]], people: tuple[User, User], game: Game
) -> None:
    for user in people:
        board(client_of(user), game)
    position = position_of(game)
    drawn = set(position.setup.deck[: position.revealed_count])
    shown = set(re.findall(r"#tile-(\w+)", "".join(kept())))
    assert shown, "parts show tiles"
    assert shown <= drawn < set(TILES)
    assert "csrf" not in "".join(kept())


def test_a_part_is_kept_for_its_language(kept: Callable[[], list[str]]) -> None:
    values = {"placed": 3, "discs": 4, "seat": 0, "label": "3 of 7"}
    english = parts.include_kept("novaluna/_gauge.html", **values)
    with override("de"):
        parts.include_kept("novaluna/_gauge.html", **values)
    assert len(kept()) == 2
    assert parts.include_kept("novaluna/_gauge.html", **values) == english
    assert len(kept()) == 2


def test_a_part_escapes_its_values(kept: Callable[[], list[str]]) -> None:
    part = parts.include_kept("novaluna/_gauge.html", placed=3, discs=4, seat=0, label="<b>")
    assert "&lt;b&gt;" in part
    assert [part] == kept()
