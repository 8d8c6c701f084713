"""The own display of Nova Luna on phones is as large as its room allows, before and after a choice."""

import pytest
from playwright.sync_api import Page, expect

from games.models import Game
from games.novaluna.engine import Place
from games.services import tables
from tests import play
from tests.browser import ways
from tests.browser.conftest import OpenAs
from tests.browser.states.making import waiting_player
from tests.browser.waits import wait_until_unscrolled

pytestmark = pytest.mark.django_db(transaction=True)

# Returns the size of the own tiles, and how far the lowest of them is above the action bar.
TILES = """() => {
    const boxes = [...document.querySelectorAll("#display .tile:not(.cell)")]
        .map((tile) => tile.getBoundingClientRect());
    const bar = document.querySelector("#bar").getBoundingClientRect();
    return [boxes[0].width, bar.top - Math.max(...boxes.map(({ bottom }) => bottom))];
}"""


def shaped_game(columns: int, rows: int, tiles: int) -> Game:
    """Return a live game whose player to move has so many tiles, in so many columns and rows at most."""
    table = tables.open_table(play.person("Ines"), tables.TableOptions(2, is_public=True, pace="live"))
    tables.join(table.key, play.person("Tobias"))
    position, actions = play.position_of(table), []

    def fit(action: object) -> tuple[int, ...]:
        if not isinstance(action, Place):
            return (0,)
        cells = [*position.displays[position.to_move].tiles, (action.x, action.y)]
        width, height = (max(axis) - min(axis) + 1 for axis in zip(*cells, strict=True))
        return (1 if width <= columns and height <= rows else -1, width + height)

    while len(position.displays[position.to_move].tiles) < tiles or not position.in_reach:
        actions.append(max(position.legal_actions, key=fit))
        position = position.apply(actions[-1]).position
    return play.play_all(table, actions)


def tiles_of(page: Page) -> tuple[float, float]:
    size, distance = page.evaluate(TILES)
    return size, distance


def test_the_tiles_of_a_tall_display_keep_their_size_when_a_tile_is_chosen(open_as: OpenAs) -> None:
    game = shaped_game(1, 5, 5)
    page = open_as(play.mover(game), game.get_absolute_url(), viewport={"width": 390, "height": 844})
    assert tiles_of(page)[0] >= 34  # below a tip
    page.locator(".tip button").click()
    expect(page.locator(".tip")).to_have_count(0)
    size, distance = tiles_of(page)
    assert size == pytest.approx(44, abs=0.5)
    assert distance >= 6
    ways.tiles(page).last.click()
    wait_until_unscrolled(page)
    assert tiles_of(page)[0] == pytest.approx(size, abs=0.5)


@pytest.mark.parametrize("waits", [False, True])
def test_a_low_phone_leaves_the_head_of_the_page_to_a_late_display(open_as: OpenAs, waits: bool) -> None:
    game = shaped_game(7, 6, 20)
    user = waiting_player(game) if waits else play.mover(game)
    page = open_as(user, game.get_absolute_url(), viewport={"width": 320, "height": 568})
    size, distance = tiles_of(page)
    assert size >= 25
    assert distance >= 4


def test_a_tip_beside_a_tall_display_is_a_line_on_a_low_phone(open_as: OpenAs) -> None:
    game = shaped_game(1, 5, 5)
    page = open_as(play.mover(game), game.get_absolute_url(), viewport={"width": 320, "height": 568})
    text = page.locator(".tip__fold > p")
    expect(text).to_be_hidden()
    size, distance = tiles_of(page)
    assert size >= 30
    assert distance >= 4
    page.locator(".tip__fold > summary").click()
    expect(text).to_be_in_viewport(ratio=1)
    assert tiles_of(page) == (size, distance)
    page.set_viewport_size({"width": 390, "height": 844})
    page.reload()
    expect(text).to_be_visible()
    expect(page.locator(".tip__fold > summary")).to_be_hidden()


# Returns which cells are not wholly between the sides of the window.
CELLS_BESIDE = """() => [...document.querySelectorAll("#display .cell")].filter((cell) => {
    const { left, right } = cell.getBoundingClientRect();
    return left < 0 || right > innerWidth;
}).map(({ id }) => id)"""


@pytest.mark.parametrize(
    ("columns", "rows", "tiles", "least"), [(6, 1, 6, 32), (7, 3, 14, 29), (4, 2, 6, 44)]
)
def test_the_cells_of_a_small_phone_are_in_sight_and_as_large_as_its_width_allows(
    open_as: OpenAs, columns: int, rows: int, tiles: int, least: int
) -> None:
    game = shaped_game(columns, rows, tiles)
    page = open_as(play.mover(game), game.get_absolute_url(), viewport={"width": 320, "height": 568})
    ways.tiles(page).last.click()
    assert page.evaluate(CELLS_BESIDE) == []
    size = page.locator("#display .cell").first.bounding_box()["width"]
    assert size >= least - 0.5


@pytest.mark.parametrize(("width", "height"), [(320, 568), (360, 640), (390, 844)])
def test_a_phone_shows_all_of_the_display_in_a_try_above_the_bar(
    open_as: OpenAs, width: int, height: int
) -> None:
    game = shaped_game(5, 5, 14)
    path = f"{game.get_absolute_url()}try/{game.version}/"
    page = open_as(play.mover(game), path, viewport={"width": width, "height": height})
    size, distance = tiles_of(page)
    assert size >= 22
    assert distance >= 4
    expect(page.locator(".roster")).to_be_in_viewport(ratio=0.95)
    expect(page.locator(".wheel")).to_be_in_viewport(ratio=1)
    for _step in range(2):
        expect(page.locator(".bar__leave" if height < 600 else "#leave-try")).to_be_in_viewport(ratio=1)
        ways.tiles(page).first.click()
        wait_until_unscrolled(page)


@pytest.mark.parametrize(("width", "height"), [(320, 568), (390, 844)])
def test_the_bar_stays_at_the_lower_edge_when_a_tile_is_chosen_below_a_tip(
    open_as: OpenAs, width: int, height: int
) -> None:
    game = shaped_game(6, 2, 6)
    page = open_as(play.mover(game), game.get_absolute_url(), viewport={"width": width, "height": height})
    expect(page.locator(".tip")).to_be_visible()
    ways.tiles(page).last.click()
    wait_until_unscrolled(page)
    bar = page.locator("#bar").bounding_box()
    assert bar
    assert bar["y"] + bar["height"] == pytest.approx(height, abs=1)


@pytest.mark.parametrize(("width", "height"), [(390, 844), (834, 1112)])
def test_nothing_scrolls_or_wraps_when_a_tile_is_chosen_for_a_plan(
    open_as: OpenAs, width: int, height: int
) -> None:
    game = shaped_game(3, 2, 4)
    path = f"{game.get_absolute_url()}?plan=1"
    page = open_as(waiting_player(game), path, viewport={"width": width, "height": height})
    bar = page.locator("#bar").bounding_box()
    page.evaluate("scrollTo(0, 0)")
    ways.tiles(page).last.click()
    wait_until_unscrolled(page)
    assert page.evaluate("scrollY") == 0
    assert page.locator("#bar").bounding_box() == bar
