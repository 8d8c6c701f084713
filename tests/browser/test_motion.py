"""Animations quickly show what just happened. People who prefer reduced motion see none."""

import pytest
from django.db import transaction
from playwright.sync_api import Page, expect

from games.models import Action, Game
from games.novaluna.engine import GoalsCompleted, Place, Step
from tests import play
from tests.browser import ways
from tests.browser.conftest import OpenAs, OpenGame
from tests.browser.states.making import waiting_player
from tests.browser.waits import let_it_ask_for_boards, wait_for_version
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)

MOTION = {"reduced_motion": "no-preference"}

# The animations of scripts, without those of style sheets, some of which never end.
ANIMATIONS = """document.getAnimations()
    .filter((one) => !(one instanceof CSSAnimation || one instanceof CSSTransition))"""
# Returns the name of each moving element and the end time of its animation in ms.
MOVING = f"""() => {ANIMATIONS}.map(({{ effect }}) => {{
    const {{ target }} = effect;
    const name = target.closest(".flight-layer") ? "flying"
        : target.matches(".tile") ? target.querySelector("use").getAttribute("href").slice(1)
        : target.matches(".tile__art > use") ? "disc" : target.dataset.move ?? target.getAttribute("class");
    return [name, effect.getComputedTiming().endTime];
}})"""
# Notes each action that the page shows, with the tile that begins to fly then.
NOTE_SHOWN = f"""() => {{
    const game = document.getElementById("game"), flown = new Set();
    window.shown = [];
    window.settled = 0;
    // On a busy machine, the next board can come before this one settles.
    document.addEventListener("htmx:afterSwap", () => window.shown.push([Number(game.dataset.shown), null]));
    document.addEventListener("htmx:afterSettle", () => {{
        const flying = {ANIMATIONS}.map(({{ effect }}) => effect.target.closest(".flight-layer")
            && effect.target.querySelector("use").getAttribute("href").slice("#tile-".length));
        const [tile] = flying.filter((one) => one && !flown.has(one));
        flown.add(tile);
        window.shown[window.settled++][1] = tile ?? null;
    }});
}}"""
# Waits until all animations have ended.
FINISHED = f"() => Promise.all({ANIMATIONS}.map((one) => one.finished)).then(() => true)"
# Returns when the page has been drawn twice, so that everything that earlier clicks have changed is drawn.
SETTLED = """() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))"""
# Adds up the layout shifts around the board. What an action changes moves parts of the board.
SHIFTS = """() => {
    window.shifted = 0;
    const isAround = ({ node }) => node && !node.parentElement?.closest("#game");
    new PerformanceObserver((list) => {
        const shifts = list.getEntries().filter(({ sources }) => sources.some(isAround));
        for (const { value } of shifts) window.shifted += value;
    }).observe({ type: "layout-shift" });
}"""


def slow_down(page: Page, rate: float = 0.02) -> None:
    """Slow animations down to `rate` times their speed, so that the test can examine them."""
    tools = page.context.new_cdp_session(page)
    tools.send("Animation.enable")
    tools.send("Animation.setPlaybackRate", {"playbackRate": rate})


def play_until_a_goal_can_be_covered(game: Game) -> Step:
    """Play until the player to move can cover a goal, and return the step that covers most goals."""
    while True:
        position = play.position_of(game)
        steps = [position.apply(place) for place in position.legal_actions if isinstance(place, Place)]
        best = max(steps, key=goals_covered_by, default=None)
        if best and goals_covered_by(best):
            return best
        play.play_one(game)


def goals_covered_by(step: Step) -> int:
    return sum(len(event.goals) for event in step.events if isinstance(event, GoalsCompleted))


def open_as_other_player(open_as: OpenAs, game: Game, **options: object) -> Page:
    """Open the game as a player who is not to move."""
    page = open_as(waiting_player(game), game.get_absolute_url(), **MOTION | options)
    expect(page.locator("#game[data-turn=other]")).to_have_count(1)
    return page


