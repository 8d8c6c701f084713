"""A hint in the browser: the page waits for the expert, marks its action, and a key or a click chooses it."""

import re

import pytest
from playwright.sync_api import Page, expect

from games.models import Action, Game, Hint
from games.novaluna.engine import Refill, action_to_json
from tests import play
from tests.browser import ways
from tests.browser.conftest import OpenAs
from tests.browser.states.hints import (
    best_explained_place,
    game_against_bot,
    game_with_reasons,
    game_with_refill,
    store_hint,
)
from tests.browser.waits import wait_for_version

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("worker")]

HINT_TIMEOUT = 60_000  # milliseconds: more than the expert needs on two busy cores


@pytest.fixture
def game() -> Game:
    return game_against_bot()


@pytest.fixture
def board(open_as: OpenAs, game: Game) -> Page:
    return open_as(play.mover(game), game.get_absolute_url())


def wait_for_hint(page: Page) -> None:
    """Wait until the hint arrives: a tile to place, or a refill."""
    expect(page.locator("#follow, #refill.is-hinted")).to_have_count(1, timeout=HINT_TIMEOUT)


def test_a_player_asks_for_a_hint_and_plays_it(board: Page, game: Game) -> None:
    board.get_by_role("link", name="Hint", exact=True).click()
    expect(board.locator("#prompt")).to_contain_text("this game won't count for your results")
    board.get_by_role("button", name="Ask for a hint").click()
    expect(board.locator("#follow")).to_be_visible(timeout=HINT_TIMEOUT)
    hint = Hint.objects.get(game=game)
    expect(board.locator(".wheel .is-hinted")).to_have_count(1)
    expect(board.locator("#display .hinted")).to_be_visible()
    expect(board.locator("#hint")).to_contain_text("Chance to win: about ")
    expect(board.locator(".game__players")).to_contain_text("this game doesn't count for the results")
    board.get_by_role("link", name="Choose it").click()
    expect(board.locator("#display .is-trial")).to_have_count(1)
    board.locator(ways.CONFIRM).click()
    expect(board.locator("#follow")).to_have_count(0)
    assert Action.objects.get(game=game, number=hint.number).payload == hint.payload


@pytest.mark.parametrize("width", [320, 390, 430])
def test_a_phone_has_refill_hint_and_take_back_in_one_row(open_as: OpenAs, width: int) -> None:
    game = game_with_refill()
    page = open_as(play.mover(game), game.get_absolute_url(), viewport={"width": width, "height": 844})
    boxes = [page.locator(f"#{name}").bounding_box() for name in ("refill", "ask", "take-back", "confirm")]
    assert {round(box["height"]) for box in boxes if box} == {44}
    assert len({round(box["y"]) for box in boxes if box}) == 1
    assert all(box and box["x"] + box["width"] <= width - 8 for box in boxes)


def test_keys_ask_and_choose_and_only_the_first_hint_needs_confirmation(board: Page, game: Game) -> None:
    board.keyboard.press("h")
    expect(board.get_by_role("button", name="Ask for a hint")).to_be_focused()
    board.keyboard.press("c")
    wait_for_hint(board)
    board.keyboard.press("h")
    expect(board.locator("#display .is-trial")).to_have_count(1)
    board.keyboard.press("c")
    expect(board.locator("#game[data-turn='mine'] #ask")).to_be_visible(timeout=HINT_TIMEOUT)
    board.keyboard.press("h")
    wait_for_hint(board)
    assert Hint.objects.filter(game=game).count() == 2


def test_a_key_focuses_the_refill_button_for_a_hint_to_refill(open_as: OpenAs) -> None:
    game = store_hint(game_with_refill(), Refill(0), 0.48)
    page = open_as(play.mover(game), game.get_absolute_url())
    expect(page.locator("#hint")).to_contain_text("Refill the wheel first")
    page.keyboard.press("h")
    expect(page.locator("#refill.is-hinted")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#prompt")).to_contain_text("Refill the wheel?")
    assert play.fresh(game).version == game.version, "a refill can't be undone, so it must be confirmed"
    page.get_by_role("button", name="Refill").click()
    wait_for_version(page, game.version + 1)
    assert Action.objects.get(game=game, number=game.version + 1).payload["do"] == "refill"


@pytest.mark.parametrize("has_script", [True, False])
def test_only_pages_without_script_have_a_link_to_look_again(open_as: OpenAs, has_script: bool) -> None:
    game = store_hint(game_against_bot())
    page = open_as(play.mover(game), game.get_absolute_url(), java_script_enabled=has_script)
    expect(page.locator("#hint")).to_contain_text("The expert is thinking")
    expect(page.get_by_role("link", name="Check again")).to_be_visible(visible=not has_script)


def test_a_hint_does_not_replace_a_choice_that_was_made_before_it_arrived(board: Page) -> None:
    board.get_by_role("link", name="Hint", exact=True).click()
    board.get_by_role("button", name="Ask for a hint").click()
    # A click before the server has answered would cancel the request for the hint.
    expect(board.locator("#hint")).to_contain_text(re.compile("The expert is thinking|Chance to win"))
    ways.tiles(board).last.click()
    chosen = board.locator(".wheel .is-chosen").get_attribute("data-tile")
    wait_for_hint(board)
    expect(board.locator(".wheel .is-chosen")).to_have_attribute("data-tile", chosen or "")


# Returns the places of the parts of the page, in px from its top, and the height of the bar.
PLACES = """() => [
    ...["#display", ".wheel", ".game__players"].map((part) =>
        Math.round(document.querySelector(part).getBoundingClientRect().top + scrollY)),
    document.querySelector("#bar").offsetHeight,
]"""


def test_nothing_moves_when_a_hint_with_three_reasons_arrives(open_as: OpenAs) -> None:
    game = store_hint(game_with_reasons())
    page = open_as(play.mover(game), game.get_absolute_url())
    places: list[object] = []
    for width in (390, 820, 1440, 1440, 820, 390):
        if len(places) == 3:
            Hint.objects.update(payload=action_to_json(best_explained_place(game)), value=0.634)
            wait_for_hint(page)
            expect(page.locator("#hint")).to_contain_text("You move again.")
        page.set_viewport_size({"width": width, "height": 900})
        places.append(page.evaluate(PLACES))
    assert places[:3] == places[:2:-1]


def test_the_game_still_counts_if_the_player_declines_the_hint(board: Page, game: Game) -> None:
    board.get_by_role("link", name="Hint", exact=True).click()
    board.get_by_role("link", name="No hint").click()
    expect(board.get_by_role("link", name="Hint", exact=True)).to_be_visible()
    assert play.fresh(game).is_without_hints
    assert not Hint.objects.exists()
