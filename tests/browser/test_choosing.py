"""Choosing a tile and a cell: every way to choose, and what the page shows without asking the server."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Request, expect

from games.models import Game
from tests import play
from tests.browser import ways
from tests.browser.conftest import OpenAs, OpenGame
from tests.browser.waits import wait_for_version

pytestmark = pytest.mark.django_db(transaction=True)

# Returns all parts of the board that show the choice.
SHOWN = """() => ({
    prompt: document.querySelector("#prompt").innerText,
    chosen: [...document.querySelectorAll("#game .is-chosen, #game .is-trial")].map((link) => link.id),
    current: [...document.querySelectorAll("#game a[aria-current]")].map((link) => link.id),
    links: [...document.querySelectorAll("#game [data-tile], #display .cell")]
        .map((link) => [link.id, link.href, link.ariaLabel, link.innerText]),
    tiles: document.querySelector("#display").querySelectorAll(".tile__art").length,
    discs: [...document.querySelectorAll("#display .disc-preview")]
        .map((disc) => Places.key(disc.closest("li")) + " " + disc.dataset.corner),
    landing: [...document.querySelectorAll("#game .landing.is-shown")].map((path) => path.dataset.forTile),
    confirm: [document.querySelector("#confirm").type, document.querySelector("#confirm").ariaDisabled],
    undo: !document.querySelector("#undo").hidden,
})"""

# Returns the places of the cells relative to the game, because the page may scroll, and only the size of the
# bar, because the bar may stick to the window.
PLACES = """() => {
    const { top } = document.querySelector("#game").getBoundingClientRect();
    const places = [...document.querySelectorAll("#display li")]
        .map((part) => part.getBoundingClientRect())
        .map(({ x, y, width, height }) => [x, y - top, width, height]);
    const { width, height } = document.querySelector("#bar").getBoundingClientRect();
    return [...places, [width, height]];
}"""


@pytest.fixture
def page(open_game: OpenGame) -> Page:
    return open_game()


def record_requests(page: Page) -> list[str]:
    """Return a list that grows with each request of the page about the game, except for updates."""
    requested: list[str] = []

    def record(request: Request) -> None:
        if "/g/" in request.url and "/stream/" not in request.url and "/version/" not in request.url:
            requested.append(request.url)

    page.on("request", record)
    return requested


def query(page: Page) -> str:
    """Return the query of the page's address, which has the choice."""
    return page.evaluate("location.search")


def test_page_and_server_draw_a_choice_alike(page: Page) -> None:
    requested = record_requests(page)
    ways.choose(page)
    page.mouse.move(5, 5)
    shown = page.evaluate(SHOWN)
    assert requested == []
    assert shown["confirm"] == ["submit", None]

    page.reload()

    assert page.evaluate(SHOWN) == shown


def test_the_page_undoes_a_choice_that_the_server_has_drawn(page: Page) -> None:
    before = page.evaluate(SHOWN)
    ways.choose(page)
    assert page.evaluate(SHOWN) != before
    page.reload()
    page.locator("#undo").click()
    assert query(page) == ""
    assert page.evaluate(SHOWN) == before


def test_a_choice_is_kept_while_its_player_looks_at_a_display(page: Page) -> None:
    ways.choose(page)
    choice, shown = query(page), page.evaluate(SHOWN)
    page.get_by_role("link", name="Enlarge").last.click()
    page.locator("#previous").click()
    page.wait_for_url("**at=*")
    page.locator("#now").click()
    page.get_by_role("link", name="Back to the game").click()
    expect(page.locator("#game")).to_be_visible()
    page.wait_for_load_state()
    assert query(page) == choice
    page.mouse.move(5, 5)
    assert page.evaluate(SHOWN) == shown


