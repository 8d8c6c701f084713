"""Choosing a tile while the board changes: a move or an update on its way loses no choice, and plays none."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from games.models import Game, Vote
from games.novaluna.engine import Place, Refill
from games.services import votes
from tests import play
from tests.browser import ways
from tests.browser.conftest import OpenAs, OpenGame
from tests.browser.waits import let_it_ask_for_boards, wait_for_version

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def page(open_game: OpenGame) -> Page:
    return open_game()


def query(page: Page) -> str:
    """Return the query of the page's address, which has the choice."""
    return page.evaluate("location.search")


def test_the_choice_cannot_change_while_an_action_is_being_sent(page: Page) -> None:
    ways.tiles(page).first.click()
    ways.cells(page).first.click()
    sent = query(page)
    page.evaluate("XMLHttpRequest.prototype.send = () => {}")  # no response ever
    page.locator(ways.CONFIRM).click()
    expect(page.locator("#choice.htmx-request")).to_have_count(1)
    page.keyboard.press("Escape")
    ways.tiles(page).last.click()
    assert query(page) == sent


def test_a_tile_can_be_chosen_as_soon_as_the_turn_is_on_the_page(open_as: OpenAs) -> None:
    ines, tobias = play.person("Ines"), play.person("Tobias")
    game = play.game_of(ines, tobias)
    viewer = tobias if play.mover(game) == ines else ines
    page = open_as(viewer, game.get_absolute_url())
    # Clicks before htmx has settled the attributes of the new board.
    page.evaluate("""() => {
        window.isSamePage = true;
        document.addEventListener("htmx:afterSwap", () => setTimeout(() => {
            const tile = document.querySelector("#game[data-turn=mine] a[data-tile]:not(.is-chosen)");
            if (tile) tile.click();
        }));
    }""")
    while play.mover(game) != viewer:
        play.play_one(game)
    expect(page.locator("#game[data-turn=mine] a[data-tile].is-chosen")).to_have_count(1)
    expect(page.locator("#display .cell:visible")).to_have_count(1)
    assert page.evaluate("window.isSamePage")


def test_a_tile_that_is_chosen_while_an_update_is_on_its_way_stays_chosen(open_as: OpenAs) -> None:
    ines, tobias = play.person("Ines"), play.person("Tobias")
    game = play.game_of(ines, tobias)
    mover, other = (ines, tobias) if play.mover(game) == ines else (tobias, ines)
    page = open_as(mover, game.get_absolute_url())
    let_it_ask_for_boards(page)
    page.reload()

    def answer_after_the_choice(route: Route) -> None:
        update = route.fetch()
        ways.tiles(page).first.click()
        route.fulfill(response=update)

    page.route(f"**{game.get_absolute_url()}", answer_after_the_choice, times=1)
    votes.start(game.key, other, Vote.Purpose.CANCEL)
    expect(page.locator("#vote")).to_have_count(1)
    assert query(page).startswith("?tile=")
    expect(page.locator("#game a[data-tile].is-chosen")).to_have_count(1)
    expect(page.locator("#display .cell:visible")).to_have_count(1)


def test_a_tile_that_is_pressed_while_a_move_is_on_its_way_is_chosen_after_it(open_as: OpenAs) -> None:
    game = play.game_of(play.person("Ines"), play.person("Tobias"))
    before, move, following = move_before_another(game)
    play.play_all(game, before)
    page = open_as(play.mover(game), game.get_absolute_url())
    page.locator(f"#take-{move.tile}").click()
    page.locator(f"#cell-{move.x}_{move.y}").click()

    def answer_after_the_press(route: Route) -> None:
        answer = route.fetch()
        page.locator(f"#take-{following}").click()
        assert f"tile={move.tile}" in query(page)
        route.fulfill(response=answer)

    page.route(f"**{game.get_absolute_url()}play/", answer_after_the_press, times=1)
    page.locator(ways.CONFIRM).click()
    wait_for_version(page, len(before) + 1)
    expect(page.locator(f"#take-{following}")).to_have_class(re.compile("is-chosen"))
    expect(page).to_have_url(re.compile(rf"\?tile={following}$"))


@pytest.mark.parametrize(
    "press",
    [
        pytest.param("link.dispatchEvent(new MouseEvent('click', {...options, detail: 2}))", id="double"),
        pytest.param("link.dispatchEvent(new MouseEvent('click', {...options, ctrlKey: true}))", id="key"),
        pytest.param("link.setAttribute('aria-current', 'true'); link.click()", id="on its way"),
        pytest.param("link.click(); performance.now = () => 1e9", id="long ago"),
        *(
            pytest.param(
                f"link.click(); htmx.trigger('#choice', 'htmx:{name}', lost)",
                id=name,
                marks=() if name == "sendError" else pytest.mark.whole,
            )
            for name in ("sendError", "timeout", "responseError")
        ),
    ],
)
def test_a_press_that_was_not_meant_for_the_next_board_chooses_nothing_there(
    open_as: OpenAs, press: str
) -> None:
    game = play.game_of(play.person("Ines"), play.person("Tobias"))
    before, move, following = move_before_another(game)
    play.play_all(game, before)
    page = open_as(play.mover(game), game.get_absolute_url())
    page.locator(f"#take-{move.tile}").click()
    page.locator(f"#cell-{move.x}_{move.y}").click()

    def answer_after_the_press(route: Route) -> None:
        answer = route.fetch()
        page.locator(f"#take-{following}").evaluate(f"""link => {{
            const options = {{ bubbles: true, cancelable: true }};
            const lost = {{ elt: document.getElementById("game"), xhr: {{ status: 502 }} }};
            {press}
        }}""")
        route.fulfill(response=answer)

    page.route(f"**{game.get_absolute_url()}play/", answer_after_the_press, times=1)
    page.locator(ways.CONFIRM).click()
    wait_for_version(page, len(before) + 1)
    page.wait_for_timeout(300)
    expect(page.locator("#game .is-chosen")).to_have_count(0)


def move_before_another(game: Game) -> tuple[list[Place | Refill], Place, str]:
    """Return actions after which a player moves twice, the first move, and a tile for the second."""
    position, before = play.position_of(game), []
    while True:
        for action in position.legal_actions:
            following = position.apply(action).position
            left = set(following.in_reach) & set(position.in_reach)
            if before and isinstance(action, Place) and following.to_move == position.to_move and left:
                return before, action, left.pop().code
        before.append(next(one for one in position.legal_actions if isinstance(one, Place)))
        position = position.apply(before[-1]).position


def test_a_tile_for_a_plan_that_another_player_takes_is_reported(open_as: OpenAs) -> None:
    game = play.game_of(play.person("Ines"), play.person("Tobias"))
    play.play_some(game, 3)
    waits = game.seats.exclude(user=play.mover(game)).select_related("user")[0].user
    page = open_as(waits, f"{game.get_absolute_url()}?plan=1")
    action = play.legal_action(game)
    assert isinstance(action, Place)
    page.locator(f"#take-{action.tile}").click()
    play.play_one(game)
    expect(page.get_by_role("alert")).to_contain_text(
        re.compile("not on the wheel any more|can't take that tile now")
    )
    expect(page.locator("#game .is-chosen")).to_have_count(0)
