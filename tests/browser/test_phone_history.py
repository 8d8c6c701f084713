"""On a phone, clocks stay in sight, and stepping through a game shows what each action changed."""

import re
from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from games.models import Game
from games.novaluna.engine import Refill
from games.queries.viewing import view_game
from games.services import votes
from tests import play
from tests.browser.conftest import OpenAs
from tests.browser.states.clocks import paced_game
from tests.browser.states.making import resign
from tests.browser.states.reviews import finished_game_of_two
from tests.browser.waits import wait_for_board_after
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)

PHONE = {"viewport": {"width": 390, "height": 844}}

# Returns whether an element is completely between the row of players, if that is sticky, and the action bar.
NEWEST = "[data-acted] .is-newest"
IS_IN_SIGHT = """(name) => {
    const box = (element) => element.getBoundingClientRect();
    const roster = document.querySelector(".roster"), shown = box(document.querySelector(name));
    const top = getComputedStyle(roster).position === "sticky" ? box(roster).bottom : 0;
    return shown.top >= top - 1 && shown.bottom <= box(document.querySelector("#bar")).top + 1;
}"""


def open_low(open_as: OpenAs, game: Game, query: str = "") -> Page:
    page = open_as(play.mover(game), game.get_absolute_url() + query, **PHONE)
    page.evaluate("scrollTo(0, 600)")
    return page


def test_clocks_stay_in_sight_when_the_board_scrolls_now_and_in_the_past(open_as: OpenAs) -> None:
    game = paced_game("live")
    votes.start(game.key, game.seats.exclude(user=play.mover(game))[0].user, "cancel")
    for query in ("?at=4", ""):
        page = open_low(open_as, game, query)
        expect(page.locator(".roster .ticking").first).to_be_in_viewport()
        expect(page.locator("#back [data-ticks]" if query else ".roster [data-ticks]")).to_be_in_viewport()
        is_on_top = "document.elementFromPoint(195, 20).closest('.roster') !== null"
        wait_until(lambda page=page, is_on_top=is_on_top: page.evaluate(is_on_top), "the clocks on top")
        if query:
            title = re.compile(r"^Proposal · Your turn · \d+:[0-5]\d · Action 4 of 9 · ")
            expect(page).to_have_title(title)
            page.evaluate("document.title = document.title.replace(/\\d+:\\d\\d/, '0:99')")
            expect(page).to_have_title(title)
    page.get_by_role("link", name="Answer the proposal").press("Enter")
    question = page.locator("#vote b").first
    expect(question).to_be_in_viewport(ratio=1)
    below = page.locator(".roster").evaluate("(roster) => roster.getBoundingClientRect().bottom")
    assert question.evaluate("(text) => text.getBoundingClientRect().top") > below


@pytest.mark.parametrize(("width", "height"), [(390, 844), (320, 640)])
def test_steps_show_the_tile_that_was_placed(open_as: OpenAs, width: int, height: int) -> None:
    game = play.play_some(play.game_of(play.person("Ines"), play.person("Tobias")), 20)
    viewport = {"width": width, "height": height}
    page = open_as(play.mover(game), f"{game.get_absolute_url()}?at=12", viewport=viewport)
    for number in (13, 14, 15):
        page.locator(".bar__steps [data-step=next]").click()
        wait_for_board_after(page, number)
        assert page.evaluate("scrollY") == 0, "no step moves the page"
        for board in (".wheel", ".mini .display", "#display"):
            wait_until(lambda board=board: page.evaluate(IS_IN_SIGHT, board), f"{board} in sight")
        if "placed" in page.locator("#bar").inner_text():
            wait_until(lambda: page.evaluate(IS_IN_SIGHT, NEWEST), "the new tile in sight")
            ring = page.locator("[data-acted] .is-newest .tile__art")
            assert ring.evaluate("(art) => getComputedStyle(art).outlineWidth") == "4px"


