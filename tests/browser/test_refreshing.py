"""An open page of a game follows the game, and handles a lost connection."""

import re
from collections.abc import Iterator
from random import Random

import pytest
from playwright.sync_api import Browser, Page, expect

from games.models import Game
from tests import play
from tests.browser import ways
from tests.browser.conftest import OpenGame, log_in
from tests.browser.states.making import resign, waiting_player
from tests.browser.waits import HEAR_STREAM, wait_for_stream, wait_for_version

pytestmark = pytest.mark.django_db(transaction=True)

# Returns the displays of the others as HTML, without white space around elements.
OTHER_DISPLAYS = """() => document.querySelector(".game__others").innerHTML
    .replace(/\\s+</g, "<").replace(/>\\s+/g, ">")"""

# Sends a version and an older board to the page while a request of its player is under way.
LATE_BOARD = """(shown) => {
    const elt = document.getElementById("game");
    const send = (name, detail) => document.dispatchEvent(new CustomEvent(`live:${name}`, { detail }));
    elt.classList.add("htmx-request");
    send("version", shown + 2);
    send("board", JSON.stringify({ version: shown + 1, html: "" }));
    elt.classList.remove("htmx-request");
    htmx.trigger(elt, "htmx:afterSettle", { elt, target: elt, requestConfig: { elt, verb: "get" } });
}"""


def test_a_stale_choice_is_dropped_without_an_error(open_game: OpenGame, game: Game) -> None:
    page = open_game()
    ways.choose(page)
    other = page.context.new_page()
    other.goto(page.url)
    other.get_by_role("button", name="Confirm").click()
    wait_for_version(other, 10)

    wait_for_version(page, play.fresh(game).version)
    expect(page).to_have_url(re.compile(rf"{game.get_absolute_url()}$"))
    expect(page.get_by_role("alert")).to_have_count(0)


def test_after_an_own_action_the_page_keeps_what_is_still_the_same(open_game: OpenGame) -> None:
    page = open_game()
    page.evaluate("document.querySelector('.mini .display').isFromBefore = true")
    ways.by_mouse(page)
    wait_for_version(page, 10)
    assert page.evaluate("document.querySelector('.mini .display').isFromBefore")
    shown = page.evaluate(OTHER_DISPLAYS)
    page.reload()
    assert page.evaluate(OTHER_DISPLAYS) == shown


def test_a_choice_stays_when_another_player_resigns(open_game: OpenGame, game: Game) -> None:
    page = open_game()
    ways.choose(page)
    leaver = waiting_player(game)
    resign(game, leaver)

    expect(page.locator("#announcer")).to_contain_text(f"{leaver.username} resigned")
    expect(page.locator("#display .is-trial")).to_be_visible()
    expect(page).to_have_url(re.compile(r"\?tile="))
    expect(page.locator(ways.CONFIRM)).to_be_visible()


def test_the_board_after_anothers_action_is_in_the_stream(page: Page, server: str, game: Game) -> None:
    page.add_init_script(HEAR_STREAM)
    log_in(page.context, waiting_player(game), server)
    page.goto(game.get_absolute_url())
    wait_for_stream(page)
    page.evaluate("document.querySelector('.mini .display').isFromBefore = true")
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    announced = page.locator("#announcer").text_content()
    play.play_one(game)
    wait_for_version(page, play.fresh(game).version)
    expect(page.locator("#announcer")).not_to_have_text(announced or "")
    assert page.evaluate("document.querySelector('.mini .display').isFromBefore")
    assert [url for url in requested if url.endswith(game.get_absolute_url())] == []


def test_an_older_board_that_arrives_late_does_not_hide_a_newer_version(
    page: Page, server: str, game: Game
) -> None:
    log_in(page.context, waiting_player(game), server)
    page.route("**/stream/**", lambda route: route.fulfill(status=204))
    page.route("**/version/**", lambda route: route.fulfill(json={}))
    page.goto(game.get_absolute_url())
    shown = play.fresh(game).version
    play.play_one(game)
    play.play_one(game)
    page.evaluate(LATE_BOARD, shown)
    wait_for_version(page, shown + 2)


def test_unfolded_parts_stay_unfolded_and_in_view_when_somebody_moves(
    open_game: OpenGame, game: Game
) -> None:
    page = open_game(viewport={"width": 390, "height": 844})
    summary, resign = page.get_by_text("Game menu"), page.get_by_role("link", name="Resign")
    summary.click()
    resign.scroll_into_view_if_needed()
    top = page.evaluate("scrollY")
    assert top > 400
    play.play_one(game)
    wait_for_version(page, play.fresh(game).version)
    expect(resign).to_be_in_viewport()
    expect(summary).to_be_focused()
    # An element outside gets the focus back before the part is unfolded again.
    page.locator("#bar").evaluate("bar => bar.focus({ preventScroll: true })")
    play.play_one(game)
    wait_for_version(page, play.fresh(game).version)
    expect(resign).to_be_in_viewport()


def test_earlier_actions_are_loaded_on_request_and_stay_when_somebody_moves(
    open_game: OpenGame, game: Game
) -> None:
    play.play_some(game, 12, Random(3))
    page = open_game()
    entries, newest = page.locator("#log .log__entry"), play.fresh(game).version
    shown = entries.count()
    assert shown < newest
    ways.choose(page)
    page.get_by_role("link", name=f"Show {newest - shown} earlier action").click()
    expect(entries).to_have_count(newest)
    expect(page.locator("#older")).to_be_focused()
    expect(page.locator("#confirm")).to_be_enabled()  # The choice stays.
    page.locator("#confirm").click()
    wait_for_version(page, newest + 1)
    expect(entries).to_have_count(newest + 1)
    play.play_one(game)
    wait_for_version(page, newest + 2)
    expect(entries).to_have_count(newest + 2)
    assert page.evaluate("location.search").count("older=") <= 1


@pytest.fixture
def offline_page(chrome: Browser, server: str, game: Game) -> Iterator[Page]:
    """The game in a browser whose errors don't count, because the test takes it offline."""
    with chrome.new_context(
        base_url=server, viewport={"width": 390, "height": 844}, reduced_motion="reduce"
    ) as context:
        log_in(context, play.mover(game), server)
        page = context.new_page()
        page.goto(game.get_absolute_url())
        yield page


def test_a_click_without_connection_shows_an_error(offline_page: Page) -> None:
    offline_page.context.set_offline(True)
    ways.choose(offline_page)  # Choosing needs no connection.
    confirm = offline_page.get_by_role("button", name="Confirm")
    confirm.click()
    expect(offline_page.get_by_role("alert")).to_contain_text("may not have been sent")
    expect(offline_page.get_by_role("alert")).to_be_in_viewport(ratio=1)
    offline_page.context.set_offline(False)
    confirm.click()
    wait_for_version(offline_page, 10)
    expect(offline_page.get_by_role("alert")).to_have_count(0)
