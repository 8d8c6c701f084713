"""Stepping through a game: every press counts, however slow the answers are; none is asked for in vain."""

import re
from collections.abc import Iterable, Iterator

import pytest
from playwright.sync_api import Page, Route, expect

from games.models import Game
from tests.browser.conftest import log_in
from tests.browser.states.making import three
from tests.conftest import OpenBrowser

pytestmark = pytest.mark.django_db(transaction=True)

LAST = 30


class SlowLine:
    """Holds back the boards that a page asks for, until they are let through one by one."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.asked: list[str] = []
        self.waiting: list[Route] = []
        page.route(re.compile(r"/g/\w+/(\?.*)?$"), self._hold)

    def _hold(self, route: Route) -> None:
        self.asked.append(route.request.url.partition("?")[2] or "now")
        self.waiting.append(route)

    def let_through(self, shown: int) -> None:
        """Answer what has been asked, which brings the board of this action."""
        expect(self.page.locator("#log.htmx-request")).to_have_count(1)
        while not self.waiting:
            self.page.evaluate("0")  # Playwright tells of what the page has asked
        self.waiting.pop(0).continue_()
        expect(self.page.locator(f"#game[data-shown='{shown}']")).to_have_count(1)
        expect(self.page.locator(".htmx-settling, .htmx-swapping")).to_have_count(0)


@pytest.fixture
def game() -> Game:
    return three(LAST)


@pytest.fixture
def page(open_browser: OpenBrowser, game: Game, server: str) -> Page:
    page = open_browser()
    log_in(page.context, game.seats.order_by("number")[0].user, server)
    page.goto(game.get_absolute_url())
    return page


@pytest.fixture
def slow(page: Page) -> Iterator[SlowLine]:
    yield SlowLine(page)
    page.unroute_all(behavior="ignoreErrors")


def press(page: Page, keys: Iterable[str]) -> None:
    for key in keys:
        page.keyboard.press(key)


def test_three_quick_presses_go_three_steps(page: Page, slow: SlowLine) -> None:
    press(page, "[[[")
    expect(page.locator("#at")).to_have_value(str(LAST - 3))
    slow.let_through(LAST - 1)
    expect(page.locator("#at")).to_have_value(str(LAST - 3))
    slow.let_through(LAST - 3)
    assert slow.asked == ["at=29", "at=27"]
    assert page.url.endswith("?at=27")


def test_presses_both_ways_count_and_end_at_the_ends(page: Page, slow: SlowLine) -> None:
    press(page, "{]][[[[]")
    slow.let_through(0)
    slow.let_through(1)
    assert slow.asked == ["at=0", "at=1"]
    press(page, "}[]]")
    slow.let_through(LAST)
    assert slow.asked == ["at=0", "at=1", "now"]
    assert "?" not in page.url


def test_the_slider_and_the_log_go_on_in_the_same_way(page: Page, slow: SlowLine) -> None:
    page.locator("#at").focus()
    press(page, ["ArrowLeft"] * 3)
    slow.let_through(LAST - 1)
    press(page, ["ArrowLeft"])
    slow.let_through(LAST - 3)
    slow.let_through(LAST - 4)
    page.locator("#log-25").click()
    page.locator("#log-22").click()
    press(page, "[")
    slow.let_through(25)
    slow.let_through(21)
    assert slow.asked == ["at=29", "at=27", "at=26", "at=25", "at=21"]


def test_watching_shows_one_action_after_the_other(page: Page, slow: SlowLine) -> None:
    page.clock.install()
    start = int(page.locator("#watch").get_attribute("href").partition("=")[2])
    page.locator("#watch").click()
    page.clock.run_for(5000)  # an answer that takes longer than an action is shown
    slow.let_through(start)
    page.clock.run_for(1500)
    slow.let_through(start + 1)
    assert slow.asked == [f"at={start}", f"at={start + 1}" if start + 1 < LAST else "now"]
    press(page, "[")
    slow.let_through(start)
    page.clock.run_for(5000)
    assert len(slow.asked) == 3, "the watching has ended"


def test_a_step_that_fails_is_taken_back(open_browser: OpenBrowser, game: Game) -> None:
    page = open_browser(allows_refusals=True)
    page.goto(game.get_absolute_url())
    page.evaluate("console.error = () => {}")  # which htmx tells of it too
    page.route("**/g/*/?at=*", lambda route: route.abort())
    press(page, "[[")
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.locator("#at")).to_have_value(str(LAST))
    page.unroute_all()
    press(page, "[")
    expect(page.locator(f"#game[data-shown='{LAST - 1}']")).to_have_count(1)
