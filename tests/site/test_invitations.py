"""An invitation by link: it says what this is, and one press seats the visitor, also through a log-in."""

import pytest
from django.test import Client
from django_webtest import DjangoTestApp
from webtest import Form, TestResponse

from accounts.models import User
from games.models import Game
from games.services import tables
from games.views import invitations
from tests.clients import client_of, without_marks
from tests.play import fresh, game_of, person

pytestmark = pytest.mark.django_db

PASSWORD = "moon-and-stars-17"


@pytest.fixture
def table() -> Game:
    """A table of Ines with one free seat."""
    return tables.open_table(person("Ines"), tables.TableOptions(2))


@pytest.fixture
def olga() -> User:
    olga = person("Olga")
    olga.set_password(PASSWORD)
    olga.save()
    return olga


def form_with(page: TestResponse, name: str) -> Form:
    return next(form for form in page.forms.values() if name in form.fields)


def press(page: TestResponse, button: str) -> TestResponse:
    """Press a button of the invitation, and follow it to the next page."""
    return form_with(page, "log_in").submit(button).follow()


def seated(table: Game) -> list[str]:
    return [seat.name for seat in table.seats.select_related("user") if not seat.is_free]


def test_it_says_what_this_is_who_invites_and_how_long_it_takes(client: Client, table: Game) -> None:
    page = without_marks(client.get(table.get_absolute_url()).text)
    assert "Ines invites you to a game of Nova Luna" in page
    assert "a tile-laying game, played in turns" in page
    assert "2\xa0players · 20\xa0discs" in page
    assert "About 30 minutes" in page
    assert 'New to the game? <a href="/learn/">Learn to play</a>: that takes 5 minutes.' in page
    own = client_of(User.objects.get(username="Ines")).get(table.get_absolute_url()).text
    assert "invites you" not in own


def test_a_listed_table_invites_only_those_for_whom_a_seat_is_kept(client: Client) -> None:
    table = tables.open_table(person("Ines"), tables.TableOptions(2, pace="day", is_public=True))
    page = without_marks(client.get(table.get_absolute_url()).text)
    assert "A game of Nova Luna with Ines" in page
    assert "invites you" not in page


def test_a_member_sits_down_with_one_press(django_app: DjangoTestApp, table: Game, olga: User) -> None:
    page = django_app.get(table.get_absolute_url(), user=olga)
    form = next(form for form in page.forms.values() if form.action.endswith("/join/"))
    assert form.submit().follow().request.path == table.get_absolute_url()
    assert seated(table) == ["Ines", "Olga"]


def test_a_log_in_seats_the_visitor_without_asking_again(
    django_app: DjangoTestApp, table: Game, olga: User
) -> None:
    page = press(django_app.get(table.get_absolute_url()), "log_in")
    assert seated(table) == ["Ines"]
    form = form_with(page, "login")
    form["login"], form["password"] = "Olga", PASSWORD
    board = form.submit().follow()
    assert board.request.path == table.get_absolute_url()
    assert seated(table) == ["Ines", "Olga"]
    assert fresh(table).is_running


def test_a_sign_up_seats_the_visitor_without_asking_again(django_app: DjangoTestApp, table: Game) -> None:
    form = form_with(press(django_app.get(table.get_absolute_url()), "sign_up"), "password1")
    form["username"], form["email"], form["password1"] = "Noor", "noor@example.org", PASSWORD
    assert form.submit().follow().request.path == table.get_absolute_url()
    assert seated(table) == ["Ines", "Noor"]


def log_in(client: Client, table: Game, next_page: str | None = None) -> None:
    next_page = table.get_absolute_url() if next_page is None else next_page
    form = {"login": "Olga", "password": PASSWORD, "next": next_page}
    assert client.post("/account/login/", form).status_code == 302


def test_only_the_press_and_the_log_in_that_returns_to_the_table_seat_somebody(
    table: Game, olga: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_press, elsewhere, too_late = Client(), Client(), Client()
    without_press.get(table.get_absolute_url())
    without_press.get(f"/g/{table.key}/join/", {"log_in": "1"})
    log_in(without_press, table)

    for client in (elsewhere, too_late):
        client.post(f"/g/{table.key}/join/", {"log_in": "1"})
    log_in(elsewhere, table, next_page="/")
    monkeypatch.setattr(invitations, "WISH_LASTS", -1)
    log_in(too_late, table)
    assert seated(table) == ["Ines"]
    monkeypatch.undo()

    in_time = Client()
    in_time.post(f"/g/{table.key}/join/", {"log_in": "1"})
    log_in(in_time, table)
    assert seated(table) == ["Ines", "Olga"]


def test_a_table_that_is_full_or_closed_by_then_is_no_error(table: Game, olga: User) -> None:
    late, later = Client(), Client()
    for client in (late, later):
        client.post(f"/g/{table.key}/join/", {"log_in": "1"})
    tables.join(table.key, person("Noor"))
    log_in(late, table)
    page = late.get(table.get_absolute_url()).text
    assert "Every seat at this table is taken." in page
    assert "Play a game yourself" in page
    table.delete()
    log_in(later, table)
    assert "The table was probably closed" in later.get(table.get_absolute_url()).text


def test_a_started_game_says_that_every_seat_is_taken(client: Client) -> None:
    game = game_of(person("Petra"), person("Tobias"))
    page = client.get(game.get_absolute_url()).text
    assert "You are watching this game." in page
    assert 'href="/">Play a game yourself</a>' in page
