"""A review in the browser: asked for after the game, watched while the expert goes through it, and read."""

import re

import pytest
from playwright.sync_api import expect

from games.models import Review
from tests.browser.conftest import log_in
from tests.browser.states.making import after, people, play_until, resign, started
from tests.conftest import OpenBrowser

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("worker")]

ALL_TURNS = 60_000  # milliseconds: more than the expert takes for them on two busy cores


def test_a_finished_game_is_reviewed_while_one_watches(open_browser: OpenBrowser, server: str) -> None:
    game = play_until(started("Ines", "Tobias"), after(8))
    resign(game, people("Tobias")[0])
    page = open_browser()
    log_in(page.context, people("Ines")[0], server)
    page.goto(game.get_absolute_url())
    page.get_by_role("link", name="Review").click()
    page.get_by_role("button", name="Review the game").click()
    expect(page.get_by_role("progressbar")).to_be_visible()
    expect(page.locator("#done")).to_contain_text("of 9 turns")
    expect(page.get_by_role("heading", name="Turn by turn")).to_be_visible(timeout=ALL_TURNS)
    expect(page.locator("#review-announcer")).to_have_text("The review is ready.")
    expect(page.get_by_role("figure", name="Chance to win")).to_be_visible()
    expect(page.locator("tbody tr")).to_have_count(9)
    turns = Review.objects.get().turns
    worst = max(range(len(turns)), key=lambda at: turns[at]["lost"] or 0)
    article = page.locator("article.key").filter(has_text=re.compile(rf"Turn {worst + 1},"))
    expect(article).to_contain_text(f"gave away {round(100 * turns[worst]['lost'])}%")
    article.get_by_role("link", name="Look at it in the game").click()
    expect(page.locator("#game")).to_be_visible()
    assert page.url.endswith(f"?at={worst}"), "it is the board before that turn"
