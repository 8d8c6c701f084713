"""The page of LUNAR in every state: no error, sideways scrolling, axe violation or small target."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Show
from tests.browser.lunar.games import STATES
from tests.browser.page_checks import REPEATED_IDS, SET_THEME, TARGETS, TOO_SMALL, TOO_WIDE

pytestmark = pytest.mark.django_db(transaction=True)


def _every_state() -> list[object]:
    """Return the names of all states as parameters; only `make test-all` checks those like another one."""
    major = {"passing", "trick", "two", "over"}
    return [name if name in major else pytest.param(name, marks=pytest.mark.whole) for name in STATES]


@pytest.mark.parametrize("name", _every_state())
def test_a_state(show: Show, axe: Callable[..., None], name: str) -> None:
    page = show(STATES[name](), viewport={"width": 320, "height": 640}, reduced_motion="reduce")
    assert page.evaluate(REPEATED_IDS) == []
    assert page.evaluate(TOO_SMALL, TARGETS) == []
    for width in (320, 390, 834, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate(TOO_WIDE) == [], f"at {width} px"
    page.evaluate(SET_THEME, "light")
    axe(page)
    page.evaluate(SET_THEME, "dark")
    axe(page, "color-contrast")


def test_forced_colours_keep_the_drawings_and_show_the_choice(show: Show) -> None:
    page = show(STATES["trick"](), forced_colors="active")
    page.locator(".hand a.card:not([aria-disabled])").first.click()
    expect(page.locator(".hand .is-chosen")).to_have_css("outline-style", "solid")
    expect(page.locator(".hand .is-out").first).to_have_css("outline-style", "dashed")
    for drawing in (".card__art", ".tile__art", ".marker"):
        expect(page.locator(drawing).first).to_have_css("forced-color-adjust", "none")
