"""The page of a game keeps its scroll position, and scrolls to what the player must see."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from games.models import Game, Hint
from games.novaluna.engine import Place, action_to_json
from games.services import tables
from tests import play
from tests.browser import ways
from tests.browser.conftest import OpenAs, OpenGame, Show
from tests.browser.states import STATES
from tests.browser.states.hints import game_against_bot, store_best_hint, store_hint
from tests.browser.waits import wait_until_settled, wait_until_unscrolled
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)

# Returns whether an element is completely above the action bar.
IS_ABOVE_BAR = """(name) => {
    const box = (name) => document.querySelector(name).getBoundingClientRect();
    return box(name).bottom <= box("#bar").top;
}"""

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
LOW_PHONE = PHONE | {"viewport": {"width": 320, "height": 568}}


def scroll_top(page: Page) -> int:
    return page.evaluate("Math.round(scrollY)")


def answer_hint(game: Game, key: Callable[[Place], int]) -> None:
    """Complete the stored hint with the place action that has the greatest key."""
    places = [one for one in play.position_of(game).legal_actions if isinstance(one, Place)]
    Hint.objects.filter(game=game).update(payload=action_to_json(max(places, key=key)), value=0.5)


@pytest.mark.parametrize(("options", "scrolls"), [(PHONE, False), (LOW_PHONE, True)])
def test_choosing_on_a_phone_scrolls_only_until_every_cell_is_in_sight(
    open_game: OpenGame, options: dict[str, object], scrolls: bool
) -> None:
    page = open_game(**options, reduced_motion="no-preference")
    page.locator(".wheel__space.is-near a").last.tap()
    wait_until(lambda: page.evaluate(IS_ABOVE_BAR, "#display .display"), "the display above the bar")
    wait_until_unscrolled(page)
    before = scroll_top(page)
    assert (before > 0) == scrolls
    page.locator("#display a.cell:visible").last.tap()
    expect(page.locator("#display .is-trial")).to_be_visible()
    wait_until_unscrolled(page)
    assert abs(scroll_top(page) - before) <= 4


def test_the_placed_tile_stays_in_sight_on_a_phone(open_game: OpenGame) -> None:
    page = open_game(**PHONE)
    page.locator(".wheel__space.is-near a").last.tap()
    cell = page.locator("#display a.cell:visible").last
    x, y = cell.get_attribute("id").removeprefix("cell-").split("_")
    at = f"--x:{x};--y:{y}"
    cell.tap()
    page.locator("#confirm").tap()
    placed = page.locator(f"#display li[style='{at}']:not(:has(.cell))")
    expect(placed).to_be_in_viewport(ratio=1)
    cell = f"#display li[style='{at}']"
    wait_until(lambda: page.evaluate(IS_ABOVE_BAR, cell), "the cell above the bar")


def test_a_move_of_another_player_does_not_scroll_the_page(open_as: OpenAs) -> None:
    game = game_of_two(waits_for="Tobias")
    page = open_as(game.seats.get(user__username="Ines").user, game.get_absolute_url(), **PHONE)
    page.locator("#display").evaluate("display => display.scrollIntoView({block: 'start'})")
    before = scroll_top(page)
    play_until(game, "Ines")
    expect(page.locator("#game[data-turn='mine']")).to_be_attached()
    wait_until_settled(page)
    wait_until_unscrolled(page)
    assert scroll_top(page) == before > 0


@pytest.mark.parametrize("goes_on", [True, False])
def test_the_page_scrolls_back_to_the_wheel_after_a_move(open_as: OpenAs, goes_on: bool) -> None:
    game = play.game_of(play.person("Ines"), play.person("Tobias"))
    while moves_again(game) != goes_on:
        play.play_one(game)
    mover = play.mover(game)
    page = open_as(mover, game.get_absolute_url(), **LOW_PHONE)
    assert scroll_top(page) > 0  # past the header of the site
    expect(page.locator(".roster")).to_be_in_viewport()
    page.locator(".wheel__space.is-near a").first.tap()
    page.locator("#display").evaluate("display => display.scrollIntoView({block: 'start'})")
    page.locator("#display a.cell:visible").first.tap()
    expect(page.locator(".roster")).not_to_be_in_viewport()
    page.locator("#confirm").tap()
    expect(page.locator("#game[data-turn='mine']")).to_have_count(int(goes_on))
    expect(page.locator(".wheel")).to_be_in_viewport(ratio=1)
    assert (play.mover(play.fresh(game)) == mover) == goes_on


def moves_again(game: Game) -> bool:
    """Return whether the player to move also moves next if they take the first tile in reach."""
    position = play.position_of(game)
    first = next(
        (
            one
            for one in position.legal_actions
            if isinstance(one, Place) and one.tile == position.in_reach[0].code
        ),
        None,
    )
    return first is not None and position.apply(first).position.to_move == position.to_move


def game_of_two(waits_for: str) -> Game:
    """Return a game of Ines and Tobias after some actions; it waits for one of them."""
    game = play.game_of(play.person("Ines"), play.person("Tobias"))
    play.play_one(game)
    play_until(game, waits_for)
    return game


def play_until(game: Game, name: str) -> None:
    """Play until it is the turn of this player."""
    while play.mover(play.fresh(game)).username != name:
        play.play_one(game)


def test_the_display_comes_in_sight_when_a_tile_is_chosen_below_a_tip(open_as: OpenAs) -> None:
    ines = play.person("Ines")
    game = play.game_of(ines, play.person("Tobias"))
    if play.mover(game) != ines:
        play.play_one(game)
    page = open_as(ines, game.get_absolute_url(), **PHONE)
    expect(page.locator(".tip")).to_be_visible()
    page.locator(".wheel__space.is-near a").last.tap()
    page.wait_for_function(IS_ABOVE_BAR, arg="#display a.cell:not([hidden])")


def test_undoing_a_choice_scrolls_back_to_where_it_began(open_game: OpenGame) -> None:
    page = open_game(**LOW_PHONE)
    before = scroll_top(page)
    ways.tiles(page).last.tap()
    wait_until(lambda: scroll_top(page) > before, "the display in sight")
    wait_until_unscrolled(page)
    page.locator("#undo").tap()
    wait_until(lambda: scroll_top(page) == before, "the page as it was before the choice")


@pytest.mark.parametrize(("width", "height"), [(390, 844), (720, 450), (820, 1180)])
def test_every_cell_is_above_the_bar_while_a_tile_is_chosen(show: Show, width: int, height: int) -> None:
    page = show(STATES["game-my-turn"](), viewport={"width": width, "height": height})
    page.locator(".wheel__space.is-near a").last.click()
    wait_until(lambda: page.evaluate(IS_ABOVE_BAR, "#display .display"), "the display above the bar")
    cell = page.locator("#display a.cell:visible").last
    cell.click()
    page.wait_for_function(IS_ABOVE_BAR, arg="#display .is-trial")
    expect(page.locator("#display .is-trial")).to_be_in_viewport(ratio=1)


def test_the_page_scrolls_to_the_question_about_resigning(open_game: OpenGame) -> None:
    page = open_game(**PHONE)
    page.get_by_text("Game menu").tap()
    page.get_by_role("link", name="Resign").tap()
    expect(page.get_by_role("button", name="Resign")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("link", name="Keep playing")).to_be_in_viewport(ratio=1)


def test_the_page_scrolls_to_the_question_about_resigning_without_script(open_game: OpenGame) -> None:
    page = open_game(**PHONE, java_script_enabled=False)
    page.get_by_text("Game menu").tap()
    page.get_by_role("link", name="Resign").tap()
    expect(page.get_by_role("button", name="Resign")).to_be_in_viewport(ratio=1)


def test_the_page_scrolls_to_a_new_hint(open_as: OpenAs) -> None:
    game = store_hint(game_against_bot())
    page = open_as(play.mover(game), game.get_absolute_url(), **LOW_PHONE)
    expect(page.locator("#hint")).to_be_visible()
    page.evaluate("scrollTo(0, 0)")
    answer_hint(game, lambda place: place.y)
    mark = page.locator("#display .hinted")
    expect(mark).to_be_attached()
    expect(mark).to_be_in_viewport(ratio=1)
    page.wait_for_function(IS_ABOVE_BAR, arg="#display .hinted")
    assert scroll_top(page) > 0


def test_a_hint_in_view_does_not_scroll_the_page(open_as: OpenAs) -> None:
    game = store_hint(game_against_bot())
    page = open_as(play.mover(game), game.get_absolute_url(), **PHONE)
    expect(page.locator("#hint")).to_be_visible()
    page.locator("#display").evaluate("display => display.scrollIntoView({block: 'start'})")
    before = scroll_top(page)
    answer_hint(game, lambda place: -place.y)
    expect(page.locator("#display .hinted")).to_be_in_viewport(ratio=1)
    wait_until_settled(page)
    assert scroll_top(page) == before > 0


def test_a_hint_on_a_phone_replaces_the_prompt(open_as: OpenAs) -> None:
    game = store_best_hint(game_against_bot())
    page = open_as(play.mover(game), game.get_absolute_url(), **PHONE)
    bar, hint, prompt = page.locator("#bar"), page.locator("#hint"), page.locator("#prompt")
    expect(hint).to_be_visible()
    expect(prompt).to_be_hidden()
    assert bar.bounding_box()["height"] < 140
    page.locator("#follow").tap()
    expect(prompt).to_be_visible()
    expect(hint).to_be_hidden()
    assert bar.bounding_box()["height"] < 140
    page.locator("#undo").tap()
    expect(hint).to_be_visible()


def test_the_longest_names_make_no_page_scroll_horizontally(open_as: OpenAs) -> None:
    ines, other = play.person("Ines"), play.person("W" * 30)
    tables.open_table(other, tables.TableOptions(3, is_public=True, pace="slow"), ["easy"])
    game = play.game_of(ines, other)
    page = open_as(ines, "/", **PHONE)
    for _mover in range(2):
        for path in ("/", game.get_absolute_url()):
            page.goto(path)
            expect(page.get_by_text(other.username).first).to_be_attached()
            assert page.evaluate("document.documentElement.scrollWidth") == PHONE["viewport"]["width"], path
        mover = play.mover(game)
        while play.mover(game) == mover:
            play.play_one(game)
