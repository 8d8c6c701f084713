"""A page of a game stays where its reader has scrolled to, and shows what it asks of them."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from games.services import tables
from tests import play
from tests.browser.conftest import log_in
from tests.conftest import OpenBrowser

pytestmark = pytest.mark.django_db(transaction=True)

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}


def scrolled(page: Page) -> int:
    return page.evaluate("Math.round(scrollY)")


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
