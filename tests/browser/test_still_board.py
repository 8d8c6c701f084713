"""Nothing that a player looks at moves because a turn passes in a live game."""

from datetime import timedelta
from random import Random

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from games.models import Action, Game, Vote
from games.novaluna.engine.actions import Place
from games.novaluna.engine.position import RefillRule
from games.services import presence, tables, votes
from tests import play
from tests.browser import ways
from tests.browser.conftest import OpenAs
from tests.browser.states.hints import game_against_bot
from tests.browser.states.making import waiting_player
from tests.browser.states.plans import choose_for_plan, play_plan
from tests.browser.waits import wait_for_version, wait_until_unscrolled

PHONE: dict[str, object] = {"viewport": {"width": 390, "height": 844}}
LAYOUT = """() => {
    const box = (selector) => document.querySelector(selector).getBoundingClientRect();
    const tops = ["#wheel", "#display .tile"].map((selector) => Math.round(box(selector).top + scrollY));
    const { left, top } = box("#bar-chat");
    return [innerWidth, Math.round(box("#bar").height), ...tops, Math.round(left), Math.round(top)];
}"""
# The places of the wheel, the own display and the bar.
PLACES = """() => ["#wheel", ".game__mine > .stage", "#bar"].flatMap((selector) => {
    const { top, left, width, height } = document.querySelector(selector).getBoundingClientRect();
    return [top, left, width, height].map(Math.round);
})"""
# Returns the four edges of all buttons of the action bar that show, by name and edge.
BUTTONS = """() => Object.fromEntries([...document.querySelectorAll("#bar .btn")].flatMap((button) => {
    const box = button.getBoundingClientRect(), name = button.dataset.step || button.id;
    return box.width ? ["top", "left", "bottom", "right"].map((edge) => [`${name} ${edge}`, box[edge]]) : [];
}))"""
# Notes where the placed tile is on the board that comes, before the page scrolls to the wheel.
NOTE_PLACED = """() => {
    const { href } = document.querySelector("#display .is-trial use").attributes;
    document.addEventListener("htmx:afterSwap", () => {
        const placed = document.querySelector(`#display .tile:not(.cell):has(> use[href="${href.value}"])`);
        window.placed = placed.getBoundingClientRect().top;
    }, { once: true });
}"""
# Returns the tiles and the parts of the wheel that are not wholly in sight, above the bar.
CUT = """() => {
    const bar = document.getElementById("bar").getBoundingClientRect();
    return [...document.querySelectorAll(".wheel, .roster, .stage li:not(.edges) .tile")].filter((part) => {
        const { top, bottom, left, right } = part.getBoundingClientRect();
        const isCovered = bottom > bar.top && top < bar.bottom && right > bar.left && left < bar.right;
        return isCovered || top < 0 || bottom > innerHeight || left < 0 || right > innerWidth;
    }).map(({ outerHTML }) => outerHTML.slice(0, 99));
}"""

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def game() -> Game:
    table = tables.open_table(play.person("Ines"), tables.TableOptions(2, is_public=True, pace="live"))
    tables.join(table.key, play.person("Tobias"))
    return play.fresh(table)


def test_the_bar_of_a_small_phone_keeps_its_height_in_all_states_of_play(open_as: OpenAs, game: Game) -> None:
    page = open_as(play.mover(game), game.get_absolute_url(), viewport={"width": 320, "height": 568})
    heights: dict[str, float] = {}

    def note(state: str) -> None:
        box = page.locator("#bar").bounding_box()
        assert box
        heights[state] = box["height"]
        expect(page.locator("#bar-chat"), state).to_be_visible()

    while "The wheel is empty" not in heights or not page.locator("#plan-start").count():
        note(state_of(page))
        if state_of(page) == "A refill is offered" and "A cell is chosen" not in heights:
            ways.tiles(page).first.click()
            note("A tile is chosen")
            ways.best_cell(page).click()
            note("A cell is chosen")
            page.locator("#undo").click()
        wait_for_version(page, play.play_one(game).number)
    page.locator("#plan-start").click()
    expect(page.locator("#bar[data-plans]")).to_be_visible()
    note("A plan begins")
    assert set(heights.values()) == {118}, heights


