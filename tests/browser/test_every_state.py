"""Every page in every state: no error, sideways scrolling, axe violation, small target or repeated id."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Show
from tests.browser.page_checks import PHONE, check_page
from tests.browser.states import STATES
from tests.browser.states.catalogue import MINOR_STATES

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("name", [name for name in STATES if name not in MINOR_STATES])
def test_a_state(show: Show, axe: Callable[..., None], name: str) -> None:
    """About one state for each page; the others are checked in the pseudo-locale only."""
    # Drawing animations would take longer than the checks.
    check_page(show(STATES[name](), viewport=PHONE, reduced_motion="reduce"), axe)


@pytest.mark.parametrize("name", ["game-cell-chosen", "lesson-cell-chosen"])
def test_forced_colours_show_the_choice(show: Show, name: str) -> None:
    """Where the system replaces all colours, outlines and borders replace shadows and fills."""
    page = show(STATES[name](), forced_colors="active")
    for chosen in (".wheel .is-chosen", "#display .is-trial"):
        expect(page.locator(chosen)).to_have_css("outline-style", "solid")
    expect(page.locator("#display .cell:not(.is-trial)").first).to_have_css("border-style", "dashed")
    for coloured in (".tile__art", ".wheel__plate", ".disc-mark"):
        expect(page.locator(coloured).first).to_have_css("forced-color-adjust", "none")


def test_forced_colours_show_the_chosen_segments(show: Show) -> None:
    """There the system draws no backgrounds and shadows, except for parts that do without its colours."""
    page = show(STATES["new-table-first"](), forced_colors="active")
    everywhere = page.locator(".segments label:has(:checked):visible")
    expect(everywhere).to_have_count(2)
    for chosen in everywhere.all():
        expect(chosen).to_have_css("forced-color-adjust", "none")
        other = page.locator(".segments label:not(:has(:checked)):visible").first
        assert background_of(chosen) != background_of(other)


def background_of(element: Locator) -> str:
    colour: str = element.evaluate("element => getComputedStyle(element).backgroundColor")
    return colour


def test_forced_colours_show_the_chart_of_a_review_and_the_shown_action(show: Show) -> None:
    page = show(STATES["review-of-two"](), forced_colors="active", viewport={"width": 1280, "height": 800})
    strip, shown = page.locator(".strip"), page.locator("#log .is-shown")
    expect(strip).to_have_css("background-image", re.compile("gradient"))  # The line is as pale as paper.
    expect(strip.locator(".strip__key[aria-current]")).not_to_have_css("box-shadow", "none")
    expect(shown).to_have_css("border-inline-start-width", "4px")
    expect(page.locator("#log .is-key .judged__number").first).to_have_css("border-style", "solid")
