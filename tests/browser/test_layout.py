"""The layout of the game page, and of a list of choices, at the widths of phones, tablets and screens."""

import re
from math import ceil

import pytest
from django.conf import settings
from playwright.sync_api import Locator, Page, expect

from tests import play
from tests.browser import ways
from tests.browser.conftest import OpenAs, Show
from tests.browser.states import STATES
from tests.browser.states.hints import best_explained_place, game_with_reasons, store_hint

pytestmark = pytest.mark.django_db(transaction=True)

# Returns the number of entries of the log that are completely visible.
WHOLE_ENTRIES = """() => {
    const { bottom } = document.querySelector("#log").getBoundingClientRect();
    return [...document.querySelectorAll("#log .log__entry")]
        .filter((entry) => entry.getBoundingClientRect().bottom <= bottom).length;
}"""
# Returns the number of lines of each visible occurrence of a name.
LINES = """(name) => {
    const texts = document.createTreeWalker(document.querySelector("#game"), NodeFilter.SHOW_TEXT);
    const lines = [];
    while (texts.nextNode()) {
        const start = texts.currentNode.data.indexOf(name);
        if (start < 0 || !texts.currentNode.parentElement.checkVisibility()) continue;
        const range = new Range();
        range.setStart(texts.currentNode, start);
        range.setEnd(texts.currentNode, start + name.length);
        lines.push(new Set([...range.getClientRects()].map(({ top }) => top)).size);
    }
    return lines;
}"""

# Returns the vertical middle of each visible part of the action bar.
MIDDLES = """() => [...document.querySelectorAll("#prompt, #bar .btn:not(.bar__chat)")]
    .map((part) => part.getBoundingClientRect())
    .filter(({ height }) => height)
    .map(({ top, bottom }) => (top + bottom) / 2)"""

# Returns the least distance in px from a cell to an edge of the stage.
MARGIN = """() => {
    const stage = document.querySelector("#display").getBoundingClientRect();
    return Math.min(...[...document.querySelectorAll("#display .cell")]
        .map((cell) => cell.getBoundingClientRect())
        .flatMap(({ left, top, right, bottom }) =>
            [left - stage.left, top - stage.top, stage.right - right, stage.bottom - bottom]));
}"""

# Returns the labels of columns and rows that are over a cell, each with the overlap in px.
LABELS_OVER_CELLS = """() => {
    const cells = [...document.querySelectorAll("#display li:has(.tile)")]
        .map((cell) => cell.getBoundingClientRect());
    return [...document.querySelectorAll("#display .edges span")].flatMap((label) => {
        const range = new Range();
        range.selectNodeContents(label);
        const { left, top, right, bottom } = range.getBoundingClientRect();
        return cells
            .map((cell) => Math.min(
                right - cell.left, cell.right - left, bottom - cell.top, cell.bottom - top))
            .filter((overlap) => overlap > 0)
            .map((overlap) => [label.innerText, overlap]);
    });
}"""

# Returns the part of the height of the display that is in the window, above the action bar.
DISPLAY_IN_SIGHT = """() => {
    const { top, bottom, height } = document.querySelector("#display .display").getBoundingClientRect();
    const bar = document.querySelector("#bar").getBoundingClientRect();
    return (Math.min(bottom, bar.top, innerHeight) - Math.max(top, 0)) / height;
}"""

# Shows the page in a frame of each width, because a frame has its layout sooner than a window. Returns the
# parts of the action bar that stick out of it or overlap, each with its width and the distance in px.
FAULTS_OF_BAR = """async (widths) => {
    document.querySelectorAll("script").forEach((script) => script.remove());
    const frame = document.createElement("iframe");
    frame.srcdoc = document.documentElement.outerHTML;
    frame.style.cssText = "position: fixed; inset: 0 auto auto 0; height: 900px; border: 0";
    await new Promise((loaded) => {
        frame.addEventListener("load", loaded);
        document.body.append(frame);
    });
    const page = frame.contentDocument;
    return widths.flatMap((width) => {
        frame.style.width = `${width}px`;
        const bar = page.querySelector("#bar").getBoundingClientRect();
        const parts = [...page.querySelectorAll("#bar :is(.btn, p)")]
            .filter((part) => part.checkVisibility() && getComputedStyle(part).clipPath === "none")
            .map((part) => ({ part, text: part.innerText, box: part.getBoundingClientRect() }));
        const buttons = parts.filter(({ part }) => part.matches(".btn"));
        const overlap = (a, b) => Math.min(
            a.right - b.left, b.right - a.left, a.bottom - b.top, b.bottom - a.top);
        return [
            ...parts.map(({ text, box }) => [text, Math.max(bar.left - box.left, box.right - bar.right)]),
            ...buttons.flatMap((one, nth) => buttons.slice(nth + 1)
                .map((other) => [`${one.text} / ${other.text}`, overlap(one.box, other.box)])),
        ].filter(([, distance]) => distance > 0.5).map((fault) => [width, ...fault]);
    });
}"""