@pytest.mark.parametrize("is_over", [False, True])
def test_a_link_to_a_moment_shows_what_it_changed_below_the_players(open_as: OpenAs, is_over: bool) -> None:
    game = play.play_some(play.game_of(play.person("Ines"), play.person("Tobias")), 20)
    player = play.mover(game)
    if is_over:
        resign(game, player)
    page = open_as(player, f"{game.get_absolute_url()}?at=14", viewport={"width": 320, "height": 640})
    expect(page.locator("#bar")).to_contain_text("placed")
    wait_until(lambda: page.evaluate(IS_IN_SIGHT, NEWEST), "the new tile in sight")
    page.evaluate("scrollTo(0, 700)")
    expect(page.locator(".roster")).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.elementFromPoint(160, 20).closest('.roster') !== null")


def test_a_step_back_shows_the_whole_display_and_the_slider_beside_it_steps_too(open_as: OpenAs) -> None:
    game = play.play_some(play.game_of(play.person("Ines"), play.person("Tobias")), 8)
    page = open_as(play.mover(game), game.get_absolute_url(), **PHONE)
    page.locator("#bar [data-step]").first.click()
    wait_for_board_after(page, 7)
    assert page.locator("#display").evaluate("(stage) => stage.scrollTop") == 0
    page.locator("#at-bar").fill("2")
    wait_for_board_after(page, 2)
    expect(page.locator("#at")).to_have_value("2")
    expect(page.locator("#at-bar")).to_have_value("2")
    expect(page).to_have_url(re.compile(r"\?at=2$"))


def test_the_bar_keeps_its_size_and_says_whose_turn_it_is(open_as: OpenAs) -> None:
    game = play.play_some(play.game_of(play.person("Ines"), play.person("Tobias")), 24)
    steps = [step.action for step in view_game(game, play.mover(game)).steps]
    refill = 1 + next(at for at, action in enumerate(steps) if isinstance(action, Refill))
    page = open_as(play.mover(game), f"{game.get_absolute_url()}?at={refill}", **PHONE)
    bar = page.locator("#bar")
    back = bar.get_by_role("link", name=re.compile("^Your turn ?: back to now$"))
    assert (back.bounding_box() or {"width": 0})["width"] > 80
    box = bar.bounding_box()
    bar.locator("[data-step=previous]").click()
    wait_for_board_after(page, refill - 1)
    assert bar.bounding_box() == box, "the bar keeps its size"
    back.click()
    wait_for_board_after(page, 24)


@pytest.mark.parametrize(("width", "height"), [(390, 844), (320, 640)])
def test_the_bar_names_all_tiles_of_the_longest_refill_and_the_display_its_rows(
    open_as: OpenAs, axe: Callable[..., None], width: int, height: int
) -> None:
    game = play.play_some(play.game_of(play.person("Ines"), play.person("Tobias")), 24)
    steps = [step.action for step in view_game(game, play.mover(game)).steps]
    refill = 1 + next(at for at, action in enumerate(steps) if isinstance(action, Refill))
    viewport = {"width": width, "height": height}
    page = open_as(play.mover(game), f"{game.get_absolute_url()}?at={refill}", viewport=viewport)
    prompt = page.locator("#prompt")
    expect(prompt).to_contain_text("with 11 tiles: ")
    assert prompt.evaluate("(text) => text.scrollHeight <= text.clientHeight")
    for name in page.locator("#display .edges--rows span:visible").all():
        assert (name.bounding_box() or {"x": -1})["x"] >= 0
    axe(page)


def test_a_review_shows_its_key_actions_in_one_window_and_each_better_tile_above_the_bar(
    open_as: OpenAs,
) -> None:
    game = finished_game_of_two()
    play.review_of(game)
    page = open_as(game.seats.earliest("number").user, reverse("games:review", args=[game.key]), **PHONE)
    keys, buttons = page.locator(".key"), page.locator(".strip__key")
    expect(buttons).to_have_count(keys.count())
    for button in buttons.all():
        expect(button).to_be_in_viewport(ratio=1)
    keys.first.get_by_text("Why").click()
    expect(keys.first.locator(".key__words")).to_be_visible()
    page.set_viewport_size({"width": 320, "height": 568})
    keys.last.get_by_role("link", name="Show on the board").click()
    for board in ("#display", "[data-acted] .is-newest", ".better"):
        expect(page.locator(board)).to_be_visible()
        wait_until(lambda name=board: page.evaluate(IS_IN_SIGHT, name), f"{board} in sight")
