"""Without the database every address answers with a calm page and status 503, and the log stays short."""

import sqlite3
from collections.abc import Iterator
from unittest import mock

import psycopg
import pytest
from asgiref.sync import async_to_sync
from django.db import DatabaseError, InterfaceError, InternalError, OperationalError, connection
from django.templatetags.static import static
from django.test import AsyncClient, Client

from accounts.database import errors
from games.models import Game
from novaluna_site import storage_errors
from tests.clients import client_of
from tests.play import form_of, legal_fields, mover
from tests.plugins.children import free_port

pytestmark = pytest.mark.django_db(transaction=True)

NOTHING, STORES_NOTHING, IS_AWAY = "", "stores nothing", "is away"


@pytest.fixture(autouse=True)
def _log_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage_errors, "_logged_at", {})


@pytest.fixture
def player(game: Game) -> Client:
    client = client_of(mover(game))
    client.raise_request_exception = False
    return client


@pytest.fixture
def requests(game: Game, player: Client) -> Iterator[list[tuple[str, str, dict[str, str], dict[str, str]]]]:
    """Requests of a player (method, path, form, headers), while the database is away."""
    html, htmx = {"accept": "text/html"}, {"hx-request": "true"}
    url = game.get_absolute_url()
    all_requests = [
        ("get", "/", {}, html),
        ("get", url, {}, html),
        ("get", url, {}, htmx),
        ("get", f"{url}version/", {}, {}),
        ("get", "/updates/", {}, {}),
        ("post", f"{url}play/", form_of(game, legal_fields(game)), htmx),
        ("post", "/account/login/", {"login": "Ines", "password": "moon-and-stars-17"}, html),
        ("get", "/admin/", {}, html),
        ("get", "/no-such-page/", {}, html),
    ]
    place, away = ("PORT", free_port()) if connection.vendor == "postgresql" else ("NAME", "/nowhere/db")
    connection.close()
    with mock.patch.dict(connection.settings_dict, {place: away}):
        yield all_requests
        connection.close()


def test_every_request_gets_a_page_with_status_503(
    player: Client,
    requests: list[tuple[str, str, dict[str, str], dict[str, str]]],
    caplog: pytest.LogCaptureFixture,
) -> None:
    for method, path, form, headers in requests:
        response = getattr(player, method)(path, form, headers=headers)
        assert response.status_code == 503, path
        assert 5 <= int(response.headers["Retry-After"]) <= 60, path
        assert "The site is briefly unavailable" in response.text, path
        assert "no-store" in response.headers["Cache-Control"], path
        assert response.headers.get("HX-Retarget", "") == ("body" if "hx-request" in headers else ""), path
    assert [record.name for record in caplog.records] == [storage_errors.logger.name], caplog.text
    assert "Traceback" not in caplog.text


@pytest.mark.usefixtures("requests")
def test_a_stream_is_refused_and_files_are_served(game: Game, player: Client) -> None:
    client = AsyncClient(raise_request_exception=False)
    client.cookies = player.cookies
    for path in (f"{game.get_absolute_url()}stream/", "/updates/stream/?lists"):
        response = async_to_sync(client.get)(path)
        assert response.status_code == 503, path
        assert "Retry-After" in response.headers, path
    assert player.get(static("games/css/base.css")).status_code == 200


def test_the_site_works_again_with_the_database(game: Game, player: Client) -> None:
    with mock.patch.object(
        connection, "ensure_connection", side_effect=OperationalError("the connection is lost")
    ):
        connection.close()
        assert player.get("/").status_code == 503
    assert player.get("/").status_code == 200


def caused_by(error: DatabaseError | InterfaceError, cause: Exception | None) -> Exception:
    error.__cause__ = cause
    return error


def sqlite_error(code: int) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("the words do not matter")
    error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize(
    ("error", "meaning"),
    [
        *[
            (caused_by(OperationalError(), psycopg.errors.lookup(code)()), IS_AWAY)
            for code in (
                "08000", "08001", "08003", "08006", "08P01",  # connections that fail or are lost
                "53000", "53200", "53300",  # no memory, too many connections
                "57014", "57P01", "57P02", "57P03", "58030",  # cancelled, stopped, crashed, starting up, disk
                "28P01", "28000", "3D000",  # no log-in, no such database
            )
        ],
        (caused_by(OperationalError(), psycopg.OperationalError("connection refused")), IS_AWAY),
        (caused_by(InterfaceError(), psycopg.InterfaceError("the cursor is closed")), IS_AWAY),
        (InterfaceError("connection already closed"), IS_AWAY),
        (caused_by(InternalError(), psycopg.errors.lookup("25006")()), STORES_NOTHING),
        (caused_by(OperationalError(), psycopg.errors.lookup("53100")()), STORES_NOTHING),
        (caused_by(OperationalError(), psycopg.errors.lookup("40P01")()), NOTHING),
        (caused_by(OperationalError(), psycopg.errors.lookup("40001")()), NOTHING),
        (caused_by(OperationalError(), sqlite_error(sqlite3.SQLITE_BUSY)), STORES_NOTHING),
        (caused_by(OperationalError(), sqlite_error(sqlite3.SQLITE_LOCKED)), STORES_NOTHING),
        (caused_by(OperationalError(), sqlite_error(sqlite3.SQLITE_BUSY_SNAPSHOT)), STORES_NOTHING),
        (caused_by(OperationalError(), sqlite_error(sqlite3.SQLITE_CANTOPEN)), IS_AWAY),
        (caused_by(OperationalError(), sqlite_error(sqlite3.SQLITE_ERROR)), NOTHING),
        (ValueError(), NOTHING),
        (None, NOTHING),
    ],
)  # fmt: skip
def test_what_an_error_of_a_database_means(error: Exception | None, meaning: str) -> None:
    is_away, stores_nothing = errors.is_away(error), errors.is_unable_to_store(error)
    assert (IS_AWAY if is_away else STORES_NOTHING if stores_nothing else NOTHING) == meaning


def test_a_server_that_only_reads_says_that_nothing_can_be_saved(game: Game, player: Client) -> None:
    """As while another server takes over."""
    error = caused_by(InternalError("read-only"), psycopg.errors.lookup("25006")())
    form = form_of(game, legal_fields(game))
    with mock.patch("games.views.game.page.play_action", side_effect=error):
        response = player.post(f"{game.get_absolute_url()}play/", form)
    assert response.status_code == 503
    assert "Nothing can be saved" in response.text
    assert "Retry-After" in response.headers
