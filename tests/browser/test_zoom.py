"""Displays of any size: zoomed by buttons, keys, wheel and fingers, dragged about, and kept over a move."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from games.models import Game
from tests import play
from tests.browser import ways
from tests.browser.states.games import game_long_row
from tests.browser.test_every_state import show
from tests.conftest import OpenBrowser

pytestmark = pytest.mark.django_db(transaction=True)

FITS = "(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(document.querySelector('#display'))"
SCROLLED = "(({ scrollLeft, scrollTop }) => [scrollLeft, scrollTop])(document.querySelector('#display'))"


@pytest.fixture
def large(open_browser: OpenBrowser, game: Game) -> Page:
    for _turn in range(21):
        play.play_one(game)
    page = open_browser()
    page.goto(f"/g/{game.key}/displays/0/")
    return page


def cell_width(page: Page) -> float:
    return page.evaluate("document.querySelector('.display .tile').getBoundingClientRect().width")


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


def test_the_wheel_zooms_with_ctrl_alone_and_a_mouse_drags(large: Page) -> None:
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


def test_zoom_and_view_stay_when_a_move_changes_the_board(open_game: Callable[..., Page], game: Game) -> None:
    page = open_game()
    page.locator("#display").focus()
    for _press in range(6):
        page.keyboard.press("+")
    page.evaluate("document.querySelector('#display').scrollTo(31, 17)")
    zoomed, view = cell_width(page), scrolled(page)
    ways.tiles(page).first.click()
    ways.cells(page).first.click()
    view = scrolled(page)
    page.locator(ways.CONFIRM).click()
    expect(page.locator(f"#game[data-version='{play.fresh(game).version}']")).to_have_count(1)
    expect(page.locator("#display")).to_have_attribute("style", "--zoom: 3.814697265625;")
    assert cell_width(page) > 0.6 * zoomed
    assert scrolled(page) == pytest.approx(view, abs=2)


def test_a_row_of_44_opens_at_the_newest_tile_and_can_be_seen_whole(
    open_browser: OpenBrowser, server: str
) -> None:
    page = show(open_browser, server, game_long_row())
    expect(page.locator("#display .is-newest")).to_be_in_viewport()
    assert cell_width(page) >= 44
    page.goto(page.url.split("?")[0] + "displays/0/")
    page.get_by_role("button", name="Show the whole display").click()
    assert page.evaluate(FITS)
    assert page.locator("#display .tile").count() == 43
