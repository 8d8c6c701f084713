"""A game's page that stays open while the server goes wrong."""

import re

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Page, Route, expect

from games.models import Game
from tests.conftest import OpenBrowser
from tests.play import game_of, mover, person

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def game() -> Game:
    return game_of(person("Ines"), person("Tobias"))


def log_in(page: Page, game: Game, server: str) -> None:
    """Let the page be that of the player to move."""
    client = Client()
    client.force_login(mover(game))
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": server}])


def test_an_error_page_takes_the_place_of_the_whole_page(
    open_browser: OpenBrowser, server: str, game: Game
) -> None:
    page = open_browser(allows_refusals=True)
    log_in(page, game, server)
    page.goto(f"/g/{game.key}/")
    page.locator(".wheel__space.is-near a").first.click()
    page.locator("#display a.cell").first.click()
    confirm = page.get_by_role("button", name="Confirm").and_(page.locator("[type=submit]"))
    expect(confirm).to_be_visible()
    page.context.clear_cookies(name="csrftoken")
    confirm.click()

    expect(page.get_by_role("heading", name="Please send that again")).to_be_visible()
    expect(page.locator("#game")).to_have_count(0)
    expect(page.locator("main")).to_have_count(1)
    expect(page.locator(".error-page")).to_have_css("text-align", "center")
    expect(page).to_have_title(re.compile("^Please send that again"))
    # Coming back to the tab wakes live.js, which must bear that the board is gone.
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.get_by_role("link", name="To my games").click()
    expect(page.get_by_role("heading", name="Hello")).to_be_visible()


def test_a_stream_that_the_server_has_closed_is_tried_again(page: Page, server: str, game: Game) -> None:
    asked = []

    def close_for_good(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(status=204)

    page.clock.install()
    page.route("**/stream/", close_for_good)
    log_in(page, game, server)
    with page.expect_response("**/version/**"):
        page.goto(f"/g/{game.key}/")
    assert len(asked) == 1
    page.unroute("**/stream/")
    with page.expect_response("**/stream/") as answer:
        page.clock.fast_forward(60_000)
    assert answer.value.ok
