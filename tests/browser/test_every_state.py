"""Every page in every state: no error, no sideways scroll, nothing that axe or a thumb would miss."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import log_in
from tests.browser.states import STATES, Look, every_state
from tests.conftest import OpenBrowser

pytestmark = pytest.mark.django_db(transaction=True)

WIDTHS = (320, 390, 820, 1440, 2560)
THEMES = ("light", "dark")

# What is wider than the window, where the page would scroll sideways.
TOO_WIDE = """() => document.scrollingElement.scrollWidth <= innerWidth ? [] :
    [...document.querySelectorAll("body *")]
        .filter((part) => part.getBoundingClientRect().right > innerWidth + 1)
        .map((part) => part.outerHTML.slice(0, 120)).slice(-3)"""

# What a finger would miss: targets under 44 px either way, but for links within sentences, as WCAG 2.5.5
# has it, for what is not to be seen, and for what lies in a larger target.
TARGETS = "a[href], button, summary, input, select, textarea, label:has(input)"
TOO_SMALL = """(targets) => [...document.querySelectorAll(targets)]
    .filter((target) => {
        const { width, height } = target.getBoundingClientRect();
        const style = getComputedStyle(target);
        if (!width || !height || style.visibility === "hidden" || style.clipPath !== "none") return false;
        if (target.closest("dialog:not([open]), .hidden, [hidden]")) return false;
        if (target.matches("label input") || target.parentElement.closest("a, button, label")) return false;
        const isInText = style.display === "inline" && target.closest("p, li, dd, td, label, figcaption");
        return !isInText && (width < 43.5 || height < 43.5);
    })
    .map((target) => {
        const { width, height } = target.getBoundingClientRect();
        return `${width.toFixed()} x ${height.toFixed()}: ${target.outerHTML.slice(0, 140)}`;
    })"""

# Change the theme, and wait until no colour is on its way to another.
IN_THEME = """(theme) => {
    document.documentElement.dataset.theme = theme;
    const changes = document.getAnimations().filter((one) => one instanceof CSSTransition);
    return Promise.all(changes.map((one) => one.finished)).then(() => {});
}"""


def show(open_browser: OpenBrowser, server: str, look: Look, **options: object) -> Page:
    page = open_browser(allows_refusals=look.refused, **options)
    if look.viewer:
        log_in(page.context, look.viewer, server)
    look.before(page)
    page.goto(look.path)
    look.after(page)
    return page


@pytest.mark.parametrize("name", every_state())
def test_a_state(open_browser: OpenBrowser, axe: Callable[..., None], server: str, name: str) -> None:
    # Nothing need breathe meanwhile: drawing that takes longer than looking for faults.
    page = show(
        open_browser,
        server,
        STATES[name](),
        viewport={"width": 390, "height": 844},
        reduced_motion="reduce",
    )
    assert page.evaluate(TOO_SMALL, TARGETS) == []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 844 if width < 700 else 1000})
        assert page.evaluate(TOO_WIDE) == [], f"at {width} px"
    page.evaluate(IN_THEME, "light")
    axe(page)
    page.evaluate(IN_THEME, "dark")
    axe(page, "color-contrast")  # all else is alike in both


@pytest.mark.parametrize("name", ["game-cell-chosen", "lesson-cell-chosen"])
def test_forced_colours_keep_what_is_chosen(open_browser: OpenBrowser, server: str, name: str) -> None:
    """Where the system paints over all colours, outlines and borders tell what shadows and fills told."""
    page = show(open_browser, server, STATES[name](), forced_colors="active")
    for chosen in (".wheel .is-chosen", "#display .is-trial"):
        expect(page.locator(chosen)).to_have_css("outline-style", "solid")
    expect(page.locator("#display .cell:not(.is-trial)").first).to_have_css("border-style", "dashed")
    for kept in (".tile__art", ".wheel__plate", ".disc-mark"):
        expect(page.locator(kept).first).to_have_css("forced-color-adjust", "none")