def test_another_players_tile_flies_and_disc_and_marker_turn(open_as: OpenAs, game: Game) -> None:
    page = open_as_other_player(open_as, game)
    slow_down(page)
    mover = play.fresh(game).to_move
    played = play.play_one(game)
    wait_for_version(page, played.number)

    moving = dict(page.evaluate(MOVING))

    [placed] = page.locator(".flight-layer .tile__art use").all()
    # The tile in its cell is transparent until the flying copy lands.
    assert placed.get_attribute("href").removeprefix("#") in moving
    assert {"marker", f"disc-{mover}", "flying"} <= moving.keys()
    assert all(end <= 400 for name, end in moving.items() if name != "disc")


def test_the_picture_of_a_flying_tile_is_removed_after_it_lands(open_as: OpenAs, game: Game) -> None:
    page = open_as_other_player(open_as, game)
    played = play.play_one(game)
    wait_for_version(page, played.number)
    expect(page.locator(".flight-layer *")).to_have_count(0)
    assert page.evaluate(FINISHED)


def test_a_confirmed_tile_does_not_fly_from_the_wheel(open_game: OpenGame) -> None:
    page = open_game(**MOTION)
    slow_down(page)
    ways.by_mouse(page)
    wait_for_version(page, 10)
    moving = dict(page.evaluate(MOVING))
    assert "marker" in moving
    assert not [name for name in moving if name.startswith("tile-")]
    expect(page.locator(".flight-layer")).to_have_count(0)


def test_discs_drop_on_goals_one_after_another(open_game: OpenGame, game: Game) -> None:
    step = play_until_a_goal_can_be_covered(game)
    page = open_game(**MOTION)
    page.locator(f"#take-{step.action.tile}").click()
    page.locator(f"#cell-{step.action.cell.x}_{step.action.cell.y}").click()
    slow_down(page)
    version = play.fresh(game).version
    page.locator(ways.CONFIRM).click()
    wait_for_version(page, version + 1)
    drops = [end for name, end in page.evaluate(MOVING) if name == "disc"]
    assert drops == [400 + 90 * nth for nth in range(goals_covered_by(step))]


def test_nothing_moves_with_reduced_motion(open_as: OpenAs, game: Game) -> None:
    page = open_as_other_player(open_as, game, reduced_motion="reduce")
    slow_down(page)
    played = play.play_one(game)
    wait_for_version(page, played.number)
    assert page.evaluate(MOVING) == []
    expect(page.locator(".flight-layer")).to_have_count(0)


def test_the_page_does_not_shift(open_game: OpenGame) -> None:
    page = open_game(**MOTION)
    ways.choose(page)
    expect(page.locator(ways.CONFIRM)).to_be_visible()
    page.evaluate(SETTLED)
    page.evaluate(SHIFTS)
    page.locator(ways.CONFIRM).click()
    wait_for_version(page, 10)
    assert page.evaluate(FINISHED)
    assert page.evaluate("window.shifted") == 0


def note_shown(page: Page) -> None:
    page.evaluate(NOTE_SHOWN)


def shown_until(page: Page, number: int) -> list[list[int | str | None]]:
    """Return the actions that the page has shown up to this one, and the tile that began to fly with each."""
    # The tile is noted when htmx has settled.
    wait_until(
        lambda: page.evaluate("window.settled === window.shown.length && window.shown.at(-1)?.[0]") == number,
        f"the board after action {number}",
    )
    shown: list[list[int | str | None]] = page.evaluate("window.shown")
    return shown


def at_the_same_time(game: Game, count: int) -> None:
    """Play actions of which open pages hear only together."""
    with transaction.atomic():
        for _action in range(count):
            play.play_one(game)


def play_actions(game: Game) -> list[dict[str, object]]:
    return list(Action.objects.filter(game=game).order_by("number").values_list("payload", flat=True))


