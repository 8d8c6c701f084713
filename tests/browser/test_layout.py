"""The layout of the game page at the widths of phones, tablets and screens."""

import pytest
from playwright.sync_api import expect

from tests.browser import ways
from tests.browser.conftest import Show
from tests.browser.states import STATES

pytestmark = pytest.mark.django_db(transaction=True)

# Returns the number of entries of the log that are completely visible.
WHOLE_ENTRIES = """() => {
    const { bottom } = document.querySelector("#log").getBoundingClientRect();
    return [...document.querySelectorAll("#log .log__entry")]
        .filter((entry) => entry.getBoundingClientRect().bottom <= bottom).length;
}"""
# Returns the number of lines of each visible occurrence of a name.
LINES = """(name) => {
    const texts = document.createTreeWalker(document.querySelector("#game"), NodeFilter.SHOW_TEXT);
    const lines = [];
    while (texts.nextNode()) {
        const start = texts.currentNode.data.indexOf(name);
        if (start < 0 || !texts.currentNode.parentElement.checkVisibility()) continue;
        const range = new Range();
        range.setStart(texts.currentNode, start);
        range.setEnd(texts.currentNode, start + name.length);
        lines.push(new Set([...range.getClientRects()].map(({ top }) => top)).size);
    }
    return lines;
}"""

# Returns the vertical middle of each visible part of the action bar.
MIDDLES = """() => [...document.querySelectorAll("#prompt, #bar .btn")]
    .map((part) => part.getBoundingClientRect())
    .filter(({ height }) => height)
    .map(({ top, bottom }) => (top + bottom) / 2)"""

# Returns the least distance in px from a cell to an edge of the stage.
MARGIN = """() => {
    const stage = document.querySelector("#display").getBoundingClientRect();
    return Math.min(...[...document.querySelectorAll("#display .cell")]
        .map((cell) => cell.getBoundingClientRect())
        .flatMap(({ left, top, right, bottom }) =>
            [left - stage.left, top - stage.top, stage.right - right, stage.bottom - bottom]));
}"""

# Returns the parts of the action bar that stick out of it, each with the distance in px.
STICK_OUT = """() => {
    const bar = document.querySelector("#bar").getBoundingClientRect();
    return [...document.querySelectorAll("#bar :is(.btn, p)")]
        .filter((part) => part.checkVisibility())
        .map((part) => [part.innerText, part.getBoundingClientRect()])
        .map(([text, { left, right }]) => [text, Math.max(bar.left - left, right - bar.right)])
        .filter(([, distance]) => distance > 0);
}"""


@pytest.mark.parametrize("name", ["game-four", "game-won", "solo-over"])
def test_a_tablet_shows_at_least_two_entries_of_the_log(show: Show, name: str) -> None:
    page = show(STATES[name](), viewport={"width": 820, "height": 1180})
    assert page.evaluate(WHOLE_ENTRIES) >= 2


@pytest.mark.parametrize("name", ["hint-offered", "hint-refill"])
def test_nothing_sticks_out_of_the_action_bar(show: Show, name: str) -> None:
    page = show(STATES[name](), viewport={"width": 2560, "height": 900})
    if not page.locator("#undo:visible").count() and ways.can_place(page):
        ways.choose(page)
    for width in (2560, 1600, *range(1400, 300, -40)):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate(STICK_OUT) == [], f"at {width} px"


def test_no_name_breaks_between_two_lines(show: Show) -> None:
    page = show(STATES["game-long-names"]())
    for width in (320, 820, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        lines = page.evaluate(LINES, "M" * 30)
        assert len(lines) > 3
        assert set(lines) == {1}, f"at {width} px"


@pytest.mark.parametrize("name", ["game-refill-allowed", "game-cell-chosen", "game-past", "solo-phase-1"])
def test_the_action_bar_is_one_row_on_a_wide_screen(show: Show, name: str) -> None:
    page = show(STATES[name](), viewport={"width": 1440, "height": 900})
    middles = page.evaluate(MIDDLES)
    assert len(middles) >= 2
    assert max(middles) - min(middles) < 4


@pytest.mark.parametrize(("width", "margin"), [(390, 6), (820, 20), (1440, 20)])
def test_the_ring_around_a_chosen_cell_has_space(show: Show, width: int, margin: int) -> None:
    page = show(STATES["game-tile-chosen"](), viewport={"width": width, "height": 900})
    assert page.evaluate(MARGIN) >= margin


def test_the_names_of_cells_show_when_they_help_and_move_nothing(show: Show) -> None:
    page = show(STATES["game-my-turn"](), viewport={"width": 1440, "height": 900})
    label, display = page.locator("#display .edge").first, page.locator("#display .display")
    expect(label).to_have_css("opacity", "0")
    before = display.bounding_box()
    page.locator("#display").hover()
    expect(label).to_have_css("opacity", "1")
    assert display.bounding_box() == before
    page.locator("#previous").click()
    expect(page.locator("#back")).to_be_visible()
    expect(label).to_have_css("opacity", "1")
