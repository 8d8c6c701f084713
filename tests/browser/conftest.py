"""Fixtures that open pages in a browser as a certain user, and a running game to open."""

from collections.abc import Callable, Iterator
from random import Random

import pytest
from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from django.conf import settings
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Page,
    Playwright,
    ViewportSize,
    expect,
    sync_playwright,
)

from accounts.models import User
from games.models import Game
from tests import play
from tests.browser.contexts import Contexts
from tests.browser.states import Visit
from tests.browser.waits import PATIENCE
from tests.clients import client_of
from tests.plugins import chromium

OpenBrowser = Callable[..., Page]
OpenAs = Callable[..., Page]
OpenGame = Callable[..., Page]
Show = Callable[..., Page]


def log_in(context: BrowserContext, user: User, server: str) -> None:
    """Log a browser in without the login form."""
    client = client_of(user)
    name = settings.SESSION_COOKIE_NAME
    context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": server}])


@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    """Playwright for the browser tests only: other tests can't run async code in its event loop."""
    with sync_playwright() as one:
        yield one


@pytest.fixture(scope="package")
def chrome(playwright: Playwright) -> Iterator[Browser]:
    browser = chromium.launch(playwright)
    yield browser
    browser.close()


@pytest.fixture(scope="package")
def contexts(chrome: Browser) -> Contexts:
    return Contexts(chrome)


@pytest.fixture
def open_browser(contexts: Contexts, server: str) -> Iterator[OpenBrowser]:
    """A function that opens a page with its own cookies; the test fails if one of these pages has errors."""
    taken: list[BrowserContext] = []
    recorders: list[chromium.PageErrors] = []

    def open_one(
        *, allows_refusals: bool = False, viewport: ViewportSize | None = None, **options: object
    ) -> Page:
        context = contexts.take(server, **options)
        context.set_default_timeout(PATIENCE)
        taken.append(context)
        page = context.new_page()
        if viewport:
            page.set_viewport_size(viewport)
        recorders.append(chromium.PageErrors(page))
        recorders[-1].allows_refusals = allows_refusals
        return page

    yield open_one
    for context in taken:
        contexts.give_back(context)
    assert [error for recorder in recorders for error in recorder.errors] == []


@pytest.fixture
def page(open_browser: OpenBrowser) -> Page:
    return open_browser()


@pytest.fixture
def axe() -> Callable[..., None]:
    """A function that checks a page against the given accessibility rules of axe, or all of them."""

    def check(page: Page, *rules: str) -> None:
        # Reporting the rules that pass would double the time.
        options: dict[str, object] = {"resultTypes": ["violations"]}
        if page.evaluate("typeof axe") == "undefined":
            page.evaluate(AXE_SCRIPT)
        found = AxeResults(page.evaluate("axe.run", options | {"runOnly": rules} if rules else options))
        assert found.violations_count == 0, found.generate_report()

    return check


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
        page.wait_for_load_state()
        return page

    return show_one


@pytest.fixture
def game() -> Game:
    """A game of three people after nine actions."""
    game = play.game_of(play.person("Ines"), play.person("Tobias"), play.person("Mina"))
    return play.play_some(game, 9, Random(7))


@pytest.fixture
def open_game(open_as: OpenAs, game: Game) -> OpenGame:
    """Open the game as the player to move: `open_game(**browser_options)`."""

    def open_one(**options: object) -> Page:
        page = open_as(play.mover(game), game.get_absolute_url(), **options)
        expect(page.locator("#game")).to_have_attribute("data-turn", "mine")
        return page

    return open_one
