"""Connections that die without a word: the page notices, and the site does not believe an open stream."""

import re
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from games.models import Game, Seat
from tests import play
from tests.browser import ways
from tests.browser.conftest import log_in
from tests.browser.waits import PATIENCE, wait_for_version
from tests.play import is_present
from tests.plugins import swallowing
from tests.plugins.swallowing import SwallowingProxy
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)

# Remembers the names of the events that the page's streams receive.
COUNT = """
    window.received = [];
    const Native = EventSource;
    window.EventSource = class extends Native {
        addEventListener(name, listener) {
            super.addEventListener(name, (event) => { received.push(name); listener(event); });
        }
    };
"""


@pytest.fixture
def proxy(server: str) -> Iterator[SwallowingProxy]:
    with swallowing.running(urlsplit(server).port or 0) as proxy:
        yield proxy


@pytest.fixture
def open_through(chrome: Browser, proxy: SwallowingProxy, game: Game) -> Iterator[Callable[[], Page]]:
    """A function that opens the game as the player to move, through the proxy, with a clock that tests set.

    Errors of its requests don't count.
    """
    with chrome.new_context(base_url=proxy.url, reduced_motion="reduce") as context:
        log_in(context, play.mover(game), proxy.url)
        context.set_default_timeout(PATIENCE)

        def open_one() -> Page:
            page = context.new_page()
            page.clock.install()
            page.add_init_script(COUNT)
            page.goto(game.get_absolute_url())
            return page

        yield open_one


def wait_for_beat(page: Page) -> None:
    """Wait until a stream of the page has received a beat."""
    wait_until(lambda: page.evaluate("received.includes('beat')"), "a beat")


def pass_time(page: Page, seconds: int, until: Locator | None = None) -> None:
    """Run the timers of so many seconds, or until this is on the page; requests get real time."""
    for _second in range(seconds):
        page.clock.run_for(1_000)
        page.wait_for_timeout(100 if until else 5)
        if until and until.count():
            return
    if until:
        expect(until).to_be_attached()  # on a busy machine, the last request may still be on its way


def board(page: Page, game: Game) -> Locator:
    """Return the newest board, if the page shows it."""
    return page.locator(f"#game[data-version='{play.fresh(game).version}']")


def test_a_page_whose_stream_is_silent_polls_says_so_and_recovers(
    open_through: Callable[[], Page], proxy: SwallowingProxy, game: Game
) -> None:
    page = open_through()
    live = page.locator("#live")
    wait_for_beat(page)
    proxy.swallow()
    play.play_one(game)
    pass_time(page, 60)
    expect(live).to_have_text("Connection lost. Trying again…")
    expect(live).to_be_visible()
    proxy.pass_on()  # The browser first tries its old connections, one with each poll.
    pass_time(page, 90, until=board(page, game))
    expect(live).to_have_text("Connected again.")
    # Only the stream is dead: an update arrives by poll within a minute, and then a new stream sends others.
    wait_for_beat(page)
    page.evaluate("received = []")
    proxy.swallow(also_new=False)
    play.play_one(game)
    pass_time(page, 60, until=board(page, game))
    wait_for_beat(page)
    play.play_one(game)
    wait_for_version(page, play.fresh(game).version)


def test_a_stream_whose_first_byte_never_comes_does_not_stop_the_polls(
    open_through: Callable[[], Page], game: Game
) -> None:
    page = open_through()
    page.context.route(re.compile("/stream/"), lambda _route: None)
    page.reload()
    play.play_one(game)
    pass_time(page, 20, until=board(page, game))
    expect(page.locator("#live")).to_be_hidden()


def test_a_player_whose_connection_has_died_counts_as_away_and_one_who_only_waits_does_not(
    open_through: Callable[[], Page], proxy: SwallowingProxy, game: Game
) -> None:
    page, user = open_through(), play.mover(game)

    def is_here() -> bool:
        return is_present(game.key, user.pk)

    wait_for_beat(page)
    polls: list[str] = []
    page.on("request", lambda request: polls.append(request.url))
    Seat.objects.update(seen_at=None)
    pass_time(page, 45)
    wait_until(is_here, "the poll that proves that the player is there")
    assert "brief" in polls[0], "the stream brings everything else"
    proxy.swallow()
    Seat.objects.update(seen_at=None)
    pass_time(page, 120)
    assert not is_here()
    # A press gets an answer too, although the browser sees no error.
    page.evaluate("htmx.config.timeout = 300")
    ways.choose(page)
    page.locator(ways.CONFIRM).click()
    expect(page.get_by_role("alert")).to_contain_text("The site did not answer")
