"""Waits for what a game page shows."""

from datetime import timedelta

from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.waiting import wait_until

# How long tests wait for the site, in milliseconds: it can take long on a busy machine. A page that hears
# nothing in its stream looks for news later.
PATIENCE = 20_000
expect.set_options(timeout=PATIENCE)

# Waits until the page has not scrolled for ten frames.
UNSCROLLED = """() => new Promise((done) => {
    let top = scrollY, frames = 0;
    const look = () => {
        if (scrollY !== top) [top, frames] = [scrollY, 0];
        else if (++frames === 10) return done();
        requestAnimationFrame(look);
    };
    look();
})"""

# Notes in the page that its stream has sent what is now: whose the page is, and the values that it follows.
HEAR_STREAM = """
    const Native = EventSource;
    window.EventSource = class extends Native {
        constructor(address) {
            super(address);
            for (const name of ["version", "turns", "lists"]) {
                this.addEventListener(name, () => { window.hasHeard = true; });
            }
        }
    };
"""


def wait_for_stream(page: Page) -> None:
    """Wait until the stream of a page that was opened with HEAR_STREAM has sent what is now."""
    page.wait_for_function("() => window.hasHeard")


def stop_time(page: Page) -> None:
    """Let time pass on the page only when the test runs or resumes its clock."""
    page.clock.install()
    # Not a moment that has passed when a slow browser hears of it.
    page.clock.pause_at(timezone.now() + timedelta(seconds=10))


def wait_for_server_time(page: Page) -> None:
    """Wait until the page counts from the time of the server, and notices from then on that time passes."""
    wait_until(lambda: page.evaluate("window.serverNow() !== null"), "the time of the server")


def wait_for_version(page: Page, version: int) -> None:
    """Wait until the page shows this version of the game."""
    expect(page.locator(f"#game[data-version='{version}']")).to_have_count(1)


def wait_for_other_version(page: Page, version: int) -> None:
    """Wait until the page shows another version of the game than this one."""
    expect(page.locator(f"#game:not([data-version='{version}'])")).to_have_count(1)


def wait_for_board_after(page: Page, number: int) -> None:
    """Wait until the page shows the board after the action with this number."""
    expect(page.locator(f"#game[data-shown='{number}']")).to_have_count(1)


def wait_until_settled(page: Page) -> None:
    """Wait until htmx has finished replacing parts of the page."""
    expect(page.locator(".htmx-settling, .htmx-swapping")).to_have_count(0)


def wait_until_unscrolled(page: Page) -> None:
    """Wait until the page has stopped scrolling, because a click at a moving link misses it."""
    page.evaluate(UNSCROLLED)


def let_it_ask_for_boards(page: Page) -> None:
    """Let a page, from its next load on, ask for each new board, as one that gets none in its stream does."""
    page.route(
        "**/stream/?board", lambda route: route.continue_(url=route.request.url.removesuffix("?board"))
    )


# Returns how many actions of the history are wholly in sight, above what covers the end of the page.
ACTIONS_IN_SIGHT = """() => {
    const log = document.getElementById("log").getBoundingClientRect();
    const talk = document.querySelector(".talk")?.getBoundingClientRect().top ?? innerHeight;
    return [...document.querySelectorAll("#log .log__entry")].filter((entry) => {
        const { top, bottom } = entry.getBoundingClientRect();
        return top >= log.top - 1 && bottom <= Math.min(log.bottom, talk) + 1;
    }).length;
}"""
