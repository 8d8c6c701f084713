"""A hint in the browser: the expert thinks for a moment, marks its action, and a key or click chooses it."""

import pytest
from playwright.sync_api import Page, expect

from games.engine import Refill
from games.models import Action, Game, Hint
from tests import play
from tests.browser import ways
from tests.browser.conftest import log_in
from tests.browser.states.hints import against_a_bot, hinted, refillable
from tests.conftest import OpenBrowser

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("worker")]

THINKING = 15_000  # milliseconds: more than the expert takes on two busy cores


@pytest.fixture
def game() -> Game:
    return against_a_bot()


@pytest.fixture
def board(open_browser: OpenBrowser, game: Game, server: str) -> Page:
    page = open_browser()
    log_in(page.context, play.mover(game), server)
    page.goto(game.get_absolute_url())
    return page


def get_hint(page: Page) -> None:
    """Wait for the hint, which may be to refill."""
    expect(page.locator("#follow, #refill.is-hinted")).to_have_count(1, timeout=THINKING)


def test_a_hint_is_asked_for_marked_chosen_and_played(board: Page, game: Game) -> None:
    board.get_by_role("link", name="Hint").click()
    expect(board.locator("#prompt")).to_contain_text("isn’t counted in your results")
    board.get_by_role("button", name="Show me").click()
    expect(board.locator("#hint")).to_contain_text("The expert is thinking")
    expect(board.locator("#follow")).to_be_visible(timeout=THINKING)
    hint = Hint.objects.get(game=game)
    expect(board.locator(".wheel .is-hinted")).to_have_count(1)
    expect(board.locator("#display .hinted")).to_be_visible()
    expect(board.locator("#hint")).to_contain_text("% to win")
    expect(board.locator(".game__players")).to_contain_text("isn’t counted in the results")
    board.get_by_role("link", name="Choose it").click()
    expect(board.locator("#display .is-trial")).to_have_count(1)
    board.locator(ways.CONFIRM).click()
    expect(board.locator("#follow")).to_have_count(0)
    assert Action.objects.get(game=game, number=hint.number).payload == hint.payload


def test_keys_ask_and_choose_and_the_second_hint_is_asked_for_at_once(board: Page, game: Game) -> None:
    board.keyboard.press("h")
    expect(board.get_by_role("button", name="Show me")).to_be_visible()
    board.keyboard.press("c")
    get_hint(board)
    board.keyboard.press("h")
    expect(board.locator("#display .is-trial")).to_have_count(1)
    board.keyboard.press("c")
    expect(board.locator("#game[data-turn='mine'] #ask")).to_be_visible(timeout=THINKING)
    board.keyboard.press("h")
    get_hint(board)
    assert Hint.objects.filter(game=game).count() == 2


def test_a_key_leads_to_the_refill_that_is_hinted_at(open_browser: OpenBrowser, server: str) -> None:
    game = hinted(refillable(), Refill(0), 0.48)
    page = open_browser()
    log_in(page.context, play.mover(game), server)
    page.goto(game.get_absolute_url())
    expect(page.locator("#hint")).to_contain_text("Refill the wheel first")
    page.keyboard.press("h")
    expect(page.locator("#refill.is-hinted")).to_be_focused()
    assert play.fresh(game).version == game.version, "it can't be taken back: Enter does it"
    page.keyboard.press("Enter")
    expect(page.locator("#hint")).to_have_count(0)
    assert Action.objects.get(game=game, number=game.version + 1).payload["do"] == "refill"


@pytest.mark.parametrize("has_script", [True, False])
def test_who_has_no_script_gets_a_link_to_look_again(
    open_browser: OpenBrowser, server: str, has_script: bool
) -> None:
    game = hinted(against_a_bot())
    page = open_browser(java_script_enabled=has_script)
    log_in(page.context, play.mover(game), server)
    page.goto(game.get_absolute_url())
    expect(page.locator("#hint")).to_contain_text("The expert is thinking")
    expect(page.get_by_role("link", name="Look again")).to_be_visible(visible=not has_script)


def test_a_choice_made_meanwhile_stays_when_the_hint_comes(board: Page) -> None:
    board.get_by_role("link", name="Hint").click()
    board.get_by_role("button", name="Show me").click()
    ways.tiles(board).last.click()
    chosen = board.locator(".wheel .is-chosen").get_attribute("data-tile")
    get_hint(board)
    expect(board.locator(".wheel .is-chosen")).to_have_attribute("data-tile", chosen or "")


def test_who_thinks_better_of_it_plays_on_and_the_game_counts(board: Page, game: Game) -> None:
    board.get_by_role("link", name="Hint").click()
    board.get_by_role("link", name="Play on without").click()
    expect(board.get_by_role("link", name="Hint")).to_be_visible()
    assert play.fresh(game).is_rated
    assert not Hint.objects.exists()
