"""Widths and themes in which every page is checked, and what finds faults in a page."""

from collections.abc import Callable

from playwright.sync_api import Page, ViewportSize

# The checks begin with the width that pages have, and end with the one for axe, which would take half as long
# again at the largest.
WIDTHS = (390, 320, 820, 2560, 1440)
THEMES = ("light", "dark")
PHONE: ViewportSize = {"width": 390, "height": 844}

# Returns the elements that are wider than the window, if the page can scroll sideways.
TOO_WIDE = """() => document.scrollingElement.scrollWidth <= innerWidth ? [] :
    [...document.querySelectorAll("body *")]
        .filter((part) => part.getBoundingClientRect().right > innerWidth + 1)
        .map((part) => part.outerHTML.slice(0, 120)).slice(-3)"""

# Returns the ids that several elements have. An update of the page would take one of them for the other.
REPEATED_IDS = """() => {
    const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
    return ids.filter((id, place) => ids.indexOf(id) !== place);
}"""

# Returns the targets that are too small for a finger: under 44 px in either direction. It skips hidden
# targets, targets inside a larger target, and what WCAG 2.5.5 allows: links within sentences, and points of a
# chart, because a table on the same page has the same links. A phone must show all cells of a wide display,
# so they can have 28 px; WCAG 2.5.8 asks for 24.
TARGETS = "a[href], button, summary, input, select, textarea, label:has(input)"
TOO_SMALL = """(targets) => [...document.querySelectorAll(targets)]
    .filter((target) => {
        const { width, height } = target.getBoundingClientRect();
        const style = getComputedStyle(target);
        if (!width || !height || style.visibility === "hidden" || style.clipPath !== "none") return false;
        if (target.closest("dialog:not([open]), .hidden, [hidden], .chart__points")) return false;
        if (target.matches("label input") || target.parentElement.closest("a, button, label")) return false;
        const isInText = style.display === "inline" && target.closest("p, li, dd, td, label, figcaption");
        const least = target.closest(".cell") ? 27.5 : 43.5;
        return !isInText && (width < least || height < least);
    })
    .map((target) => {
        const { width, height } = target.getBoundingClientRect();
        return `${width.toFixed()} x ${height.toFixed()}: ${target.outerHTML.slice(0, 140)}`;
    })"""

# Returns the words in headings of tables that break, or end outside of their column; no names.
BROKEN_HEADINGS = """() => [...document.querySelectorAll("th")].flatMap((cell) => {
    const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    const broken = [];
    while (walker.nextNode()) {
        const { data, parentElement } = walker.currentNode;
        const isHidden = getComputedStyle(parentElement).clipPath !== "none";
        if (isHidden || parentElement.closest("[translate=no]")) continue;
        for (const { 0: word, index } of data.matchAll(/[^\\s-]+/g)) {
            const range = new Range();
            range.setStart(walker.currentNode, index);
            range.setEnd(walker.currentNode, index + word.length);
            const isBroken = new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
            const [box, edges] = [range, cell].map((part) => part.getBoundingClientRect());
            if (isBroken || box.right > edges.right + 1) broken.push(word);
        }
    }
    return broken;
})"""

# Changes the theme, and waits until every colour has changed.
SET_THEME = """(theme) => {
    document.documentElement.dataset.theme = theme;
    const changes = document.getAnimations().filter((one) => one instanceof CSSTransition);
    return Promise.all(changes.map((one) => one.finished)).then(() => {});
}"""


def check_page(page: Page, axe: Callable[..., None], widths: tuple[int, ...] = WIDTHS) -> None:
    """Check a page of a phone: ids, size of targets, sideways scrolling, headings of tables, and axe."""
    assert page.evaluate(REPEATED_IDS) == []
    assert page.evaluate(TOO_SMALL, TARGETS) == []
    for width in widths:
        page.set_viewport_size({"width": width, "height": 844 if width < 700 else 1000})
        assert page.evaluate(TOO_WIDE) == [], f"at {width} px"
        assert (broken := page.evaluate(BROKEN_HEADINGS)) == [], f"at {width} px: {broken}"
    page.evaluate(SET_THEME, "light")
    axe(page)
    page.evaluate(SET_THEME, "dark")
    axe(page, "color-contrast")  # Everything else is the same in both themes.
