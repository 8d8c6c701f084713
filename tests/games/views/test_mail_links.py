"""The link in an email about a turn: for its reader it opens the board, and asks others who they are."""

from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from django_webtest import DjangoTestApp

from accounts.models import User
from games.models import Game
from games.queries.mail_links import url_for_reader
from tests.clients import client_of, without_marks
from tests.play import game_of, mover, person, turn_mail

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(ines: User) -> Game:
    """A game in which Ines is to move."""
    tobias = person("Tobias")
    while mover(game := game_of(ines, tobias)) != ines:
        pass
    return game


def link_of(game: Game, reader: User) -> str:
    url = urlsplit(url_for_reader(game.get_absolute_url(), reader))
    return f"{url.path}?{url.query}"


def test_the_email_has_a_link_that_knows_its_reader_in_both_versions(game: Game, ines: User) -> None:
    mail = turn_mail(game, ines)
    assert url_for_reader(game.get_absolute_url(), ines) in mail.body
    assert url_for_reader(game.get_absolute_url(), ines) in str(mail.alternatives[0][0])


def test_the_reader_gets_the_board_at_an_address_that_can_be_shared(game: Game, ines: User) -> None:
    response = client_of(ines).get(link_of(game, ines))
    assert response.status_code == 302
    assert response.url == game.get_absolute_url()


def test_a_reader_who_is_logged_out_logs_in_and_comes_back(
    django_app: DjangoTestApp, game: Game, ines: User
) -> None:
    ines.set_password("moon-and-stars-17")
    ines.save()
    page = django_app.get(link_of(game, ines))
    assert "Are you Ines?" in page
    assert "You are watching" not in page
    assert "no-store" in page.headers["Cache-Control"]
    forms = page.click("Log in to move").forms
    form = next(form for form in forms.values() if "login" in form.fields)
    form["login"], form["password"] = "Ines", "moon-and-stars-17"
    board = form.submit().follow()
    assert board.request.path == game.get_absolute_url()
    assert board.html.select_one("#game")["data-turn"] == "mine"


def test_somebody_else_is_told_whose_link_it_is(django_app: DjangoTestApp, game: Game, ines: User) -> None:
    olga = person("Olga")
    page = django_app.get(link_of(game, ines), user=olga)
    assert "Are you Ines?" in page
    assert "In this browser you are logged in as Olga." in without_marks(page.text)
    out = page.click("Log in as ")
    next_page = parse_qs(urlsplit(out.request.url).query)["next"]
    assert next_page == [f"/account/login/?next={game.get_absolute_url()}"]
    assert "You are watching" in page.click("Open the game as ")


def test_a_link_without_a_valid_signature_shows_the_game_and_no_name(client: Client, game: Game) -> None:
    petra = person("Petra")
    for token in (str(petra.pk), f"{petra.pk}.moon", "", "0", "x.y"):
        page = client.get(game.get_absolute_url(), {"for": token}).text
        assert "You are watching" in page
        assert "Petra" not in page
