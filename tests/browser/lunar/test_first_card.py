"""A guest's way from the front page to their first card of LUNAR."""

import logging
import time
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from games.models import Action, Game, Seat
from tests.browser import ways

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("worker"),
    pytest.mark.whole,
]

LOGGER = logging.getLogger(__name__)
CHOICE = "#game[data-turn=mine] a:is([data-card], [data-suit]):not([aria-disabled])"
# Play LUNAR, two of the three trump tiles at most, and a card: each of these is chosen and confirmed.
MOST_PRESSES = 1 + 2 * 2 + 2


def own_cards(game: Game) -> int:
    return Action.objects.filter(game=game, seat=0, payload__do="play").count()


def test_a_guest_plays_the_first_card_after_seven_presses_and_on_the_second_page(page: Page) -> None:
    pages: set[str] = set()
    page.on("framenavigated", lambda frame: pages.add(urlsplit(frame.url).path))
    page.goto("/")
    begun, presses = time.monotonic(), 1
    page.get_by_role("button", name="Play LUNAR").click()
    expect(page.locator("#felt")).to_be_visible()
    game = Game.objects.get()
    assert Seat.objects.get(game=game, number=0).is_of_guest
    while not own_cards(game):
        expect(page.locator(CHOICE).first).to_be_visible()
        version = page.locator("#game").get_attribute("data-version")
        page.locator(CHOICE).first.click()
        page.locator(ways.CONFIRM).click()
        expect(page.locator(f"#game[data-version='{version}']")).to_have_count(0)
        presses += 2
    LOGGER.info("A guest's first card took %.1f s and %d presses", time.monotonic() - begun, presses)
    assert presses <= MOST_PRESSES
    assert len(pages) == 2
