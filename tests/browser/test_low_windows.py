"""A low window and large text: the action bar takes a third at most, and never covers what has the focus."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser import ways
from tests.browser.conftest import OpenGame
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)

# Returns how much of the window the bar takes while it covers a part of it.
BAR_PART = """() => {
    const bar = document.getElementById("bar");
    const covers = ["sticky", "fixed"].includes(getComputedStyle(bar).position);
    return covers ? bar.getBoundingClientRect().height / innerHeight : 0;
}"""
# Returns whether some point of the focused element is in sight, and which element that is.
FOCUS = """() => {
    const element = document.activeElement;
    const { left, top, right, bottom } = element.getBoundingClientRect();
    let isSeen = false;
    for (const part of [0.05, 0.25, 0.5, 0.75, 0.95]) {
        for (const y of [0.05, 0.25, 0.5, 0.75, 0.95]) {
            const hit = document.elementFromPoint(left + part * (right - left), top + y * (bottom - top));
            isSeen ||= hit !== null && element.contains(hit);
        }
    }
    return [element.id || element.outerHTML.slice(0, 80), isSeen];
}"""
SIZES = {
    "400 %": (320, 256, 100),
    "400 %, large text": (320, 256, 200),
    "small phone, large text": (320, 568, 200),
    "phone on its side": (740, 330, 100),
    "phone on its side, large text": (740, 330, 200),
}
# In these, more fits than in the same window with large text.
EASIER = ("400 %", "phone on its side")


def covered_stops(page: Page, presses: int) -> list[str]:
    """Press Tab so often; return what got the focus and was wholly out of sight."""
    covered = []
    for _press in range(presses):
        page.keyboard.press("Tab")
        name, is_seen = page.evaluate(FOCUS)
        if not is_seen and "<body" not in name:
            covered.append(name)
    return covered


@pytest.mark.parametrize(
    "size", [pytest.param(size, marks=[pytest.mark.whole] * (size in EASIER)) for size in SIZES]
)
def test_the_bar_takes_a_third_at_most_and_never_covers_the_focus(open_game: OpenGame, size: str) -> None:
    width, height, text = SIZES[size]
    page = open_game(viewport={"width": width, "height": height})
    page.evaluate(f"document.documentElement.style.fontSize = '{text}%'")
    wait_until(lambda: page.evaluate(BAR_PART) <= 1 / 3, "a low bar")
    assert covered_stops(page, 45) == []
    ways.tiles(page).first.focus()
    page.keyboard.press("Enter")
    wait_until(lambda: page.evaluate(BAR_PART) <= 1 / 3, "a low bar")
    assert page.evaluate(FOCUS)[1], "the cell"
    page.keyboard.press("Enter")
    expect(page.locator("#confirm")).to_be_focused()
    wait_until(lambda: page.evaluate(BAR_PART) <= 1 / 3, "a low bar")
    assert page.evaluate(FOCUS)[1], "the button"
    page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
    assert covered_stops(page, 45) == []
