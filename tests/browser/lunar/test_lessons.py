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


def test_a_lesson_shows_its_last_trick_and_its_task_is_in_sight(open_browser: OpenBrowser) -> None:
    page = open_browser(viewport={"width": 320, "height": 568}, reduced_motion="no-preference")
    page.goto("/learn/lunar/5/")
    expect(page.get_by_text("What happened")).to_be_in_viewport()
    expect(page.locator(".lesson__event").first).to_be_hidden()
    for part in (".lesson__table", "#hand", "#prompt-title"):
        expect(page.locator(part)).to_be_in_viewport(ratio=0.99)
    expect(page.locator("#prompt-title")).to_contain_text("win the star")
    page.locator("#hand a[data-card=L]").click()
    page.locator(ways.CONFIRM).click()
    expect(page.locator(".held .bar")).to_contain_text("You and Vega won: lynx 4 over owl 7")
    page.keyboard.press("Enter")
    expect(page.locator(".held")).to_have_count(0)
    expect(page.locator("#prompt-title")).to_contain_text("Take the 7")
    page.set_viewport_size({"width": 1440, "height": 900})
    page.evaluate("scrollTo(0, 0)")
    expect(page.locator(".lesson .bar")).to_be_in_viewport(ratio=1)
