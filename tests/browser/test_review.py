"""A review in the browser: the request after the game, its progress, and the finished page."""

import re

import pytest
from playwright.sync_api import expect

from games.models import Review
from tests.browser.conftest import OpenAs
from tests.browser.states.making import after_actions, people, play_until, resign, start_game

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("worker")]

REVIEW_TIMEOUT = 120_000  # milliseconds: more than the expert needs on two busy cores


def test_a_page_shows_the_progress_and_the_finished_review(open_as: OpenAs) -> None:
    game = play_until(start_game("Ines", "Tobias"), after_actions(2))
    resign(game, people("Tobias")[0])
    page = open_as(people("Ines")[0], game.get_absolute_url())
    page.get_by_role("button", name="Review").click()
    expect(page.get_by_role("progressbar")).to_be_visible()
    expect(page.locator("#done")).to_contain_text("of 3 actions")
    expect(page.locator("#log .judged")).to_have_count(3, timeout=REVIEW_TIMEOUT)
    expect(page.locator(".strip .line")).to_be_visible()
    board, cards = (page.locator(part).evaluate("e => e.offsetWidth") for part in ("#game", ".review-page"))
    assert board == cards, "the cards are as wide as the board above them"
    turns = Review.objects.get().turns
    worst = max(range(len(turns)), key=lambda at: turns[at]["lost"] or 0)
    article = page.locator("article.key").filter(has_text=re.compile(rf"Action {worst + 1},"))
    expect(article).to_contain_text(f"lost {round(100 * turns[worst]['lost'])} point")
    article.get_by_role("link", name="Show on the board").click()
    expect(page.locator("#prompt-title")).to_contain_text(f"Action {worst + 1} lost")
    expect(page).to_have_url(re.compile(rf"/review/\?at={worst + 1}$"))
    page.get_by_role("link", name="Back to the game").click()
    expect(page).to_have_url(re.compile(rf"{game.get_absolute_url()}\?at={worst + 1}$"))