@pytest.mark.parametrize("has_hints", [False, True])
@pytest.mark.parametrize(("width", "height"), [(320, 568), (360, 640), (390, 844)])
def test_the_buttons_of_the_bar_of_a_phone_keep_their_places_while_a_move_is_chosen(
    open_as: OpenAs, game: Game, width: int, height: int, has_hints: bool
) -> None:
    if has_hints:
        game = game_against_bot(lambda position, number: number > 8 and position.refill is RefillRule.ALLOWED)
    else:
        play.play_some(game, 9)
    page = open_as(play.mover(game), game.get_absolute_url(), viewport={"width": width, "height": height})
    places = [page.evaluate(BUTTONS)]
    names = ["refill", "confirm", *(["ask"] if has_hints else ["previous", "bar-chat"])]
    assert {f"{name} top" for name in names} <= places[0].keys()
    ways.tiles(page).first.click()
    places.append(page.evaluate(BUTTONS))
    ways.best_cell(page).click()
    places.append(page.evaluate(BUTTONS))
    # The choice is undone where an action is taken back before it.
    before, chosen, last = [
        {name: edge for name, edge in place.items() if not name.startswith(("undo", "take-back"))}
        for place in places
    ]
    assert chosen == pytest.approx(before, abs=1.5)
    assert last == pytest.approx(before, abs=1.5)
    assert max(edge for name, edge in places[2].items() if name.endswith("right")) <= width


def state_of(page: Page) -> str:
    if page.locator("#game[data-turn=other]").count():
        asks_back = page.locator("#take-back").count()
        return "A take-back is possible" if asks_back else "The turn of the other"
    if not ways.can_place(page):
        return "The wheel is empty"
    return "A refill is offered" if ways.refill(page).count() else "The turn begins"


def test_the_bar_and_the_board_stay_when_others_propose_something_or_leave(
    open_as: OpenAs, game: Game
) -> None:
    play.play_some(game, 8)
    mover = play.mover(game)
    seat = game.seats.exclude(user=mover).get()
    other = seat.user
    assert other is not None
    page = open_as(mover, game.get_absolute_url())
    presence.mark(game.key, other.pk)
    before = layouts(page)

    def withdraw() -> None:
        votes.answer(game.key, other, game.votes.running().get().pk, agrees=False)

    votes.start(game.key, other, Vote.Purpose.PACE, Game.Pace.SLOW)
    expect(page.locator(".vote-notice")).to_be_attached()
    assert layouts(page) == before
    withdraw()
    latest = Action.objects.filter(game=game, seat=seat.number).latest("number")
    votes.start(game.key, other, Vote.Purpose.TAKE_BACK, number=latest.number)
    expect(page.get_by_role("button", name="Agree")).to_be_visible()
    assert layouts(page) == before
    withdraw()
    game.seats.filter(pk=seat.pk).update(seen_at=timezone.now() - timedelta(minutes=2))
    votes.start(game.key, mover, Vote.Purpose.CANCEL)
    expect(page.locator(".bar__gone")).to_be_visible()
    assert layouts(page) == before


def layouts(page: Page) -> list[object]:
    """Return the height of the bar and the places of wheel, display and the way to the chat at each width."""
    found = []
    for width, height in (320, 568), (390, 844), (834, 1112), (1440, 900):
        page.set_viewport_size({"width": width, "height": height})
        found.append(page.evaluate(LAYOUT))
    return found


@pytest.mark.parametrize(("width", "height"), [(320, 568), (390, 844), (834, 1112), (1024, 768)])
def test_a_small_window_shows_all_of_the_board_to_a_player_who_waits(
    open_as: OpenAs, game: Game, width: int, height: int
) -> None:
    waits = waiting_player(play.play_some(game, 20))
    page = open_as(waits, game.get_absolute_url(), viewport={"width": width, "height": height})
    assert page.evaluate(CUT) == []
    expect(page.locator(".roster .ticking")).to_have_count(2)


def test_the_bar_of_a_phone_keeps_its_height_when_others_watch(open_as: OpenAs, game: Game) -> None:
    page = open_as(play.person("Noor"), play.play_some(game, 8).get_absolute_url(), **PHONE)
    top = top_of(page, "#bar")
    # The events that follow a change of a game say how many watch it.
    presence.mark(game.key, play.person("Mina").pk)
    wait_for_version(page, play.play_one(game).number)
    expect(page.locator("#bar-spectators b")).to_have_text("1")
    expect(page.locator("#bar-spectators")).to_be_visible()
    assert top_of(page, "#bar") == top


