"""A second press where Confirm was, too fast or by mistake, leads nowhere; a press elsewhere does."""

import re

import pytest
from playwright.sync_api import expect

from games.models import Action
from games.services import bots
from tests import play
from tests.browser import ways
from tests.browser.conftest import OpenAs
from tests.browser.waits import wait_for_other_version

pytestmark = pytest.mark.django_db(transaction=True)

# For the page, two presses are as near to each other as a test wants, however slow the machine is.
STOP_TIME = "() => { const now = performance.now(); performance.now = () => now; }"
# More than the pause in which a second press at the same place does nothing.
MOVE_ON = "() => { const now = performance.now() + 1000; performance.now = () => now; }"


@pytest.mark.parametrize("width", [320, 1440])
def test_a_double_press_on_confirm_stays_in_the_game(open_as: OpenAs, width: int) -> None:
    ines, tobias = play.person("Ines"), play.person("Tobias")
    games = [play.game_of(ines, tobias) for _game in range(6)]
    waiting = [game for game in games if play.mover(game) == ines]
    assert len(waiting) > 1, "nobody begins two games"
    page = open_as(ines, waiting[0].get_absolute_url(), viewport={"width": width, "height": 800})
    ways.tiles(page).last.click()
    ways.cells(page).first.click()
    version = page.locator("#game").get_attribute("data-version")
    x, y = ways.middle(page.locator(ways.CONFIRM))
    page.evaluate(STOP_TIME)
    page.mouse.click(x, y)
    wait_for_other_version(page, version)
    address = page.url
    page.mouse.click(x, y)
    expect(page.get_by_role("link", name="Next game")).to_be_visible()
    assert page.url == address
    page.locator("#bar [data-step=previous]").click()
    expect(page).to_have_url(f"{address}?at=0")
    page.evaluate(MOVE_ON)  # The way back can be where Confirm was.
    page.locator("#bar .bar__back").click()
    page.evaluate(MOVE_ON)
    page.get_by_role("link", name="Next game").click()
    expect(page).to_have_url(re.compile(waiting[1].key))


def test_a_second_press_takes_nothing_back(open_as: OpenAs) -> None:
    ines = play.person("Ines")
    game = play.game_of(ines, bots=("easy",))
    while play.fresh(game).to_move != game.seats.get(user=ines).number:
        bots.take_turn(game.pk, play.fresh(game).version + 1)
    page = open_as(ines, game.get_absolute_url())
    take_back = page.get_by_role("button", name="Take back")
    for _turn in range(2):
        ways.tiles(page).last.click()
        ways.cells(page).first.click()
        version = page.locator("#game").get_attribute("data-version")
        confirm = ways.middle(page.locator(ways.CONFIRM))
        page.evaluate(STOP_TIME)
        page.mouse.click(*confirm)
        wait_for_other_version(page, version)
        page.mouse.click(*confirm)
        expect(take_back).to_be_visible()
        page.evaluate(MOVE_ON)
        if play.fresh(game).seats.awaited().get().bot:
            break
        # Undo leaves its place to the button.
        ways.tiles(page).last.click()
        undo = ways.middle(page.locator("#undo"))
        page.mouse.click(*undo)
        page.mouse.click(*undo)
    played = play.fresh(game).version
    assert not Action.objects.filter(game=game, payload__do="take_back").exists()
    page.evaluate(MOVE_ON)
    take_back.click()
    expect(page.locator("#log-" + str(played + 1))).to_contain_text("You took back action")
