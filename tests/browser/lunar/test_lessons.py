"""The lessons of LUNAR by keyboard on a phone, from the first to a game."""

import pytest
from playwright.sync_api import expect

from games.lunar.engine import Flip
from games.lunar.learning.lessons import LESSONS
from tests.browser import ways
from tests.browser.conftest import OpenBrowser

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_lessons_lead_to_a_game(open_browser: OpenBrowser) -> None:
    page = open_browser(viewport={"width": 390, "height": 844})
    page.goto("/learn/lunar/")
    for number, lesson in enumerate(LESSONS, 1):
        expect(page.get_by_role("heading", name=str(lesson.title))).to_be_in_viewport()
        if lesson.expected:
            expect(page.locator(".lesson__mine")).to_be_in_viewport(ratio=0.99)
        match lesson.expected:
            case None:
                break
            case Flip(_seat, suit):
                page.locator(f"a[data-suit={suit}]").press("Enter")
            case action:
                page.locator(f"#game a[data-card='{action.card}']:not([aria-disabled])").first.press("Enter")
        page.locator(ways.CONFIRM).press("Enter")
        expect(page.get_by_text(f"Lesson {number + 1} of")).to_be_visible()
    page.get_by_role("button", name="Play now").click()
    expect(page.locator("#felt")).to_be_visible()