def test_a_tablet_shows_six_rows_of_a_display_and_all_cells_above_the_bar(
    open_as: OpenAs, game: Game
) -> None:
    position, actions = play.position_of(game), []
    while len(position.displays[position.to_move].tiles) < 6 or not position.in_reach:
        # The lowest cell, but in no seventh row.
        actions.append(max(position.legal_actions, key=lambda action: getattr(action, "y", -1) % 6))
        position = position.apply(actions[-1]).position
    play.play_all(game, actions)
    page = open_as(play.mover(game), game.get_absolute_url(), viewport={"width": 834, "height": 1112})
    places = places_of(page)
    ways.choose(page)
    wait_until_unscrolled(page)
    assert page.evaluate(CUT) == []
    assert places_of(page) == places


@pytest.mark.parametrize(("width", "height"), [(320, 568), (375, 720), (390, 844), (430, 932), (834, 1112)])
def test_the_layout_is_the_same_while_a_player_waits(
    open_as: OpenAs, game: Game, width: int, height: int
) -> None:
    size = {"width": width, "height": height}
    play.play_some(game, 20)
    mover = play.mover(game)
    page = open_as(mover, game.get_absolute_url(), viewport=size)
    places = [places_of(page)]
    while play.mover(game) == mover:
        wait_for_version(page, play.play_one(game).number)
    places.append(places_of(page))
    page.reload()
    places.append(places_of(page))
    assert places == places[:1] * 3


def test_nothing_moves_in_a_wide_window_when_a_plan_is_made_dropped_or_played(
    open_as: OpenAs, game: Game
) -> None:
    waits = waiting_player(play.play_some(game, 20))
    page = open_as(waits, game.get_absolute_url(), viewport={"width": 1440, "height": 900})
    tile = page.locator("#display .tile").first
    tiles, places = [tile.bounding_box()], [places_of(page)]

    def note() -> None:
        tiles.append(tile.bounding_box())
        places.append(places_of(page))

    for ends in ("#plan-drop", "#plan-done"):
        page.locator("[id^=plan-s]").click()
        expect(page.locator("#bar[data-plans]")).to_be_visible()
        note()
        choose_for_plan(page)
        page.locator("#confirm[type=submit]").click()
        expect(page.locator(".plan__wishes li")).to_have_count(1)
        note()
        page.locator(ends).click()
        expect(page.locator(ends)).to_have_count(0)
        note()
        if page.locator("#plan-done").count():
            page.locator("#plan-done").click()
            expect(page.locator("#plan")).to_have_count(0)
    assert tiles == tiles[:1] * 7
    play_plan(game, waits)
    expect(page.locator(".plan__played")).to_be_visible()
    note()
    assert places == places[:1] * 8


def places_of(page: Page) -> list[float]:
    return page.evaluate(PLACES)


@pytest.mark.parametrize("read", ["#display", "#log"])
def test_what_a_player_looks_at_stays_when_a_turn_passes(open_as: OpenAs, game: Game, read: str) -> None:
    play.play_some(game, 20)
    mover = play.mover(game)
    page = open_as(mover, game.get_absolute_url(), viewport={"width": 320, "height": 568})
    page.locator(read).evaluate("(part) => part.scrollIntoView({ block: 'center' })")
    place = top_of(page, read)
    while play.mover(game) == mover:
        wait_for_version(page, play.play_one(game).number)
    expect(page.locator("#game")).to_have_attribute("data-turn", "other")
    assert top_of(page, read) == pytest.approx(place, abs=1)


@pytest.mark.parametrize("reads", [False, True])
def test_a_phone_shows_the_result_when_a_game_ends_but_not_to_those_who_read(
    open_as: OpenAs, game: Game, reads: bool
) -> None:
    *earlier, last = play.random_actions(play.position_of(game), Random(1))
    play.play_all(game, earlier)
    page = open_as(play.mover(game), game.get_absolute_url(), **PHONE)
    page.evaluate("scrollTo(0, 150)")
    if reads:
        page.locator("#log").evaluate("(log) => log.scrollIntoView({ block: 'start' })")
    log = top_of(page, "#log")
    play.play_all(game, [last])
    heading = page.locator("#result").get_by_role("heading").first
    expect(heading).to_be_attached()
    link = page.get_by_role("link", name="See the result")
    if not reads:
        expect(link).to_be_hidden()
        return expect(heading).to_be_in_viewport(ratio=1)
    wait_until_unscrolled(page)
    assert top_of(page, "#log") == pytest.approx(log, abs=1)
    link.click()
    expect(link).to_be_hidden()
    return expect(heading).to_be_in_viewport(ratio=1)


