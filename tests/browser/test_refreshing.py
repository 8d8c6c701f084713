"""What an open page of a game does about news, and about a server that is away."""

import re
import uuid
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from games.models import Game
from games.services.play import play as play_action
from tests import play
from tests.browser.conftest import log_in

pytestmark = pytest.mark.django_db(transaction=True)


def choose_both(page: Page) -> None:
    """Choose a tile and a cell, but don't confirm."""
    page.locator(".wheel__space.is-near a").first.click()
    page.locator("#display a.cell").first.click()
    expect(page.locator("#display .is-trial")).to_be_visible()


def test_a_stale_choice_is_dropped_without_blame(open_game: Callable[..., Page], game: Game) -> None:
    page = open_game()
    choose_both(page)
    other = page.context.new_page()
    other.goto(page.url)
    other.get_by_role("button", name="Confirm").click()
    expect(other.locator("#game[data-version='10']")).to_be_visible()

    expect(page.locator(f"#game[data-version='{play.fresh(game).version}']")).to_be_visible()
    expect(page).to_have_url(re.compile(rf"{game.get_absolute_url()}$"))
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_choice_that_still_fits_outlives_another_players_leaving(
    open_game: Callable[..., Page], game: Game
) -> None:
    page = open_game()
    choose_both(page)
    leaver = next(seat.user for seat in game.seats.select_related("user") if seat.user != play.mover(game))
    play_action(game.key, leaver, {"do": "resign"}, play.fresh(game).version + 1, uuid.uuid4())

    expect(page.locator("#announcer")).to_contain_text(f"{leaver.username} left the game")
    expect(page.locator("#display .is-trial")).to_be_visible()
    expect(page).to_have_url(re.compile(r"\?tile="))
    expect(page.get_by_role("button", name="Confirm").and_(page.locator("[type=submit]"))).to_be_visible()


def test_what_is_unfolded_stays_so_and_in_view_when_somebody_moves(
    open_game: Callable[..., Page], game: Game
) -> None:
    page = open_game(viewport={"width": 390, "height": 844})
    summary, resign = page.get_by_text("About this game"), page.get_by_role("link", name="Resign")
    summary.click()
    resign.scroll_into_view_if_needed()
    top = page.evaluate("scrollY")
    assert top > 400
    play.play_one(game)
    expect(page.locator(f"#game[data-version='{play.fresh(game).version}']")).to_be_visible()
    expect(resign).to_be_in_viewport()
    expect(summary).to_be_focused()
    # What has the focus elsewhere gets it back before anything is unfolded again.
    page.locator("#bar").evaluate("bar => bar.focus({ preventScroll: true })")
    play.play_one(game)
    expect(page.locator(f"#game[data-version='{play.fresh(game).version}']")).to_be_visible()
    expect(resign).to_be_in_viewport()


@pytest.fixture
def losing(chrome: Browser, server: str, game: Game) -> Iterator[Page]:
    """The game in a browser whose errors don't count, for it is about to lose the server."""
    with chrome.new_context(base_url=server, viewport={"width": 390, "height": 844}) as context:
        log_in(context, play.mover(game), server)
        page = context.new_page()
        page.goto(game.get_absolute_url())
        yield page


def test_a_click_without_connection_is_answered(losing: Page) -> None:
    losing.context.set_offline(True)
    choose_both(losing)  # needs no connection
    confirm = losing.get_by_role("button", name="Confirm")
    confirm.click()
    expect(losing.get_by_role("alert")).to_contain_text("Not sent")
    expect(losing.get_by_role("alert")).to_be_in_viewport(ratio=1)
    losing.context.set_offline(False)
    confirm.click()
    expect(losing.locator("#game[data-version='10']")).to_be_visible()
    expect(losing.get_by_role("alert")).to_have_count(0)
