"""Zooming and dragging a display, and its view after the board changes."""

import re

import pytest
from playwright.sync_api import Page, expect

from games.models import Game
from tests import play
from tests.browser import ways
from tests.browser.conftest import OpenBrowser, OpenGame, Show
from tests.browser.states.games import game_long_row
from tests.browser.waits import wait_for_version

pytestmark = pytest.mark.django_db(transaction=True)

FITS = "(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(document.querySelector('#display'))"
SCROLLED = "(({ scrollLeft, scrollTop }) => [scrollLeft, scrollTop])(document.querySelector('#display'))"

# Returns the offset from the first tile to the middle of the stage. The unit is the size of the tile, because
# the display may have grown.
MIDDLE_OFFSET = """(() => {
    const [stage, tile] = ["#display", "#display li[style='--x:0;--y:0']"]
        .map((name) => document.querySelector(name).getBoundingClientRect());
    return ["x", "y"].map((axis) => {
        const size = axis === "x" ? "width" : "height";
        return (stage[axis] + stage[size] / 2 - tile[axis] - tile[size] / 2) / tile[size];
    });
})()"""

# Returns the distance in px between a side of an element and the same side of the stage.
DISTANCE = """([selector, side]) => {
    const [element, stage] = [selector, "#display"]
        .map((name) => document.querySelector(name).getBoundingClientRect()[side]);
    return element - stage;
}"""


@pytest.fixture
def large(open_browser: OpenBrowser, game: Game) -> Page:
    """Open the page of a single display with about ten tiles."""
    play.play_some(game, 21)
    page = open_browser()
    page.goto(f"/g/{game.key}/displays/0/")
    return page


def cell_width(page: Page) -> float:
    return page.evaluate("document.querySelector('#display svg.tile').getBoundingClientRect().width")


def scrolled(page: Page) -> list[float]:
    return page.evaluate(SCROLLED)


def test_buttons_and_keys_zoom(large: Page) -> None:
    whole = cell_width(large)
    large.get_by_role("button", name="Zoom in").click()
    assert cell_width(large) == pytest.approx(whole * 1.25, abs=0.5)
    large.keyboard.press("+")
    assert cell_width(large) == pytest.approx(whole * 1.25**2, abs=0.5)
    large.keyboard.press("-")
    large.get_by_role("button", name="Show the whole display").click()
    assert cell_width(large) == pytest.approx(whole, abs=0.5)


def test_the_mouse_wheel_zooms_only_with_ctrl_and_the_mouse_drags(large: Page) -> None:
    whole = cell_width(large)
    stage = large.locator("#display").bounding_box()
    assert stage
    large.mouse.move(stage["x"] + 20, stage["y"] + 20)
    large.mouse.wheel(0, -300)
    assert cell_width(large) == whole
    large.keyboard.down("Control")
    large.mouse.wheel(0, -500)
    large.keyboard.up("Control")
    expect(large.locator("#display")).to_have_attribute("style", "--zoom: 4;")
    large.mouse.move(stage["x"] + stage["width"] - 20, stage["y"] + stage["height"] - 20)
    before = scrolled(large)
    large.mouse.down()
    large.mouse.move(stage["x"] + stage["width"] - 60, stage["y"] + stage["height"] - 90, steps=4)
    large.mouse.up()
    assert scrolled(large) != before


def test_zoom_and_view_stay_when_an_action_changes_the_board(open_game: OpenGame, game: Game) -> None:
    page = open_game()
    page.locator("#display").focus()
    for _press in range(6):
        page.keyboard.press("+")
    zoomed = cell_width(page)
    ways.tiles(page).first.click()
    ways.cells(page).first.click()
    page.evaluate("document.querySelector('#display').scrollBy(-31, 17)")
    view = page.evaluate(MIDDLE_OFFSET)
    before = play.fresh(game).version
    page.locator(ways.CONFIRM).click()
    wait_for_version(page, before + 1)
    expect(page.locator("#display")).to_have_attribute("style", "--zoom: 3.814697265625;")
    assert cell_width(page) > 0.6 * zoomed
    assert page.evaluate(MIDDLE_OFFSET) == pytest.approx(view, abs=0.05)


def test_zoom_and_view_stay_on_the_pages_of_other_actions(large: Page) -> None:
    for _press in range(5):
        large.keyboard.press("+")
    large.evaluate("document.querySelector('#display').scrollBy(31, 17)")
    tile = large.locator("#display li[style='--x:0;--y:0']").bounding_box()
    large.locator("#previous").click()
    large.wait_for_url("**?at=*")
    expect(large.locator("#display")).to_have_attribute("style", "--zoom: 3.0517578125;")
    large.locator("#now").click()
    large.wait_for_url("**/displays/0/")
    expect(large.locator("#display")).to_have_attribute("style", "--zoom: 3.0517578125;")
    assert large.locator("#display li[style='--x:0;--y:0']").bounding_box() == pytest.approx(tile, abs=2)
    # Another display opens with its default view.
    large.locator(".large__people a").nth(1).click()
    large.wait_for_url("**/displays/1/")
    expect(large.locator("#display")).not_to_have_attribute("style", re.compile("zoom"))


def test_the_labels_of_columns_and_rows_stay_visible(large: Page) -> None:
    for _press in range(6):
        large.keyboard.press("+")
    for corner in ("0, 0", "9999, 9999"):
        large.evaluate(f"document.querySelector('#display').scrollTo({corner})")
        for name, side in (("column", "top"), ("row", "left")):
            assert 0 <= large.evaluate(DISTANCE, [f".edges--{name}s", side]) <= 40


def test_a_row_of_44_opens_at_the_newest_tile_and_can_be_shown_whole(show: Show) -> None:
    page = show(game_long_row())
    expect(page.locator("#display .is-newest")).to_be_in_viewport()
    assert cell_width(page) >= 28
    page.goto(page.url.split("?")[0] + "displays/0/")
    page.get_by_role("button", name="Show the whole display").click()
    assert page.evaluate(FITS)
    assert page.locator("#display .tile").count() == 43
