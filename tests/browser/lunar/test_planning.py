"""A turn is planned with the cards themselves: by press, key and drag, in one window."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenAs
from tests.browser.lunar.games import game_of, in_trick, position_of, user_at

pytestmark = pytest.mark.django_db(transaction=True)

DESKTOP = {"width": 1440, "height": 900}
IS_IN_SIGHT = """() => scrollY === 0 && document.querySelector("#felt").getBoundingClientRect().top >= 0
    && document.querySelector("#bar").getBoundingClientRect().bottom <= innerHeight"""


def open_plan(open_as: OpenAs) -> Page:
    """Open the page of the partner of a leader who has played a rank."""
    game = game_of(4, in_trick(3, 1))
    user = user_at(game, (position_of(game).next_leader + 2) % 4)
    page = open_as(user, game.get_absolute_url(), viewport=DESKTOP)
    page.locator("#plan-start").click()
    expect(page.locator("#bar[data-plans]")).to_be_visible()
    return page


def test_cards_are_added_and_taken_out_by_press_key_and_drag(open_as: OpenAs) -> None:
    page = open_plan(open_as)
    wishes, free = page.locator(".plan__wishes li"), page.locator("#hand button[aria-pressed=false]")
    free.last.click()
    expect(wishes).to_have_count(1)
    key = str(free.first.get_attribute("data-card"))[0]
    page.keyboard.press(key.lower())
    expect(wishes).to_have_count(2)
    free.first.drag_to(page.locator("#felt"))
    expect(wishes).to_have_count(3)
    assert page.evaluate(IS_IN_SIGHT)
    page.locator("#wish-remove-1").click()
    expect(wishes).to_have_count(2)
    pressed = page.locator("#hand button[aria-pressed=true]").first
    pressed.press("Enter")
    expect(wishes).to_have_count(1)
    expect(page.locator("#hand button:focus")).to_have_count(1)
    page.keyboard.press("ArrowRight")
    expect(page.locator("#hand button:focus")).to_have_count(1)


def test_a_card_that_can_not_be_planned_says_why(open_as: OpenAs) -> None:
    page = open_plan(open_as)
    page.locator("#hand a[aria-disabled]").first.click(force=True)
    expect(page.locator("#prompt-detail")).to_contain_text("has played a rank, so you must play a suit")
    expect(page.locator(".plan__wishes")).to_have_count(0)


def test_the_table_is_in_sight_after_a_plan(open_as: OpenAs) -> None:
    page = open_plan(open_as)
    page.locator("#hand button").first.click()
    expect(page.locator(".plan__wishes li")).to_have_count(1)
    page.locator("#plan-done").click()
    expect(page.locator("#plan-saved")).to_be_visible()
    assert page.evaluate(IS_IN_SIGHT)
    page.reload()
    expect(page.locator("#plan-saved")).to_be_visible()
    assert page.evaluate(IS_IN_SIGHT)
