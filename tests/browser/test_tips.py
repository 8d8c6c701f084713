"""A tip of the first game in the browser."""

import pytest
from playwright.sync_api import expect

from tests import play
from tests.browser import ways
from tests.browser.conftest import OpenAs, Show
from tests.browser.states import STATES
from tests.browser.states.clocks import paced_game
from tests.browser.waits import wait_until_unscrolled

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("state", ["game-first-turn", "game-second-turn"])
def test_a_low_phone_shows_the_action_bar_below_the_tip(show: Show, state: str) -> None:
    page = show(STATES[state](), viewport={"width": 360, "height": 640})
    expect(page.get_by_role("complementary", name="Tip", exact=True)).to_be_in_viewport(ratio=1)
    expect(page.locator(".recent")).to_have_count(1 if state == "game-second-turn" else 0)
    for part in (".wheel", "#prompt", "#confirm"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)


def test_a_low_phone_shows_the_bar_of_a_player_who_waits_below_the_tip(open_as: OpenAs) -> None:
    game = play.play_some(paced_game("live"), 2)
    waits = game.seats.exclude(user=play.mover(game)).select_related("user")[0].user
    page = open_as(waits, game.get_absolute_url(), viewport={"width": 320, "height": 640})
    expect(page.get_by_role("complementary", name="Tip", exact=True)).to_be_in_viewport(ratio=1)
    expect(page.locator("#bar")).to_be_in_viewport(ratio=0.99)
    assert page.evaluate("scrollY") == 0


def test_a_phone_shows_three_rows_of_the_display_below_the_tip(open_as: OpenAs) -> None:
    game = play.play_some(paced_game("live"), 7)
    waits = game.seats.exclude(user=play.mover(game)).select_related("user")[0].user
    page = open_as(waits, game.get_absolute_url(), viewport={"width": 390, "height": 844})
    expect(page.get_by_role("complementary", name="Tip", exact=True)).to_be_in_viewport(ratio=1)
    tiles = page.locator(".game__mine .display .tile").all()
    ends = [box["y"] + box["height"] for tile in tiles if (box := tile.bounding_box())]
    bar = page.locator("#bar").bounding_box()
    assert bar
    assert max(ends) <= bar["y"]


@pytest.mark.parametrize("size", [(390, 844), (360, 640)])
def test_a_phone_that_scrolls_to_the_cells_shows_no_part_of_a_tip(
    open_as: OpenAs, size: tuple[int, int]
) -> None:
    game = play.play_some(paced_game("live"), 13)
    viewport = {"width": size[0], "height": size[1]}
    page = open_as(play.mover(game), game.get_absolute_url(), viewport=viewport)
    tip = page.get_by_role("complementary", name="Tip", exact=True)
    expect(tip).to_be_in_viewport(ratio=1)
    ways.tiles(page).first.click()
    wait_until_unscrolled(page)
    clocks, box = page.locator(".roster").bounding_box(), tip.bounding_box()
    assert clocks
    assert box
    assert page.evaluate("scrollY") > 0
    end = clocks["y"] + clocks["height"]
    assert box["y"] >= end or box["y"] + box["height"] <= end + 1


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
    expect(tip).to_contain_text("Press Confirm to place this tile", use_inner_text=True)
    expect(tip).not_to_contain_text("Choose one of the three tiles", use_inner_text=True)
    page.get_by_role("button", name="Hide all tips").click()
    expect(tip).to_have_count(0)
    expect(page.locator(".wheel .is-chosen")).to_have_count(1 if has_script else 0)
    page.goto(game.get_absolute_url())
    expect(page.locator("#bar")).to_be_visible()
    expect(tip).to_have_count(0)
