"""A second press on Confirm, too fast or by mistake, leads nowhere."""

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
# More than the pause in which the bar follows no link, and nothing is taken back.
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
    following = page.get_by_role("link", name="Next game")
    following.click()
    assert page.url == address
    page.evaluate(MOVE_ON)
    following.click()
    expect(page).not_to_have_url(address)


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
        page.evaluate(STOP_TIME)
        page.locator(ways.CONFIRM).click()
        wait_for_other_version(page, version)
        take_back.click()
        page.evaluate(MOVE_ON)
        if play.fresh(game).seats.awaited().get().bot:
            break
        # Undo leaves its place to the button.
        ways.tiles(page).last.click()
        page.locator("#undo").click()
        take_back.click()
    played = play.fresh(game).version
    assert not Action.objects.filter(game=game, payload__do="take_back").exists()
    page.evaluate(MOVE_ON)
    take_back.click()
    expect(page.locator("#log-" + str(played + 1))).to_contain_text("You took back action")
