"""Fixtures that open pages in a browser as a certain user, and a running game to open."""

from collections.abc import Callable
from random import Random

import pytest
from django.conf import settings
from playwright.sync_api import BrowserContext, Page, expect

from accounts.models import User
from games.models import Game
from tests import play
from tests.browser.states import Visit
from tests.clients import client_of
from tests.conftest import OpenBrowser

OpenAs = Callable[..., Page]
OpenGame = Callable[..., Page]
Show = Callable[..., Page]


def log_in(context: BrowserContext, user: User, server: str) -> None:
    """Log a browser in without the login form."""
    client = client_of(user)
    name = settings.SESSION_COOKIE_NAME
    context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": server}])


@pytest.fixture
def open_as(open_browser: OpenBrowser, server: str) -> OpenAs:
    """Open a path as a user in a new browser: `open_as(user, path, **browser_options)`."""

    def open_one(user: User, path: str, **options: object) -> Page:
        page = open_browser(**options)
        log_in(page.context, user, server)
        page.goto(path)
        return page

    return open_one


@pytest.fixture
def show(open_browser: OpenBrowser, server: str) -> Show:
    """Show a state in a new browser: `show(visit, **browser_options)`."""

    def show_one(visit: Visit, **options: object) -> Page:
        page = open_browser(allows_refusals=visit.is_refused, **options)
        if visit.viewer:
            log_in(page.context, visit.viewer, server)
        visit.before(page)
        page.goto(visit.path)
        visit.after(page)
        return page

    return show_one


@pytest.fixture
def game() -> Game:
    """A game of three people after nine actions."""
    game = play.game_of(play.person("Ines"), play.person("Tobias"), play.person("Mina"))
    rng = Random(7)
    for _action in range(9):
        play.play_one(game, rng)
    return game


@pytest.fixture
def open_game(open_as: OpenAs, game: Game) -> OpenGame:
    """Open the game as the player to move: `open_game(**browser_options)`."""

    def open_one(**options: object) -> Page:
        page = open_as(play.mover(game), game.get_absolute_url(), **options)
        expect(page.locator("#game")).to_have_attribute("data-turn", "mine")
        return page

    return open_one