def test_another_tile_can_be_tried_on_the_same_cell(page: Page) -> None:
    ways.tiles(page).first.click()
    ways.cells(page).first.click()
    ways.tiles(page).last.click()
    page.mouse.move(5, 5)
    shown = page.evaluate(SHOWN)
    page.reload()
    assert page.evaluate(SHOWN) == shown
    assert len(shown["chosen"]) == 2


def test_a_pointer_on_a_cell_starts_a_trial_and_leaves_no_trace(page: Page) -> None:
    ways.tiles(page).first.click()
    before = page.evaluate(SHOWN)
    cell = ways.cells(page).nth(1)
    cell.hover()
    expect(page.locator("#display .is-trial")).to_have_count(1)
    expect(page.locator("#prompt")).to_contain_text("left")
    expect(page.locator("#confirm")).to_have_attribute("aria-disabled", "true")
    page.mouse.move(5, 5)
    assert page.evaluate(SHOWN) == before


def test_trying_cells_moves_nothing_on_the_page(page: Page) -> None:
    ways.tiles(page).first.click()
    for width in (360, 820, 1280, 1440, 1920):
        page.mouse.move(5, 5)
        page.set_viewport_size({"width": width, "height": 900})
        page.reload()
        before = page.evaluate(PLACES)
        for cell in ways.cells(page).all():
            cell.hover()
            assert page.evaluate(PLACES) == before, f"at {width} px"


def test_a_tile_is_dragged_to_its_cell(page: Page, game: Game) -> None:
    ways.by_dragging(page)
    wait_for_version(page, 10)
    assert play.fresh(game).version == 10


def test_a_tile_that_is_dropped_elsewhere_stays_chosen(page: Page) -> None:
    ways.drag(page, ways.tiles(page).first, lambda: page.locator(".hub"))
    expect(page.locator(".dragged")).to_have_count(0)
    assert query(page).startswith("?tile=")
    assert "x=" not in query(page)


def test_escape_ends_a_drag(page: Page) -> None:
    x, y = ways.middle(ways.tiles(page).first)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 20, y + 20, steps=3)
    expect(page.locator(".dragged")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".dragged")).to_have_count(0)
    page.mouse.up()
    assert query(page) == ""


def test_the_click_after_a_drag_that_the_browser_ended_counts(page: Page) -> None:
    tile = ways.tiles(page).first
    x, y = ways.middle(tile)
    pen = {"pointerType": "pen", "button": 0, "bubbles": True}
    tile.dispatch_event("pointerdown", {**pen, "clientX": x, "clientY": y})
    tile.dispatch_event("pointermove", {**pen, "clientX": x + 20, "clientY": y})
    expect(page.locator(".dragged")).to_have_count(1)
    tile.dispatch_event("pointercancel", pen)
    ways.cells(page).first.click()
    assert "x=" in query(page)


def test_single_keys_play_a_turn(page: Page) -> None:
    ways.by_single_keys(page)
    wait_for_version(page, 10)


def test_single_keys_can_be_turned_off(page: Page, game: Game) -> None:
    user = play.mover(game)
    user.shortcuts = False
    user.save()
    page.reload()
    for key in ("1", "?", "["):
        page.keyboard.press(key)
    expect(page.locator("#shortcuts")).to_be_hidden()
    assert query(page) == ""
    ways.tiles(page).first.focus()
    page.keyboard.press("Enter")  # Enter is not one of the single keys.
    page.keyboard.press("Escape")
    assert query(page) == ""


def test_keys_with_a_modifier_are_left_to_the_browser(page: Page) -> None:
    page.keyboard.press("Alt+1")
    page.keyboard.press("Control+2")
    assert query(page) == ""
    page.keyboard.press("2")
    assert query(page) != ""


def test_the_shortcuts_are_listed(page: Page, axe: Callable[[Page], None]) -> None:
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    axe(page)
    page.keyboard.press("1")  # Single keys do nothing while the list is open.
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert query(page) == ""


