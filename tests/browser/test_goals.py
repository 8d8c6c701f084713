"""How far the goals of a placed tile are: by pointer, touch and key, as the engine counts."""

import re

import pytest
from playwright.sync_api import Page, expect

from games.novaluna.engine import COLOURS, Display, GoalAt
from tests import play
from tests.browser.conftest import OpenAs
from tests.browser.states.making import game_of_three

pytestmark = pytest.mark.django_db(transaction=True)

NAMES = dict(zip(COLOURS, ("blue", "red", "turquoise", "yellow"), strict=True))


def words_of(display: Display, goal: GoalAt) -> str:
    """Return what the page says of a goal, counted by the engine."""
    if goal in display.covered:
        return "covered"
    needs, support = display.tiles[goal.cell].goals[goal.nth].needs, display.support(goal.cell)
    parts = {
        colour: f"{min(have, need)} of {need} {NAMES[colour]}"
        for colour, need, have in zip(COLOURS, needs, support, strict=True)
        if need
    }
    dots = dict.fromkeys(display.tiles[goal.cell].goals[goal.nth].dots)
    return ", ".join(parts[colour] for colour in dots)


def shown(page: Page) -> list[str]:
    return page.locator(".goal-note:visible p").all_inner_texts()


def test_pointing_at_a_tile_shows_its_goals_as_the_engine_counts_them(open_as: OpenAs) -> None:
    game = game_of_three(45)
    user = play.mover(game)
    display = play.position_of(game).displays[game.seats.get(user=user).number]
    page = open_as(user, game.get_absolute_url())
    counted = 0
    for cell, tile in display.tiles.items():
        page.locator(f"#display li[style='--x:{cell.x};--y:{cell.y}']").dispatch_event(
            "pointerover", {"pointerType": "mouse", "bubbles": True}
        )
        goals = [GoalAt(cell, nth) for nth in range(len(tile.goals))]
        assert shown(page) == [words_of(display, goal) for goal in goals]
        counted += page.locator("#display .is-counted").count()
    assert counted > 10


def test_a_touch_and_a_key_show_goals(open_as: OpenAs) -> None:
    game = game_of_three(30)
    page = open_as(play.mover(game), game.get_absolute_url(), has_touch=True)
    note = page.locator(".goal-note")
    tile = page.locator("#display li:not(:has(.cell))").last
    tile.tap()
    expect(note).to_be_visible()
    tile.tap()
    expect(note).to_be_hidden()
    page.keyboard.press("g")
    expect(note).to_be_visible()
    expect(page.locator("#announcer")).to_have_text(re.compile(r"\d of \d (blue|red|turquoise|yellow)"))
    page.keyboard.press("Escape")
    expect(note).to_be_hidden()


def test_a_goal_of_four_colours_fits_on_a_small_phone(open_as: OpenAs) -> None:
    game = game_of_three(40)
    page = open_as(play.mover(game), game.get_absolute_url(), viewport={"width": 320, "height": 640})
    page.evaluate("""() => {
        const use = document.querySelector("#display li > .tile__art > use");
        document.querySelector(use.getAttribute("href")).dataset.goals = "sw:brty;se:brty;";
    }""")
    page.locator("#display li:has(> .tile__art)").first.dispatch_event(
        "pointerover", {"pointerType": "mouse", "bubbles": True}
    )
    note = page.locator(".goal-note")
    expect(note).to_be_visible()
    box = note.bounding_box()
    assert box is not None
    assert box["x"] >= 8
    assert box["x"] + box["width"] <= 312
