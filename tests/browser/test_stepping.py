"""Stepping through a game: every press counts, even with slow responses, and no request is superfluous."""

import re
import time
from collections.abc import Iterable, Iterator

import pytest
from playwright.sync_api import Page, Route, expect

from games.models import Game
from tests.browser.conftest import OpenAs, OpenBrowser
from tests.browser.states.making import game_of_three
from tests.browser.waits import wait_for_board_after, wait_until_settled

pytestmark = pytest.mark.django_db(transaction=True)

LAST = 30


class SlowConnection:
    """Delays the responses to a page's requests for boards until the test releases them, one by one.

    It must be made before the page opens: Chromium may not route the first request of an open page.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.requested: list[str] = []  # their queries, or "now"
        self.delayed: list[Route] = []
        page.route(re.compile(r"/g/\w+/(\?.*)?$"), self._delay)

    def _delay(self, route: Route) -> None:
        if route.request.is_navigation_request():
            route.continue_()
            return
        self.requested.append(route.request.url.partition("?")[2] or "now")
        self.delayed.append(route)

    def release(self, number: int) -> None:
        """Release the oldest response, and wait for the board after the action with this number."""
        expect(self.page.locator("#log.htmx-request")).to_have_count(1)
        end = time.monotonic() + 10
        while not self.delayed:
            assert time.monotonic() < end, f"no request for the board after action {number}"
            self.page.wait_for_timeout(10)  # Playwright handles new requests during a call only.
        self.delayed.pop(0).continue_()
        wait_for_board_after(self.page, number)
        wait_until_settled(self.page)


@pytest.fixture
def game() -> Game:
    return game_of_three(LAST)


@pytest.fixture
def slow(open_as: OpenAs, game: Game) -> Iterator[SlowConnection]:
    page = open_as(game.seats.order_by("number")[0].user, "about:blank")
    connection = SlowConnection(page)
    page.goto(game.get_absolute_url())
    yield connection
    page.unroute_all(behavior="ignoreErrors")


@pytest.fixture
def page(slow: SlowConnection) -> Page:
    return slow.page


def press(page: Page, keys: Iterable[str]) -> None:
    for key in keys:
        page.keyboard.press(key)


def test_three_quick_presses_go_three_steps(page: Page, slow: SlowConnection) -> None:
    press(page, "[[[")
    expect(page.locator("#at")).to_have_value(str(LAST - 3))
    slow.release(LAST - 1)
    expect(page.locator("#at")).to_have_value(str(LAST - 3))
    slow.release(LAST - 3)
    assert slow.requested == ["at=29", "at=27"]
    assert page.url.endswith("?at=27")


def test_steps_back_and_forth_stop_at_both_ends(page: Page, slow: SlowConnection) -> None:
    press(page, "{]][[[[]")
    slow.release(0)
    slow.release(1)
    assert slow.requested == ["at=0", "at=1"]
    press(page, "}[]]")
    slow.release(LAST)
    assert slow.requested == ["at=0", "at=1", "now"]
    assert "?" not in page.url


def test_the_slider_and_the_log_step_in_the_same_way(page: Page, slow: SlowConnection) -> None:
    page.locator("#at").focus()
    press(page, ["ArrowLeft"] * 3)
    slow.release(LAST - 1)
    press(page, ["ArrowLeft"])
    slow.release(LAST - 3)
    slow.release(LAST - 4)
    page.locator("#log-25").click()
    page.locator("#log-22").click()
    press(page, "[")
    slow.release(25)
    slow.release(21)
    assert slow.requested == ["at=29", "at=27", "at=26", "at=25", "at=21"]


def test_watch_shows_one_action_after_another(page: Page, slow: SlowConnection) -> None:
    page.clock.install()
    start = int(page.locator("#watch").get_attribute("href").partition("=")[2])
    page.locator("#watch").click()
    page.clock.run_for(5000)  # The response takes longer than the pause between two actions.
    slow.release(start)
    page.clock.run_for(1500)
    slow.release(start + 1)
    assert slow.requested == [f"at={start}", f"at={start + 1}" if start + 1 < LAST else "now"]
    press(page, "[")
    slow.release(start)
    page.clock.run_for(5000)
    assert len(slow.requested) == 3, "the replay continued after a key"


def test_a_failed_step_is_undone(open_browser: OpenBrowser, game: Game) -> None:
    page = open_browser(allows_refusals=True)
    page.route("**/g/*/?at=*", lambda route: route.abort())
    page.goto(game.get_absolute_url())
    page.evaluate("console.error = () => {}")  # htmx logs the failed request too.
    press(page, "[[")
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.locator("#at")).to_have_value(str(LAST))
    page.unroute_all()
    press(page, "[")
    wait_for_board_after(page, LAST - 1)