def test_arrows_go_from_cell_to_cell(page: Page) -> None:
    page.keyboard.press("1")
    start = page.evaluate("document.activeElement.id")
    expect(page.locator("#prompt")).to_contain_text("Press Enter to choose this cell.")
    page.keyboard.press("ArrowDown")
    below = page.evaluate("document.activeElement.id")
    assert int(below.split("_")[1]) > int(start.split("_")[1])
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.matches('#display .cell')")


def test_without_confirmation_a_click_on_a_cell_plays(page: Page, game: Game) -> None:
    user = play.mover(game)
    user.confirm_moves = False
    user.save()
    page.reload()
    ways.tiles(page).first.click()
    wait_for_version(page, 9)
    ways.cells(page).first.click()
    wait_for_version(page, 10)


def test_the_choice_is_announced_to_screen_readers(page: Page) -> None:
    ways.tiles(page).first.click()
    expect(page.locator("#announcer")).to_contain_text("choose a cell")
    ways.cells(page).first.click()
    expect(page.locator("#announcer")).to_contain_text("left")


def test_a_trial_by_keyboard_announces_its_time(page: Page) -> None:
    page.keyboard.press("1")
    # The tile is chosen, but no cell is tried yet.
    name = page.locator("#prompt b").inner_text().partition(":")[0]
    for key in ("ArrowDown", "ArrowUp"):
        page.evaluate("document.querySelector('#announcer').textContent = ''")
        page.keyboard.press(key)
        expect(page.locator("#prompt b")).to_contain_text(f"{name}: ")
        expect(page.locator("#prompt b")).to_contain_text("left")
        expect(page.locator("#announcer")).to_have_text(re.compile(r"Time \d+ → \d+, .+ (next|again)"))


def test_an_empty_display_explains_the_first_tile(open_as: OpenAs) -> None:
    game = play.game_of(play.person("Kenji"), play.person("Noor"))
    page = open_as(play.mover(game), game.get_absolute_url())
    expect(page.get_by_text("Your display starts with")).to_be_visible()
    ways.tiles(page).first.click()
    expect(page.get_by_text("Your display starts with")).to_be_hidden()


def test_a_trial_that_covers_nothing_has_no_badge(page: Page) -> None:
    for tile in ways.tiles(page).all():
        tile.click()
        no_gain = page.locator("#display .cell:visible:not([data-gain])")
        if no_gain.count():
            no_gain.first.click()
            expect(page.locator("#display .is-trial .tile__art")).to_be_visible()
            expect(page.locator("#display .is-trial")).not_to_have_attribute("data-gain", re.compile(".*"))
            return
    raise AssertionError("every cell covers a goal")


def test_the_first_tile_needs_no_press_on_its_only_cell(open_as: OpenAs) -> None:
    game = play.game_of(play.person("Kenji"), play.person("Noor"))
    page = open_as(play.mover(game), game.get_absolute_url())
    ways.tiles(page).first.click()
    expect(page.locator("#display .is-trial")).to_have_count(1)
    expect(page.locator("#confirm")).to_have_attribute("type", "submit")
    page.locator("#undo").click()
    expect(page.locator("#display .is-trial")).to_have_count(0)


def test_a_tile_out_of_reach_says_why_it_is_not_chosen(open_as: OpenAs) -> None:
    game = play.game_of(play.person("Ines"), play.person("Tobias"))
    page = open_as(play.mover(game), game.get_absolute_url())
    page.locator(".wheel__space.is-far").first.click()
    expect(page.locator("#prompt-detail")).to_have_text(
        "Only the next three tiles can be taken now, those in the moonlight."
    )
    ways.tiles(page).first.click()
    expect(page.locator("#prompt-detail")).not_to_contain_text("Only the next three")


def test_an_arrow_leads_from_the_action_bar_to_the_first_tile(page: Page) -> None:
    page.locator("#bar").focus()
    page.keyboard.press("ArrowRight")
    expect(ways.tiles(page).first).to_be_focused()
