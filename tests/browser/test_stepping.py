"""Stepping through a game: every press counts, even with slow responses, and no request is superfluous."""

import re
import time
from collections.abc import Callable, Iterable, Iterator

import pytest
from playwright.sync_api import Page, Route, expect

from games.models import Game
from tests import play
from tests.browser.conftest import OpenAs, OpenBrowser
from tests.browser.states.making import after_actions, game_of_three, play_until, resign, start_game
from tests.browser.waits import (
    ACTIONS_IN_SIGHT,
    PATIENCE,
    stop_time,
    wait_for_board_after,
    wait_until_settled,
)
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)

LAST = 30
WINDOW = {"viewport": {"width": 1440, "height": 900}}
SETTLE_ANOTHER_PART = """() => {
    const part = {elt: document.body, target: document.body};
    htmx.trigger("body", "htmx:afterSettle", {...part, requestConfig: part});
}"""


class SlowConnection:
    """Delays the responses to a page's requests for boards until the test releases them, one by one.

    It must be made before the page opens: Chromium may not route the first request of an open page.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.requested: list[str] = []  # their queries, or "now"
        self.delayed: list[Route] = []
        self.is_paused = False  # whether time passes only when the test lets it
        page.route(re.compile(r"/g/\w+/(\?.*)?$"), self._delay)

    def _delay(self, route: Route) -> None:
        if route.request.is_navigation_request():
            route.continue_()
            return
        self.requested.append(route.request.url.partition("?")[2] or "now")
        self.delayed.append(route)

    def wait_for_request(self) -> None:
        """Wait until the response to a request is delayed."""
        expect(self.page.locator("#log.htmx-request")).to_have_count(1)
        end = time.monotonic() + PATIENCE / 1000
        while not self.delayed:
            assert time.monotonic() < end, "no request for a board"
            self.page.wait_for_timeout(10)  # Playwright handles new requests during a call only.

    def pause_time(self) -> None:
        stop_time(self.page)
        self.is_paused = True

    def release(self, number: int) -> None:
        """Release the oldest response, and wait for the board after the action with this number."""
        self.wait_for_request()
        self.delayed.pop(0).continue_()
        wait_for_board_after(self.page, number)
        if self.is_paused:
            self.page.clock.run_for(100)  # htmx settles the new board.
        wait_until_settled(self.page)


@pytest.fixture
def game() -> Game:
    return game_of_three(LAST)


@pytest.fixture
def slow(open_as: OpenAs, game: Game) -> Iterator[SlowConnection]:
    page = open_as(game.seats.order_by("number")[0].user, "about:blank")
    connection = SlowConnection(page)
    page.goto(game.get_absolute_url())
    yield connection
    page.unroute_all(behavior="ignoreErrors")


@pytest.fixture
def page(slow: SlowConnection) -> Page:
    return slow.page


def press(page: Page, keys: Iterable[str]) -> None:
    for key in keys:
        page.keyboard.press(key)


def test_three_quick_presses_go_three_steps(page: Page, slow: SlowConnection) -> None:
    press(page, "[[[")
    expect(page.locator("#at")).to_have_value(str(LAST - 3))
    slow.release(LAST - 1)
    expect(page.locator("#at")).to_have_value(str(LAST - 3))
    slow.release(LAST - 3)
    assert slow.requested == ["at=29", "at=27"]
    assert page.url.endswith("?at=27")


def test_steps_back_and_forth_stop_at_both_ends(page: Page, slow: SlowConnection) -> None:
    press(page, "{]][[[[]")
    slow.release(0)
    slow.release(1)
    assert slow.requested == ["at=0", "at=1"]
    press(page, "}[]]")
    slow.release(LAST)
    assert slow.requested == ["at=0", "at=1", "now"]
    assert "?" not in page.url


def test_the_slider_and_the_log_step_in_the_same_way(page: Page, slow: SlowConnection) -> None:
    page.locator("#at").focus()
    press(page, ["ArrowLeft"] * 3)
    slow.release(LAST - 1)
    press(page, ["ArrowLeft"])
    slow.release(LAST - 3)
    slow.release(LAST - 4)
    page.locator("#log-25").click()
    page.locator("#log-22").click()
    press(page, "[")
    slow.release(25)
    slow.release(21)
    assert slow.requested == ["at=29", "at=27", "at=26", "at=25", "at=21"]


def test_watch_shows_one_action_after_another(page: Page, slow: SlowConnection) -> None:
    slow.pause_time()
    start = int(page.locator("#watch").get_attribute("href").partition("=")[2])
    page.locator("#watch").click()
    page.clock.run_for(5000)  # The response takes longer than the pause between two actions.
    slow.release(start)
    page.clock.run_for(1500)
    slow.release(start + 1)
    assert slow.requested == [f"at={start}", f"at={start + 1}" if start + 1 < LAST else "now"]
    press(page, "[")
    slow.release(start)
    page.clock.run_for(5000)
    assert len(slow.requested) == 3, "the replay continued after a key"


def test_dragging_the_slider_shows_boards_on_the_way(page: Page, slow: SlowConnection) -> None:
    box = page.locator("#at").bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] - 9, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, middle, steps=4)
    slow.wait_for_request()
    first = int(slow.requested[0].partition("=")[2])
    page.mouse.move(box["x"] + 9, middle, steps=4)
    slow.release(first)
    slow.release(0)
    page.mouse.up()
    assert LAST > first > 0
    assert page.url.endswith("?at=0")


def test_the_log_follows_the_action_that_is_shown(open_as: OpenAs, game: Game) -> None:
    page = open_as(game.seats.order_by("number")[0].user, f"{game.get_absolute_url()}?at=3")
    expect(page.locator("#log-3")).to_be_in_viewport()
    for _press in range(12):
        page.keyboard.press("]")
    wait_for_board_after(page, 15)
    expect(page.locator("#log-15")).to_be_in_viewport()
    assert page.evaluate("scrollY") == 0


def test_looking_back_leaves_the_history_in_its_place_and_shows_each_step_once(open_as: OpenAs) -> None:
    game = play_until(start_game("Ines", "Tobias", "Mina", "Halley"), after_actions(LAST))
    page = open_as(game.seats.get(number=0).user, game.get_absolute_url(), **WINDOW)
    top = page.locator("#h-log").bounding_box()
    page.locator(".scrub [data-step=previous]").press("Enter")
    wait_for_board_after(page, LAST - 1)
    assert page.locator("#h-log").bounding_box() == top, "the history has moved"
    expect(page.locator("#bar [data-step=previous]")).to_be_focused()
    page.locator("#at-bar").fill("12")
    wait_for_board_after(page, 12)
    wait_until(lambda: page.evaluate(ACTIONS_IN_SIGHT) >= 4, "four actions around the shown one")
    expect(page.locator("#game [data-step=previous]:visible")).to_have_count(1)
    expect(page.locator("#game input[type=range]:visible")).to_have_count(1)


@pytest.mark.parametrize("is_mover", [True, False])
def test_the_step_back_stays_under_the_pointer_in_a_wide_window(open_as: OpenAs, is_mover: bool) -> None:
    game = play_until(start_game("Ines", "Tobias"), after_actions(LAST))
    user = play.mover(game) if is_mover else game.seats.exclude(user=play.mover(game)).get().user
    page = open_as(user, game.get_absolute_url(), **WINDOW)
    box = page.locator("#bar [data-step=previous]").bounding_box()
    assert box
    for number in (LAST - 1, LAST - 2):
        page.mouse.click(box["x"] + 22, box["y"] + 22)
        wait_for_board_after(page, number)
    steps = [page.locator(f".bar__steps [data-step={name}]").bounding_box() for name in ("previous", "next")]
    assert [step and step["y"] for step in steps] == [box["y"], box["y"]], "all steps are in one row"
    assert steps[1]
    assert 44 <= steps[1]["x"] - box["x"] < 60, "and side by side"


def test_a_result_leaves_the_history_room_for_four_actions(open_as: OpenAs) -> None:
    game = play.fresh(play.play_out(game_of_three()))
    page = open_as(game.seats.get(place=1).user, game.get_absolute_url(), **WINDOW)
    expect(page.locator("#h-turn")).to_have_text("You win")
    assert page.evaluate(ACTIONS_IN_SIGHT) >= 4


def test_the_bar_steps_and_plays_on_by_itself(page: Page, slow: SlowConnection) -> None:
    slow.pause_time()
    press(page, "{")
    slow.release(0)
    bar = page.locator("#bar")
    bar.get_by_role("link", name="Next action").click()
    slow.release(1)
    for speed in ("2×", "4×", "0.5×", "1×"):
        bar.get_by_role("button", name=re.compile("^Speed")).click()
        expect(bar.locator("#speed")).to_have_text(speed)
    bar.locator("#speed").click()  # 2×
    bar.get_by_role("button", name="Play automatically").click()
    slow.release(2)
    page.clock.run_for(500)
    page.evaluate(SETTLE_ANOTHER_PART)
    page.clock.run_for(250)
    slow.release(3)
    expect(bar.locator("#autoplay")).to_have_attribute("aria-pressed", "true")
    bar.locator("#autoplay").click()
    expect(bar.locator("#autoplay")).to_have_attribute("aria-pressed", "false")
    page.clock.run_for(5000)
    assert slow.requested == ["at=0", "at=1", "at=2", "at=3"]
    bar.get_by_role("link", name="Back to now").click()
    slow.release(LAST)


def test_a_look_back_in_ones_turn_keeps_the_choice(open_as: OpenAs, game: Game) -> None:
    page = open_as(play.mover(game), game.get_absolute_url(), viewport={"width": 820, "height": 1180})
    page.locator("#game a[data-tile]").first.click()
    page.locator("#display .cell").first.click()
    chosen = page.url
    confirm = page.locator("#confirm").bounding_box()
    back = page.get_by_role("region", name="Your move").get_by_role("link", name="Previous action")
    back.click()
    wait_for_board_after(page, LAST - 1)
    page.keyboard.press("[")
    wait_for_board_after(page, LAST - 2)
    expect(page.get_by_role("alert")).to_have_count(0)
    page.locator("#back").click()
    wait_for_board_after(page, LAST)
    assert page.url == chosen
    expect(page.locator("#confirm")).to_be_enabled()
    assert page.locator("#confirm").bounding_box() == confirm


def lose(route: Route) -> None:
    route.abort()


def refuse(route: Route) -> None:
    route.fulfill(status=429, body="Too many requests")


@pytest.mark.parametrize("fail", [lose, refuse])
def test_a_failed_step_is_undone(
    open_browser: OpenBrowser, game: Game, fail: Callable[[Route], None]
) -> None:
    page = open_browser(allows_refusals=True)
    page.route("**/g/*/?at=*", fail)
    page.goto(game.get_absolute_url())
    page.evaluate("console.error = () => {}")  # htmx logs the failed request too.
    press(page, "[[")
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.locator("#at")).to_have_value(str(LAST))
    page.unroute_all()
    press(page, "[")
    wait_for_board_after(page, LAST - 1)


@pytest.mark.parametrize("fail", [lose, pytest.param(refuse, marks=pytest.mark.whole)])
def test_a_replay_ends_with_a_failed_step(
    open_browser: OpenBrowser, game: Game, fail: Callable[[Route], None]
) -> None:
    page = open_browser(allows_refusals=True)
    page.goto(f"{game.get_absolute_url()}?at=3")
    page.route("**/g/*/?at=*", fail)
    page.evaluate("console.error = () => {}")
    page.locator("#autoplay").click()
    expect(page.locator("#autoplay")).to_have_attribute("aria-pressed", "false")
    expect(page.locator("[role=alert]:visible").first).to_be_visible()


def test_arrow_keys_step_through_a_game_that_is_over(open_as: OpenAs) -> None:
    game = play.play_some(play.game_of(play.person("Ines"), play.person("Tobias")), 8)
    player = play.mover(game)
    resign(game, player)
    page = open_as(player, game.get_absolute_url(), **WINDOW)
    kept = page.locator("#at-bar, .bar__steps [data-step=previous], #display, .mini")
    places = [part.bounding_box() for part in kept.all()]
    page.locator(".bar__steps [data-step=previous]").click()  # The players take the place of the result.
    wait_for_board_after(page, game.version)
    assert [part.bounding_box() for part in kept.all()] == places
    page.locator("#at-bar").fill("6")
    wait_for_board_after(page, 6)
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    wait_for_board_after(page, 4)
    page.keyboard.press("ArrowRight")
    wait_for_board_after(page, 5)
    page.keyboard.press("Home")
    wait_for_board_after(page, 0)
    page.keyboard.press("End")
    wait_for_board_after(page, game.version + 1)
    page.keyboard.press("Home")
    wait_for_board_after(page, 0)
    page.keyboard.press("]")
    wait_for_board_after(page, 1)
    page.locator("#at-bar").fill("5")
    wait_for_board_after(page, 5)
    page.locator("#at-bar").focus()
    page.keyboard.press("ArrowLeft")  # The slider moves, and nothing else does.
    wait_for_board_after(page, 4)
    wait_until_settled(page)
    expect(page).to_have_url(re.compile(r"\?at=4$"))


def test_an_arrow_key_looks_back_while_a_player_waits(open_as: OpenAs) -> None:
    game = play.play_some(play.game_of(play.person("Ines"), play.person("Tobias")), 4)
    [waiting] = [seat.user for seat in game.seats.all() if seat.user != play.mover(game)]
    page = open_as(waiting, game.get_absolute_url())
    page.keyboard.press("ArrowLeft")
    wait_for_board_after(page, 3)
