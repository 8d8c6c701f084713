"""A page of a game stays where its reader has scrolled to, and shows what it asks of them."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from games.engine import Place, action_to_json
from games.models import Game, Hint
from games.services import tables
from tests import play
from tests.browser.conftest import log_in
from tests.browser.states.hints import against_a_bot, hinted, with_hint
from tests.conftest import OpenBrowser

pytestmark = pytest.mark.django_db(transaction=True)

# Whether the whole of the cell that a hint marks is above the action bar.
IS_CLEAR_OF_THE_BAR = """() => {
    const box = (name) => document.querySelector(name).getBoundingClientRect();
    return box("#display .hinted").bottom <= box("#bar").top;
}"""

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}


def scrolled(page: Page) -> int:
    return page.evaluate("Math.round(scrollY)")


def open_board(open_browser: OpenBrowser, server: str, game: Game) -> Page:
    page = open_browser(**PHONE)
    log_in(page.context, play.mover(game), server)
    page.goto(game.get_absolute_url())
    return page


def give_hint(game: Game, by: Callable[[Place], int]) -> None:
    """Let the hint that is awaited be the place for which `by` is greatest."""
    places = [one for one in play.position_of(game).legal_actions if isinstance(one, Place)]
    Hint.objects.filter(game=game).update(payload=action_to_json(max(places, key=by)), value=0.5)


def choose(page: Page, link: Locator, chosen: str) -> None:
    """Scroll a link to the middle of the screen and tap it; the page must stay there."""
    link.evaluate("link => link.scrollIntoView({block: 'center'})")
    before = scrolled(page)
    link.tap()
    expect(page.locator(chosen)).to_be_visible()
    expect(page.locator(".htmx-settling")).to_have_count(0)
    assert abs(scrolled(page) - before) <= 4


def test_choosing_on_a_phone_leaves_the_page_where_it_is(open_game: Callable[..., Page]) -> None:
    page = open_game(**PHONE)
    choose(page, page.locator(".wheel__space.is-near a").last, ".tile.is-chosen")
    choose(page, page.locator("#display a.cell").last, "#display .is-trial")
    assert scrolled(page) > 0


def test_the_question_about_resigning_comes_into_view(open_game: Callable[..., Page]) -> None:
    page = open_game(**PHONE)
    page.get_by_text("About this game").tap()
    page.get_by_role("link", name="Resign").tap()
    expect(page.get_by_role("button", name="Resign")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("link", name="Play on")).to_be_in_viewport(ratio=1)


def test_the_question_about_resigning_comes_into_view_without_script(open_game: Callable[..., Page]) -> None:
    page = open_game(**PHONE, java_script_enabled=False)
    page.get_by_text("About this game").tap()
    page.get_by_role("link", name="Resign").tap()
    expect(page.get_by_role("button", name="Resign")).to_be_in_viewport(ratio=1)


def test_a_hint_that_comes_is_brought_into_view(open_browser: OpenBrowser, server: str) -> None:
    game = hinted(against_a_bot())
    page = open_board(open_browser, server, game)
    expect(page.locator("#hint")).to_be_visible()
    page.evaluate("scrollTo(0, 0)")
    give_hint(game, lambda place: place.y)
    mark = page.locator("#display .hinted")
    expect(mark).to_be_attached()
    expect(mark).to_be_in_viewport(ratio=1)
    page.wait_for_function(IS_CLEAR_OF_THE_BAR)
    assert scrolled(page) > 0


def test_a_hint_in_view_leaves_the_page_where_it_is(open_browser: OpenBrowser, server: str) -> None:
    game = hinted(against_a_bot())
    page = open_board(open_browser, server, game)
    expect(page.locator("#hint")).to_be_visible()
    page.locator("#display").evaluate("display => display.scrollIntoView({block: 'start'})")
    before = scrolled(page)
    give_hint(game, lambda place: -place.y)
    expect(page.locator("#display .hinted")).to_be_in_viewport(ratio=1)
    expect(page.locator(".htmx-settling")).to_have_count(0)
    assert scrolled(page) == before > 0


def test_a_hint_on_a_phone_takes_the_place_of_what_is_said_without(
    open_browser: OpenBrowser, server: str
) -> None:
    game = with_hint(against_a_bot())
    page = open_board(open_browser, server, game)
    bar, hint, what = page.locator("#bar"), page.locator("#hint"), page.locator("#prompt")
    expect(hint).to_be_visible()
    expect(what).to_be_hidden()
    assert bar.bounding_box()["height"] < 140
    page.locator("#follow").tap()
    expect(what).to_be_visible()
    expect(hint).to_be_hidden()
    assert bar.bounding_box()["height"] < 140
    page.locator("#undo").tap()
    expect(hint).to_be_visible()


def test_the_longest_names_make_no_page_scroll_sideways(open_browser: OpenBrowser, server: str) -> None:
    ines, other = play.person("Ines"), play.person("W" * 30)
    tables.open_table(other, 3, ["easy"], beginner=False, is_public=True)
    game = play.game_of(ines, other)
    page = open_browser(**PHONE)
    log_in(page.context, ines, server)
    for _mover in range(2):
        for path in ("/", game.get_absolute_url()):
            page.goto(path)
            expect(page.get_by_text(other.username).first).to_be_attached()
            assert page.evaluate("document.documentElement.scrollWidth") == PHONE["viewport"]["width"], path
        mover = play.mover(game)
        while play.mover(game) == mover:
            play.play_one(game)
