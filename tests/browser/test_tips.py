"""A tip of the first game in the browser."""

import pytest
from playwright.sync_api import Page, expect

from tests import play
from tests.browser import ways
from tests.browser.conftest import OpenAs, Show
from tests.browser.states import STATES
from tests.browser.states.clocks import paced_game
from tests.browser.states.making import play_until
from tests.browser.waits import wait_for_version, wait_until_unscrolled

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
    expect(page.get_by_role("button", name="Hide tips")).to_have_text("Hide tips")
    page.get_by_role("button", name="Hide tips").click()
    expect(tip).to_have_count(0)
    expect(page.get_by_text("Tips are hidden. The settings show them again.").first).to_be_in_viewport(
        ratio=1
    )
    if has_script:
        expect(page.locator("#announcer")).to_contain_text("The settings show them again.")
    expect(page.locator(".wheel .is-chosen")).to_have_count(1 if has_script else 0)
    page.goto(game.get_absolute_url())
    expect(page.locator("#bar")).to_be_visible()
    expect(tip).to_have_count(0)


# Returns the places of the wheel and of the displays in the page.
PLACES = """() => [".wheel", ".game__mine > .stage", ".game__others"].map((part) => {
    const { left, top } = document.querySelector(part).getBoundingClientRect();
    return [left, top + scrollY].map(Math.round);
})"""
SIZES = ((390, 844), (320, 640), (834, 1112), (1024, 768), (1440, 900))


def places(page: Page) -> list[object]:
    """Return where the parts of the board are, in windows of several sizes."""
    found = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        found.append(page.evaluate(PLACES))
    return found


def test_nothing_moves_when_the_last_tip_ends(open_as: OpenAs) -> None:
    """The page keeps the last tip until it is loaded again."""
    game = play.game_of(play.person("Ines"), play.person("Tobias"))
    game = play_until(
        game,
        lambda position, _number: (
            position.wheel.tile_count > 3 and len(position.displays[position.to_move].tiles) == 7
        ),
    )
    page = open_as(play.mover(game), game.get_absolute_url())
    tip = page.get_by_role("complementary", name="Tip", exact=True)
    expect(tip).to_contain_text("The history shows every action so far")
    before = places(page)
    ways.by_mouse(page)
    wait_for_version(page, game.version + 1)
    assert places(page) == before
    expect(tip).to_contain_text("The history shows every action so far")
    page.reload()
    expect(page.locator("#bar")).to_be_visible()
    expect(tip).to_have_count(0)


def test_a_tablet_on_its_side_shows_the_tip_where_it_moves_nothing(show: Show) -> None:
    page = show(STATES["game-second-turn"](), viewport={"width": 1024, "height": 768})
    tip = page.get_by_role("complementary", name="Tip", exact=True)
    expect(tip).to_be_in_viewport(ratio=1)
    before = page.evaluate(PLACES)
    page.get_by_role("button", name="Hide tips").click()
    expect(tip).to_have_count(0)
    assert page.evaluate(PLACES) == before


@pytest.mark.parametrize("size", [(1024, 768), (1112, 834), (1180, 820)])
def test_a_tablet_on_its_side_shows_the_score_of_a_solo_game(show: Show, size: tuple[int, int]) -> None:
    page = show(STATES["solo-phase-1"](), viewport={"width": size[0], "height": size[1]})
    tip = page.get_by_role("complementary", name="Tip", exact=True)
    for part in (tip, page.get_by_text("Score so far"), page.locator(".wheel"), page.locator("#bar")):
        expect(part).to_be_in_viewport(ratio=1)
