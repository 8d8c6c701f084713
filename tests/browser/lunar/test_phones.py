"""On phones and a tablet, all that a turn of LUNAR needs is in sight, and nothing covers it."""

import pytest

from tests.browser.conftest import Show
from tests.browser.states import STATES

pytestmark = pytest.mark.django_db(transaction=True)

SIZES = ((320, 640), (360, 740), (390, 844), (844, 390), (1024, 768))
PARTS = (
    ".hand .card, .trick__card, .sky .card, .trump, .passing__slot, .seat:not(.seat--south) .backs, "
    "#confirm:not([aria-disabled])"
)

# Returns the parts of which the given point, in pixels from their upper left corner, is out of sight.
COVERED = """([parts, point]) => [...document.querySelectorAll(parts)]
    .filter((part) => {
        const { left, top } = part.getBoundingClientRect();
        const seen = document.elementFromPoint(left + point, top + point);
        return !seen || !(part.contains(seen) || seen.contains(part) && seen.closest("li, p"));
    })
    .map((part) => part.id || part.className)"""

# Returns the lower edge of the suits in the hand, in pixels from the top of the window.
LOWEST_SUIT = """() => Math.max(...[...document.querySelectorAll(".fan--s .card")]
    .map((card) => card.getBoundingClientRect().bottom))"""


@pytest.mark.parametrize(
    "name",
    ["first-trick", "trick", "must-follow", "chosen", "trump", "passing", "next-round", "two", "two-trump"],
)
def test_all_that_a_turn_needs_is_in_sight(show: Show, name: str) -> None:
    page = show(STATES[f"lunar-{name}"](), viewport={"width": 320, "height": 640})
    covered = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.reload()
        covered += [f"{width} px: {part}" for part in page.evaluate(COVERED, [PARTS, 16])]
    assert covered == []


@pytest.mark.parametrize(
    "name", ["two-tip", "two-tip-waiting", "two-trump", "two-first-trick", "two", "must-follow"]
)
def test_the_bar_covers_little_of_the_suits(show: Show, name: str) -> None:
    page = show(STATES[f"lunar-{name}"](), viewport={"width": 390, "height": 800})
    assert (
        page.evaluate(LOWEST_SUIT)
        <= page.locator("#bar").evaluate("bar => bar.getBoundingClientRect().top") + 12
    )


def test_the_number_of_tricks_is_in_sight(show: Show) -> None:
    page = show(STATES["lunar-trick"](), viewport={"width": 320, "height": 640})
    assert page.evaluate(COVERED, [".strip .marker", 6]) == []
    assert page.locator(".strip .marker").all_inner_texts() == ["0", "4"]
