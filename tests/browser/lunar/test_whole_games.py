"""Whole games of LUNAR in Chromium: by four people in four browsers, and by keyboard alone."""

import uuid
from collections.abc import Callable
from random import Random
from unittest import mock

import pytest
from playwright.sync_api import Locator, Page, expect

from games.models import Game
from games.services import deals, tables
from games.services.play import play
from tests.browser.conftest import OpenAs
from tests.browser.lunar.games import NAMES, position_of, user_at
from tests.browser.waits import wait_for_other_version, wait_for_version
from tests.play import fresh, person, same_deals

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.whole]

# ms in which the page takes a press after a move of its own for a double press
DOUBLE_PRESS = 450
CHOICE = "#game a:is([data-card], [data-suit]):not([aria-disabled], .is-chosen)"


def start(seats: int) -> Game:
    """Return a game that is over after two rounds, unless the sides are level."""
    users = [person(name) for name in NAMES[:seats]]
    with mock.patch.object(deals, "mixed_deal", same_deals(2)):
        options = tables.TableOptions(seats, title="lunar", options={"points": [20] * 13})
        game = tables.open_table(users[0], options)
        for user in users[1:]:
            tables.join(game.key, user)
    return fresh(game)


def choose(page: Page, press: Callable[[Locator], None], *, key: str = "") -> None:
    """Choose what is asked for: two cards of each kind to pass, or a tile or a card."""
    if not page.locator("#passing").count():
        return press(page.locator(CHOICE + key).first)
    for fan in page.locator("#hand ul").all():
        for _card in range(2):
            press(fan.locator(f"a:not(.is-chosen){key}").first)
    return None


def press_key_of(link: Locator) -> None:
    link.page.keyboard.press(link.get_attribute("data-key") or "")


def test_four_people_play_to_the_end_in_four_browsers(open_as: OpenAs) -> None:
    game = start(4)
    pages = [open_as(user_at(game, seat), game.get_absolute_url()) for seat in range(4)]
    last = None
    while awaited := position_of(game).awaited:
        page, version = pages[min(awaited)], fresh(game).version
        wait_for_version(page, version)
        if page == last:
            page.wait_for_timeout(DOUBLE_PRESS)
        last = page
        expect(page.locator(".htmx-request, .htmx-settling, .htmx-swapping")).to_have_count(0)
        choose(page, Locator.click)
        page.locator("#confirm[type=submit]").click()
        wait_for_other_version(page, version)
    first = {seat for seat, place in enumerate(position_of(game).places) if place == 1}
    for seat, page in enumerate(pages):
        over = page.locator("#game[data-turn=over]")
        expect(over).to_contain_text("You and" if seat in first else " win")


def test_a_person_plays_to_the_end_by_keyboard_alone(open_as: OpenAs) -> None:
    game, rng = start(2), Random(3)
    page = open_as(user_at(game, 0), game.get_absolute_url())
    while awaited := position_of(game).awaited:
        version = fresh(game).version
        if 0 not in awaited:
            action = rng.choice(list(position_of(game).legal(1)))
            play(game.key, user_at(game, 1), action, version + 1, uuid.uuid4())
            continue
        wait_for_version(page, version)
        choose(page, press_key_of, key="[data-key]")
        page.keyboard.press("c")
        wait_for_other_version(page, version)
    has_won = position_of(game).places[0] == 1
    expect(page.locator("#game[data-turn=over]")).to_contain_text("You win" if has_won else "Tobias wins")
