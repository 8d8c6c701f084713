"""What just happened is seen to happen, quickly, and not by those who want things still."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from games.engine import GoalsCompleted, Place, Step
from games.models import Game
from tests import play
from tests.browser import ways
from tests.browser.conftest import log_in
from tests.conftest import OpenBrowser

pytestmark = pytest.mark.django_db(transaction=True)

# What moves at the moment, but for what style sheets breathe all the time.
ANIMATIONS = """document.getAnimations()
    .filter((one) => !(one instanceof CSSAnimation || one instanceof CSSTransition))"""
# Each by its name, and when it ends.
MOVING = f"""() => {ANIMATIONS}
    .map(({{ effect }}) => [effect.target.dataset.move ?? effect.target.getAttribute("class"),
                            effect.getComputedTiming().endTime])"""
SETTLED = f"() => Promise.all({ANIMATIONS}.map((one) => one.finished)).then(() => true)"
# What counts as a layout shift: not what somebody asked for a moment ago.
SHIFTS = """() => {
    window.shifted = 0;
    new PerformanceObserver((list) => {
        for (const shift of list.getEntries()) window.shifted += shift.hadRecentInput ? 0 : shift.value;
    }).observe({ type: "layout-shift", buffered: true });
}"""


def slow_down(page: Page) -> None:
    """Let animations last long enough to be looked at."""
    tools = page.context.new_cdp_session(page)
    tools.send("Animation.enable")
    tools.send("Animation.setPlaybackRate", {"playbackRate": 0.02})


def until_a_goal_can_be_covered(game: Game) -> Step:
    """Play until a tile would cover goals, and return the step that covers most."""
    while True:
        position = play.position_of(game)
        steps = [position.apply(place) for place in position.legal_actions if isinstance(place, Place)]
        best = max(steps, key=covered_by, default=None)
        if best and covered_by(best):
            return best
        play.play_one(game)


def covered_by(step: Step) -> int:
    return sum(len(event.goals) for event in step.events if isinstance(event, GoalsCompleted))


def watch(open_browser: OpenBrowser, game: Game, server: str, **options: object) -> Page:
    """Return the page of somebody who waits while another player is to move."""
    waiting = next(s.user for s in game.seats.select_related("user") if s.user != play.mover(game))
    page = open_browser(**options)
    log_in(page.context, waiting, server)
    page.goto(game.get_absolute_url())
    expect(page.locator("#game[data-turn=other]")).to_have_count(1)
    return page


def test_another_players_tile_travels_and_discs_and_marker_follow(
    open_browser: OpenBrowser, game: Game, server: str
) -> None:
    page = watch(open_browser, game, server)
    slow_down(page)
    mover = play.fresh(game).to_move
    played = play.play_one(game)
    expect(page.locator(f"#game[data-version='{played.number}']")).to_have_count(1)

    moving = dict(page.evaluate(MOVING))

    [placed] = page.locator(".flight-layer .tile__art use").all()
    assert placed.get_attribute("href").removeprefix("#") in moving  # its place on the display waits for it
    assert {"marker", f"disc-{mover}", "tile__art"} <= moving.keys()
    assert all(end <= 400 for name, end in moving.items() if name != "tile__disc")


def test_the_picture_of_a_flight_is_gone_when_it_has_landed(
    open_browser: OpenBrowser, game: Game, server: str
) -> None:
    page = watch(open_browser, game, server)
    played = play.play_one(game)
    expect(page.locator(f"#game[data-version='{played.number}']")).to_have_count(1)
    expect(page.locator(".flight-layer *")).to_have_count(0)
    assert page.evaluate(SETTLED)


def test_a_confirmed_tile_stays_where_it_was_tried(open_game: Callable[..., Page]) -> None:
    page = open_game()
    slow_down(page)
    ways.by_mouse(page)
    expect(page.locator("#game[data-version='10']")).to_have_count(1)
    moving = dict(page.evaluate(MOVING))
    assert "marker" in moving
    assert not [name for name in moving if name.startswith("tile-")]
    expect(page.locator(".flight-layer")).to_have_count(0)


def test_goals_get_their_discs_one_after_the_other(open_game: Callable[..., Page], game: Game) -> None:
    step = until_a_goal_can_be_covered(game)
    page = open_game()
    page.locator(f"#take-{step.action.tile}").click()
    page.locator(f"#cell-{step.action.cell.x}_{step.action.cell.y}").click()
    slow_down(page)
    shown = page.locator(f"#game[data-version='{play.fresh(game).version + 1}']")
    page.locator(ways.CONFIRM).click()
    expect(shown).to_have_count(1)
    drops = [end for name, end in page.evaluate(MOVING) if name == "tile__disc"]
    assert drops == [400 + 90 * nth for nth in range(covered_by(step))]


def test_nothing_moves_for_those_who_want_it_still(
    open_browser: OpenBrowser, game: Game, server: str
) -> None:
    page = watch(open_browser, game, server, reduced_motion="reduce")
    slow_down(page)
    played = play.play_one(game)
    expect(page.locator(f"#game[data-version='{played.number}']")).to_have_count(1)
    assert page.evaluate(MOVING) == []
    expect(page.locator(".flight-layer")).to_have_count(0)


def test_the_page_does_not_shift(open_game: Callable[..., Page]) -> None:
    page = open_game()
    page.evaluate(SHIFTS)
    ways.by_mouse(page)
    expect(page.locator("#game[data-version='10']")).to_have_count(1)
    assert page.evaluate(SETTLED)
    assert page.evaluate("window.shifted") == 0
