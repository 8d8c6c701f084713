"""A tip of the first game in the browser."""

import pytest
from playwright.sync_api import expect

from tests import play
from tests.browser import ways
from tests.browser.conftest import OpenAs

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("has_script", [True, False])
def test_a_player_hides_the_tips(open_as: OpenAs, has_script: bool) -> None:
    game = play.game_of(play.person("Ines"), play.person("Tobias"))
    page = open_as(
        play.mover(game),
        game.get_absolute_url(),
        viewport={"width": 390, "height": 844},
        java_script_enabled=has_script,
    )
    tip = page.get_by_role("complementary", name="Tip", exact=True)
    expect(tip).to_contain_text("one of the three tiles after the marker")
    ways.tiles(page).first.click()
    page.get_by_role("button", name="Hide all tips").click()
    expect(tip).to_have_count(0)
    expect(page.locator(".wheel .is-chosen")).to_have_count(1 if has_script else 0)
    page.goto(game.get_absolute_url())
    expect(page.locator("#bar")).to_be_visible()
    expect(tip).to_have_count(0)