def test_a_phone_shows_the_result_to_the_player_who_places_the_last_tile(open_as: OpenAs, game: Game) -> None:
    games = [list(play.random_actions(play.position_of(game), Random(seed))) for seed in range(20)]
    *earlier, last = next(actions for actions in games if isinstance(actions[-1], Place))
    play.play_all(game, earlier)
    assert isinstance(last, Place)
    page = open_as(play.mover(game), f"{game.get_absolute_url()}?tile={last.tile}", **PHONE)
    page.locator(f"#cell-{last.x}_{last.y}").dispatch_event("click")
    page.evaluate("scrollTo(0, 150)")
    page.locator(ways.CONFIRM).click()
    heading = page.locator("#result").get_by_role("heading").first
    expect(heading).to_be_in_viewport(ratio=1)
    wait_until_unscrolled(page)
    expect(heading).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("actions", [0, 9])
@pytest.mark.parametrize("size", [(320, 568), (390, 844)])
def test_the_tile_that_a_player_places_stays_where_it_was_chosen(
    open_as: OpenAs, game: Game, size: tuple[int, int], actions: int
) -> None:
    play.play_some(game, actions)
    width, height = size
    page = open_as(play.mover(game), game.get_absolute_url(), viewport={"width": width, "height": height})
    ways.tiles(page).first.click()
    ways.cells(page).last.click()  # The row above all tiles goes when the cells go.
    wait_until_unscrolled(page)
    chosen = top_of(page, "#display .is-trial")
    page.evaluate(NOTE_PLACED)
    with page.expect_response("**/play/"):
        page.locator(ways.CONFIRM).click()
    expect(ways.cells(page)).to_have_count(0)
    # Without cells, below a tip, the tiles are a little smaller.
    assert page.evaluate("window.placed") == pytest.approx(chosen, abs=18)


def top_of(page: Page, selector: str) -> float:
    """Return how far below the top of the window the first of these parts is."""
    return float(page.locator(selector).first.evaluate("(part) => part.getBoundingClientRect().top"))


@pytest.mark.parametrize("types", [False, True])
def test_a_phone_shows_the_result_to_a_spectator_with_an_open_chat_who_does_not_write(
    open_as: OpenAs, game: Game, types: bool
) -> None:
    *earlier, last = play.random_actions(play.position_of(game), Random(1))
    play.play_all(game, earlier)
    page = open_as(play.person("Noor"), game.get_absolute_url(), **PHONE)
    page.locator("#bar-chat").click()
    field = page.get_by_role("textbox", name="Write to spectators")
    if types:
        field.fill("Well")
    play.play_all(game, [last])
    heading = page.locator("#result").get_by_role("heading").first
    expect(heading).to_be_attached()
    if types:
        return expect(field).to_be_focused()
    expect(page.locator("#chat")).not_to_have_attribute("open", "")
    return expect(heading).to_be_in_viewport(ratio=1)


def test_an_open_menu_does_not_cover_the_history_when_a_game_ends(open_as: OpenAs, game: Game) -> None:
    *earlier, last = play.random_actions(play.position_of(game), Random(1))
    play.play_all(game, earlier)
    page = open_as(play.mover(game), game.get_absolute_url(), viewport={"width": 1440, "height": 900})
    page.locator("#about-summary").click()
    expect(page.locator("#about")).to_have_attribute("open", "")
    play.play_all(game, [last])
    expect(page.locator("#result")).to_be_visible()
    expect(page.locator("#about")).not_to_have_attribute("open", "")


@pytest.mark.parametrize("types", [False, True])
def test_a_chat_of_a_phone_is_above_the_bar_and_a_press_on_a_tile_closes_it_unless_its_player_writes(
    open_as: OpenAs, game: Game, types: bool
) -> None:
    play.play_some(game, 8)
    mover = play.mover(game)
    seat = game.seats.exclude(user=mover).get()
    assert seat.user is not None
    page = open_as(mover, game.get_absolute_url(), **PHONE)
    page.locator("#bar-chat").click()
    if types:
        page.get_by_role("textbox", name="Write to the players").fill("Well")
    latest = Action.objects.filter(game=game, seat=seat.number).latest("number")
    votes.start(game.key, seat.user, Vote.Purpose.TAKE_BACK, number=latest.number)
    expect(page.get_by_role("button", name="Agree")).to_be_visible()
    bar = top_of(page, "#bar")
    assert page.locator("#chat").evaluate("(chat) => chat.getBoundingClientRect().bottom") <= bar + 1
    ways.tiles(page).first.click()
    expect(page.locator("#undo")).to_be_visible()
    chat = page.locator("#chat")
    if types:
        return expect(chat).to_have_attribute("open", "")
    return expect(chat).not_to_have_attribute("open", "")