def widths_of_bars() -> list[int]:
    """Return widths of the window: the narrowest for each rule of the style sheets, and some of each size.

    Some rules are for the width of the bar, which is smaller.
    """
    sheets = "".join(sheet.read_text() for sheet in (settings.BASE_DIR / "games").rglob("*.css"))
    found = re.findall(r"\((min|max)-width: ([\d.]+)(px|rem)\)", sheets)
    widths = {ceil(float(size) * (16 if unit == "rem" else 1)) + (end == "max") for end, size, unit in found}
    return sorted({*range(320, 1241, 20), *(width for width in widths if width > 320), 2560})


# Each combination of buttons in the bar. If the player can place a tile, a tile and a cell are chosen.
BARS = ["hint-offered", "hint-confirm", "game-refill-asked", "game-resign-asked", "plan-choosing"]
BARS += ["game-past", "vote-board-of-absent", "solo-phase-1"]
MORE_BARS = ["hint-given", "hint-with-three-reasons", "hint-awaited", "hint-refill", "hint-confirm-solo"]
MORE_BARS += ["game-refill-forced", "plan-waiting", "game-bot-thinking", "game-nudge", "game-spectator"]
MORE_BARS += ["clock-away", "vote-asked", "hand-over-objection", "solo-refill", "solo-refill-asked"]


def test_a_result_leaves_the_history_room_for_two_entries_on_a_wide_screen(show: Show) -> None:
    page = show(STATES["game-won"](), viewport={"width": 1440, "height": 900})
    assert page.evaluate(WHOLE_ENTRIES) >= 2


def test_the_bar_is_no_higher_when_a_refill_is_allowed(show: Show) -> None:
    page = show(STATES["game-refill-allowed"](), viewport={"width": 390, "height": 844})
    assert page.evaluate(LINES, "A refill adds 9 tiles. You can't undo it.")[0] == 1


@pytest.mark.parametrize("name", ["game-four", "game-won", "solo-over"])
def test_a_tablet_shows_at_least_two_entries_of_the_log(show: Show, name: str) -> None:
    page = show(STATES[name](), viewport={"width": 820, "height": 1180})
    assert page.evaluate(WHOLE_ENTRIES) >= 2


@pytest.mark.parametrize(
    "name", [*BARS, *(pytest.param(name, marks=pytest.mark.whole) for name in MORE_BARS)]
)
def test_nothing_sticks_out_of_the_action_bar_or_overlaps_in_it(show: Show, name: str) -> None:
    page = show(STATES[name](), viewport={"width": 2560, "height": 900})
    if page.locator("#undo[hidden]").count() and ways.can_place(page):
        ways.choose(page)
    assert page.evaluate(FAULTS_OF_BAR, widths_of_bars()) == []


def test_a_phone_shows_the_buttons_of_the_waiting_bar_in_one_row(show: Show) -> None:
    page = show(STATES["hand-over-objection"](), viewport={"width": 390, "height": 844})
    expect(page.locator("#bar .btn:visible:not(.bar__chat)")).to_have_count(3)
    _prompt, *buttons = page.evaluate(MIDDLES)
    assert max(buttons) - min(buttons) < 4


def test_a_phone_shows_the_way_to_the_chat_in_a_bar_that_keeps_its_height_while_one_chooses(
    show: Show,
) -> None:
    page = show(STATES["game-second-turn"](), viewport={"width": 390, "height": 844})
    bar = page.locator("#bar")
    height = bar.bounding_box()["height"]
    ways.choose(page)
    expect(page.locator("#undo")).to_be_visible()
    expect(page.locator("#bar-chat")).to_be_visible()
    assert bar.bounding_box()["height"] == height


@pytest.mark.parametrize("name", ["game-second-turn", "game-my-turn", "game-not-my-turn"])
def test_a_phone_shows_a_row_of_the_display_below_the_wheel(show: Show, name: str) -> None:
    page = show(STATES[name](), viewport={"width": 390, "height": 664})
    tile = page.locator("#display .tile").first.bounding_box()
    bar = page.locator("#bar").bounding_box()
    assert tile
    assert bar
    assert tile["y"] + 44 <= bar["y"]
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator("#display .tile").first).to_be_in_viewport()
    assert tile["y"] < bar["y"]


