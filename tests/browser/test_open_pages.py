"""The page of a game that stays open while the server has errors."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from games.models import Game
from tests.browser import ways
from tests.browser.conftest import OpenAs, log_in
from tests.play import game_of, mover, person

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def game() -> Game:
    return game_of(person("Ines"), person("Tobias"))


def test_an_error_page_replaces_the_whole_page(open_as: OpenAs, game: Game) -> None:
    page = open_as(mover(game), f"/g/{game.key}/", allows_refusals=True)
    ways.choose(page)
    page.context.clear_cookies(name="csrftoken")
    page.locator(ways.CONFIRM).click()

    expect(page.get_by_role("heading", name="Please send that again")).to_be_visible()
    expect(page.locator("#game")).to_have_count(0)
    expect(page.locator("main")).to_have_count(1)
    expect(page.locator(".error-page")).to_have_css("text-align", "center")
    expect(page).to_have_title(re.compile("^Please send that again"))
    # When the viewer returns to the tab, live.js starts again. It must work without a board.
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.get_by_role("link", name="Back to your games").click()
    expect(page.get_by_role("heading", name="Hello")).to_be_visible()


def test_the_page_retries_a_stream_that_the_server_refused(page: Page, server: str, game: Game) -> None:
    requested = []

    def refuse(route: Route) -> None:
        requested.append(route.request.url)
        route.fulfill(status=204)

    page.clock.install()
    page.route("**/stream/", refuse)
    log_in(page.context, mover(game), server)
    with page.expect_response("**/version/**"):
        page.goto(f"/g/{game.key}/")
    assert len(requested) == 1
    page.unroute("**/stream/")
    with page.expect_response("**/stream/") as answer:
        page.clock.fast_forward(60_000)
    assert answer.value.ok
