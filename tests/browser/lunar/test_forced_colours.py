"""The drawings of LUNAR where the system replaces all colours."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Show
from tests.browser.states import STATES

pytestmark = pytest.mark.django_db(transaction=True)

# Returns how a browser computes the system colour of what is selected.
COLOUR_OF_HIGHLIGHT = """() => {
    const mark = document.body.appendChild(document.createElement("i"));
    mark.style.color = "Highlight";
    const { color } = getComputedStyle(mark);
    mark.remove();
    return color;
}"""


def test_forced_colours_keep_the_drawings_and_show_the_choice(show: Show) -> None:
    page = show(STATES["lunar-trick"](), forced_colors="active")
    page.locator(".hand a.card:not([aria-disabled])").first.click()
    expect(page.locator(".hand .is-chosen")).to_have_css("outline-style", "solid")
    expect(page.locator(".hand .is-out").first).to_have_css("outline-style", "dashed")
    for drawing in (".card__art", ".tile__art", ".disc-mark"):
        expect(page.locator(drawing).first).to_have_css("forced-color-adjust", "none")


def test_forced_colours_draw_a_ground_below_chat_and_note(show: Show) -> None:
    page = show(STATES["lunar-trick"](), viewport={"width": 1440, "height": 900}, forced_colors="active")
    expect(page.locator(".talk")).not_to_have_css("background-color", "rgba(0, 0, 0, 0)")


def test_forced_colours_show_whose_turn_it_is_and_what_pays_most(show: Show) -> None:
    page = show(STATES["lunar-trick"](), forced_colors="active")
    highlight = page.evaluate(COLOUR_OF_HIGHLIGHT)
    expect(page.locator(".seat.is-turn")).to_have_css("outline-style", "solid")
    for part in (".trick__place.is-now .trick__card", ".track__field.is-best"):
        expect(page.locator(part).first).to_have_css("border-top-color", highlight)
    for other in (".trick__place.is-later .trick__card", ".track__field.is-none"):
        expect(page.locator(other).first).not_to_have_css("border-top-color", highlight)
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator(".strip__field.is-best").first).to_have_css("border-top-style", "solid")
    expect(page.locator(".seat .here").first).to_have_css("forced-color-adjust", "none")
