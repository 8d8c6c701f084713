"""The site as an app in a real browser: without a network, and the turn in the tab's title and icon."""

import re

import pytest
from playwright.sync_api import expect

from games.models import Game
from tests.browser.conftest import OpenAs, OpenBrowser, OpenGame, log_in
from tests.play import mover, play_one

pytestmark = pytest.mark.django_db(transaction=True)

TURN_ICON = re.compile(r"/favicon-turn\.")
PLAIN_ICON = re.compile(r"/favicon\.")
# Returns the paths of all cached responses.
CACHED = """async () => {
    const paths = [];
    for (const name of await caches.keys()) {
        for (const { url } of await (await caches.open(name)).keys()) paths.push(new URL(url).pathname);
    }
    return paths;
}"""


def test_without_a_network_the_offline_page_is_shown_and_no_other_page_is_cached(
    open_as: OpenAs, game: Game
) -> None:
    page = open_as(mover(game), "/", service_workers="allow", allows_refusals=True)
    page.evaluate("navigator.serviceWorker.ready")
    page.goto(game.get_absolute_url())
    expect(page.locator("#game")).to_be_visible()
    page.wait_for_function("navigator.serviceWorker.controller")

    page.context.set_offline(True)
    page.reload()
    expect(page.get_by_role("heading", name="You are offline")).to_be_visible()
    expect(page.locator(".error-page")).to_have_css("text-align", "center")
    expect(page).to_have_url(re.compile(game.get_absolute_url()))
    cached = page.evaluate(CACHED)
    assert "/offline/" in cached
    assert [path for path in cached if path != "/offline/" and not path.startswith("/static/")] == []

    page.context.set_offline(False)
    page.get_by_role("link", name="Try again").click()
    expect(page.locator("#game")).to_have_attribute("data-turn", "mine")


def test_title_and_icon_follow_the_turn_on_an_open_page(open_game: OpenGame, game: Game) -> None:
    page = open_game()
    viewer = mover(game)
    icon = page.locator("link[rel=icon]")
    expect(page).to_have_title(re.compile("^Your turn · "))
    expect(icon).to_have_attribute("href", TURN_ICON)
    while mover(game) == viewer:
        play_one(game)
    expect(page).to_have_title(re.compile("^(?!Your turn).* to move · "))
    expect(icon).to_have_attribute("href", PLAIN_ICON)
    while mover(game) != viewer:
        play_one(game)
    expect(page).to_have_title(re.compile("^Your turn · "))
    expect(icon).to_have_attribute("href", TURN_ICON)
    expect(icon).to_have_count(1)


def test_the_first_visit_to_a_game_needs_at_most_eight_requests(
    open_browser: OpenBrowser, server: str, game: Game
) -> None:
    page = open_browser(service_workers="allow")
    log_in(page.context, mover(game), server)
    requested: list[str] = []
    page.context.on("request", lambda request: requested.append(request.url))
    with page.expect_response(re.compile("/stream/")):
        page.goto(game.get_absolute_url())
    # Headless Chromium does not load the icon of the tab, so the test adds one request for it.
    loaded = [url for url in requested if "/stream/" not in url]
    assert len(loaded) + 1 <= 8, loaded
