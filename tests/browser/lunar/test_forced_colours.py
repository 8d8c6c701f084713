"""The drawings of LUNAR where the system replaces all colours."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Show
from tests.browser.states import STATES

pytestmark = pytest.mark.django_db(transaction=True)


def test_forced_colours_keep_the_drawings_and_show_the_choice(show: Show) -> None:
    page = show(STATES["lunar-trick"](), forced_colors="active")
    page.locator(".hand a.card:not([aria-disabled])").first.click()
    expect(page.locator(".hand .is-chosen")).to_have_css("outline-style", "solid")
    expect(page.locator(".hand .is-out").first).to_have_css("outline-style", "dashed")
    for drawing in (".card__art", ".tile__art", ".disc-mark"):
        expect(page.locator(drawing).first).to_have_css("forced-color-adjust", "none")