@pytest.mark.parametrize("name", ["game-my-turn", "game-not-my-turn", "game-four"])
def test_a_phone_shows_the_opponents_beside_the_wheel(show: Show, name: str) -> None:
    page = show(STATES[name](), viewport={"width": 390, "height": 844})
    wheel, others = (page.locator(part).bounding_box() for part in ("#wheel", ".game__others"))
    assert wheel
    assert others
    assert wheel["x"] + wheel["width"] <= others["x"]
    assert wheel["y"] <= others["y"]
    assert others["y"] + others["height"] <= wheel["y"] + wheel["height"]
    page.get_by_role("link", name="Enlarge the display of Tobias").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Tobias")


def test_no_name_breaks_between_two_lines(show: Show) -> None:
    page = show(STATES["game-long-names"]())
    for width in (320, 820, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        lines = page.evaluate(LINES, "M" * 30)
        assert len(lines) > 3
        assert set(lines) == {1}, f"at {width} px"


@pytest.mark.parametrize(
    "name", ["game-cell-chosen", "game-refill-allowed", "hint-offered", "clock-take-back"]
)
def test_the_action_bar_has_one_build_on_a_wide_screen(show: Show, name: str) -> None:
    page = show(STATES[name](), viewport={"width": 1440, "height": 900})
    expect(page.locator("#bar")).to_have_css("height", "130px")
    assert page.locator("#confirm").bounding_box()["y"] == pytest.approx(830, abs=1)


def test_no_fact_of_a_result_breaks_between_two_lines(show: Show) -> None:
    page = show(STATES["clock-over"](), viewport={"width": 1440, "height": 900})
    for width in (390, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        facts = page.locator(".rank :is(.whole, .player__time small)").all()
        assert len(facts) > 2
        heights = [fact.evaluate("fact => fact.offsetHeight") for fact in facts]
        assert max(heights) < 24, f"at {width} px"


def test_a_phone_shows_all_final_displays_in_one_window_below_the_result(show: Show) -> None:
    page = show(STATES["game-won"](), viewport={"width": 390, "height": 844})
    expect(page.locator("#result")).to_be_in_viewport(ratio=1)
    page.locator("#display").evaluate("(display) => display.scrollIntoView({ block: 'start' })")
    bar = page.locator("#bar").bounding_box()
    for display in (page.locator("#display"), *page.locator(".mini").all()):
        box = display.bounding_box()
        assert box
        assert bar
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= bar["y"]


def test_a_phone_shows_a_finished_game_in_three_lines_of_which_the_first_has_its_result(show: Show) -> None:
    page = show(STATES["finished-games-found"](), viewport={"width": 390, "height": 844})
    rows = page.locator(".row--finished")
    assert rows.evaluate_all("rows => Math.max(...rows.map((row) => row.offsetHeight))") < 84
    first = rows.first
    result, name = first.locator(".outcome__words").bounding_box(), first.locator(".names").bounding_box()
    assert result
    assert name
    assert result["y"] + result["height"] <= name["y"] + 4


def test_a_phone_shows_the_whole_display_of_a_solo_game_above_the_bar(show: Show) -> None:
    page = show(STATES["solo-phase-1"](), viewport={"width": 390, "height": 844})
    assert page.evaluate(DISPLAY_IN_SIGHT) == 1


def test_a_question_in_a_wide_window_moves_no_tile(show: Show) -> None:
    page = show(STATES["game-not-my-turn"](), viewport={"width": 1440, "height": 900})
    display = page.locator("#display").bounding_box()
    page.locator("#take-back").click()
    expect(page.locator("#ask-back")).to_be_visible()
    assert page.locator("#display").bounding_box() == display


def test_a_tablet_on_its_side_shows_the_plan_and_how_to_leave_it(show: Show) -> None:
    page = show(STATES["plan-choosing"](), viewport={"width": 1024, "height": 768})
    expect(page.get_by_role("heading", name="Plan your turn")).to_be_in_viewport()
    for part in (*page.locator(".plan__wishes li").all(), page.locator("#plan-done"), page.locator("#bar")):
        expect(part).to_be_in_viewport(ratio=1)
    trial, plan = page.locator("#display .is-trial").bounding_box(), page.locator("#plan").bounding_box()
    assert trial
    assert plan
    assert trial["y"] + trial["height"] <= plan["y"], "the chosen cell is covered"


@pytest.mark.parametrize(("width", "height"), [(320, 568), (390, 844), (834, 1112)])
def test_an_upright_screen_shows_how_to_leave_a_plan_and_where_it_is(
    show: Show, width: int, height: int
) -> None:
    page = show(STATES["plan-first-wish"](), viewport={"width": width, "height": height})
    page.evaluate("scrollTo(0, 0)")
    expect(page.locator("#plan-done")).to_be_in_viewport(ratio=1)
    page.get_by_role("link", name="Your plan").click()
    for part in (page.locator("#plan-refill"), page.locator(".plan__wishes li")):
        expect(part).to_be_in_viewport(ratio=1)
    page.locator("#plan-done").click()
    expect(page.locator("#bar[data-plans]")).to_have_count(0)
    expect(page.locator(".wheel")).to_be_in_viewport(ratio=0.9)


def test_the_ring_around_a_chosen_cell_has_space(show: Show) -> None:
    page = show(STATES["game-tile-chosen"](), viewport={"width": 390, "height": 900})
    for width, margin in ((390, 6), (820, 10), (1440, 20)):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate(MARGIN) >= margin, f"at {width} px"


def test_the_names_of_cells_show_when_they_help_and_move_nothing(show: Show) -> None:
    page = show(STATES["game-my-turn"](), viewport={"width": 1440, "height": 900})
    label, display = page.locator("#display .edges").first, page.locator("#display .display")
    expect(label).to_have_css("opacity", "0")
    before = display.bounding_box()
    page.locator("#display").hover()
    expect(label).to_have_css("opacity", "1")
    assert display.bounding_box() == before
    page.locator("#previous").click()
    expect(page.locator("#back")).to_be_visible()
    expect(label).to_have_css("opacity", "1")


def test_nothing_covers_the_game_menu_beside_a_vote(show: Show) -> None:
    page = show(STATES["clock-offer"](), viewport={"width": 1440, "height": 900})
    expect(page.locator(".vote")).to_be_visible()
    menu, talk = page.locator("#about").bounding_box(), page.locator(".talk").bounding_box()
    assert menu
    assert talk
    assert menu["y"] + menu["height"] <= talk["y"]


def test_an_open_game_menu_is_whole_and_moves_nothing_in_a_wide_window(show: Show) -> None:
    page = show(STATES["clock-live"](), viewport={"width": 1440, "height": 900})
    parts = [page.locator(part) for part in (".game__log", ".scrub #at", ".talk", "#display")]

    def layout() -> list[object]:
        height = page.evaluate("document.documentElement.scrollHeight")
        return [height, *(part.bounding_box() for part in parts)]

    before = layout()
    menu, summary = page.locator("#about > div"), page.locator("#about > summary")
    summary.click()
    expect(menu.get_by_role("link", name="Resign")).to_be_in_viewport(ratio=1)
    expect(menu).to_be_in_viewport(ratio=1)
    assert layout() == before
    page.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    summary.click()
    page.locator(".game__players h2").click()
    expect(menu).to_be_hidden()


def test_no_name_of_a_row_or_column_is_over_a_cell(show: Show) -> None:
    page = show(STATES["game-tile-chosen"]())
    for width, height in ((390, 844), (720, 450), (820, 1180), (1024, 768), (1440, 900)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("document.querySelector('#display').scrollTo(0, 0)")
        assert page.evaluate(LABELS_OVER_CELLS) == [], f"at {width} px"


@pytest.mark.parametrize(("width", "height", "least"), [(720, 450, 0.5), (1180, 820, 1)])
def test_a_low_window_shows_the_display_beside_the_wheel(
    show: Show, width: int, height: int, least: float
) -> None:
    page = show(STATES["game-my-turn"](), viewport={"width": width, "height": height})
    assert page.evaluate(DISPLAY_IN_SIGHT) >= least
    expect(page.locator("#confirm")).to_be_in_viewport(ratio=1)


def test_a_phone_shows_the_whole_name_of_each_channel(show: Show) -> None:
    page = show(STATES["notifications-on-devices"](), viewport={"width": 390, "height": 844})
    names = page.locator(".grid__box span")
    assert names.count() >= 3
    assert (
        names.evaluate_all(
            "names => names.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)"
        )
        == []
    )


def test_a_hint_moves_and_scales_nothing_on_a_wide_screen(open_as: OpenAs) -> None:
    game = game_with_reasons()
    page = open_as(play.mover(game), game.get_absolute_url())
    sizes = [(1440, 900), (1280, 800)]
    before = [boxes(page, *size) for size in sizes]
    store_hint(game, best_explained_place(game), 0.634)
    page.reload()
    expect(page.locator("#follow")).to_be_visible()
    assert [boxes(page, *size) for size in sizes] == before
    hint, tile = page.locator(".bar__hint").bounding_box(), tiles_of(page).last.bounding_box()
    assert hint
    assert tile
    assert tile["y"] + tile["height"] < hint["y"]


def boxes(page: Page, width: int, height: int) -> list[dict[str, float] | None]:
    """Return the places of a tile on the display, of the wheel and of a button in a window of this size."""
    page.set_viewport_size({"width": width, "height": height})
    parts = (tiles_of(page).first, page.locator(".wheel"), page.locator("#confirm"))
    return [part.bounding_box() for part in parts]


def tiles_of(page: Page) -> Locator:
    return page.locator("#display .tile:not(.cell)")