@pytest.mark.parametrize("asks", [False, True], ids=["in its stream", "as it asks"])
def test_several_actions_of_one_update_are_shown_one_after_another(
    open_as: OpenAs, game: Game, asks: bool
) -> None:
    page = open_as(waiting_player(game), "about:blank", **MOTION)
    if asks:
        let_it_ask_for_boards(page)
    page.goto(game.get_absolute_url())
    note_shown(page)
    shown = play.fresh(game).version
    at_the_same_time(game, 4)
    taken = [action.get("tile") for action in play_actions(game)[shown:]]
    assert shown_until(page, shown + 4) == [[shown + nth, tile] for nth, tile in enumerate(taken, 1)]


def test_boards_that_come_quickly_are_all_shown(open_as: OpenAs, game: Game) -> None:
    page = open_as_other_player(open_as, game)
    note_shown(page)
    shown = play.fresh(game).version
    for _action in range(6):
        play.play_one(game)
    assert [number for number, _tile in shown_until(page, shown + 6)] == list(range(shown + 1, shown + 7))


def test_a_press_on_the_board_shows_the_newest_and_calm_pages_do_anyway(open_as: OpenAs, game: Game) -> None:
    page = open_as_other_player(open_as, game)
    calm = open_as_other_player(open_as, game, reduced_motion="reduce")
    for each in (page, calm):
        note_shown(each)
    # The press comes as soon as the first of the boards shows.
    page.evaluate("""() => {
        const press = new PointerEvent("pointerdown", { bubbles: true });
        const pressSoon = () => setTimeout(() => document.querySelector(".wheel").dispatchEvent(press));
        document.addEventListener("htmx:afterSettle", pressSoon, { once: true });
    }""")
    shown = play.fresh(game).version
    at_the_same_time(game, 5)
    assert [number for number, _tile in shown_until(page, shown + 5)] == [shown + 1, shown + 5]
    assert [number for number, _tile in shown_until(calm, shown + 5)] == [shown + 5]


def test_no_board_that_waits_is_shown_over_a_newer_answer(open_as: OpenAs, game: Game) -> None:
    page = open_as_other_player(open_as, game)
    note_shown(page)
    # As after a press in the action bar, which comes when the first of the boards shows.
    page.evaluate("""() => {
        const target = { source: "#bar", target: "#game", swap: "morph" };
        const ask = () => htmx.ajax("GET", location.pathname, target);
        document.addEventListener("htmx:afterSettle", () => setTimeout(ask), { once: true });
    }""")
    shown = play.fresh(game).version
    at_the_same_time(game, 6)
    shown_until(page, shown + 6)
    wait_until(lambda: not page.evaluate("Boards.areWaiting()"), "no board waits")
    numbers = [number for number, _tile in shown_until(page, shown + 6)]
    assert numbers == sorted(numbers)
    assert numbers[0] == shown + 1


def test_what_a_player_types_and_the_bar_stay_while_boards_follow_each_other(
    open_as: OpenAs, game: Game
) -> None:
    page = open_as_other_player(open_as, game)
    note_shown(page)
    page.locator("#chat > summary").click()
    line = page.locator("#chat-text")
    line.fill("Well pl")
    bar = page.locator("#bar").element_handle()
    shown = play.fresh(game).version
    at_the_same_time(game, 3)
    wait_until(lambda: page.evaluate("window.shown.length") > 0, "the first of the boards")
    line.press_sequentially("ayed")
    wait_for_version(page, shown + 3)
    expect(line).to_have_value("Well played")
    expect(line).to_be_focused()
    assert bar.evaluate("(bar) => bar.isConnected")
    assert len(shown_until(page, shown + 3)) == 3


def test_the_marker_turns_on_from_where_it_is(open_as: OpenAs, game: Game) -> None:
    page = open_as_other_player(open_as, game)
    slow_down(page, rate=0.0005)  # However long the two actions take, the marker has hardly moved.
    marker = page.locator("[data-move=marker]").first
    start = ways.middle(marker)
    for _action in range(2):
        wait_for_version(page, play.play_one(game).number)
    assert ways.middle(marker) == pytest.approx(start, abs=8)
