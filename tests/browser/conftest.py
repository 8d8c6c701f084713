"""A running game, opened in a browser by whoever is to move."""

from collections.abc import Callable
from random import Random

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import BrowserContext, Page, expect

from accounts.models import User
from games.models import Game
from tests import play
from tests.conftest import OpenBrowser


def log_in(context: BrowserContext, user: User, server: str) -> None:
    """Log a browser in, past the form."""
    client = Client()
    client.force_login(user)
    name = settings.SESSION_COOKIE_NAME
    context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": server}])


@pytest.fixture
def game() -> Game:
    """A game of three people with a few tiles on each display."""
    game = play.game_of(play.person("Ines"), play.person("Tobias"), play.person("Mina"))
    rng = Random(7)
    for _turn in range(9):
        play.play_one(game, rng)
    return game


@pytest.fixture
def open_game(open_browser: OpenBrowser, game: Game, server: str) -> Callable[..., Page]:
    """Open the game as whoever is to move."""

    def open_one(**options: object) -> Page:
        page = open_browser(**options)
        log_in(page.context, play.mover(game), server)
        page.goto(game.get_absolute_url())
        expect(page.locator("#game")).to_have_attribute("data-turn", "mine")
        return page

    return open_one
