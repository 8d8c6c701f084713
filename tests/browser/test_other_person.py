"""A page that stays open while its person logs out, or somebody else logs in, in another tab."""

from datetime import timedelta

import pytest
from django.conf import settings
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.models import User
from games.models import Game
from games.services import tables
from tests import play
from tests.browser.conftest import OpenAs, log_in
from tests.browser.states.making import waiting_player
from tests.browser.waits import HEAR_STREAM, let_it_ask_for_boards, wait_for_stream, wait_for_version

pytestmark = pytest.mark.django_db(transaction=True)

COME_BACK = "document.dispatchEvent(new Event('visibilitychange'))"
RESTORE = "window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))"


def requests_of(page: Page) -> list[str]:
    """Return a list that grows with each request that a page sends."""
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url))
    return sent


def test_a_page_says_that_its_person_is_logged_out_and_goes_on_when_they_are_back(
    open_as: OpenAs, game: Game, server: str
) -> None:
    mover = play.mover(game)
    page = open_as(mover, game.get_absolute_url(), allows_refusals=True)
    failure, board = page.locator("#failure"), page.locator("#game")
    page.locator("#chat > summary").click()
    line = page.get_by_role("textbox", name="Write to the players")
    line.fill("Your move")
    other = page.context.new_page()
    other.goto("/rules/")
    other.locator(".menu > summary").click()
    other.get_by_role("button", name="Log out").click()
    expect(other.get_by_role("link", name="Log in").first).to_be_visible()

    expect(failure).to_contain_text("You are logged out. This page shows nothing new.")
    expect(failure.get_by_role("link", name="Reload")).to_be_visible()
    expect(failure.get_by_role("button")).to_have_count(0)
    expect(page.locator("#live")).to_be_hidden()
    sent = requests_of(page)
    play.play_one(game)
    page.wait_for_timeout(1_500)
    assert [url for url in sent if "/updates/" not in url] == []
    expect(board).to_have_attribute("data-version", "9")
    expect(line).to_have_value("Your move")
    for fold in ("#chat", ".note-fold"):  # In a low window, one takes the place of the other.
        page.locator(f"{fold} > summary").click()
    page.locator("#note").press_sequentially("Red 3")
    expect(failure).to_contain_text("what you typed is still here")
    # A form that htmx doesn't send names no person.
    page.get_by_role("button", name="Dark theme").click()
    expect(failure).to_be_visible()
    assert page.evaluate("document.documentElement.dataset.theme") is None

    log_in(page.context, mover, server)
    other.reload()
    wait_for_version(page, play.fresh(game).version)
    expect(failure).to_be_hidden()
    expect(page.locator("#note-state")).to_have_text("Saved.")
    for fold in (".note-fold", "#chat"):
        page.locator(f"{fold} > summary").click()
    expect(line).to_have_value("Your move")
    line.press("Enter")
    expect(page.get_by_role("log")).to_contain_text("Your move")


@pytest.mark.parametrize("path", ["game", "/", pytest.param("/rules/", marks=pytest.mark.whole)])
def test_an_open_page_of_a_suspended_person_says_so_and_goes_on_afterwards(
    open_as: OpenAs, game: Game, path: str
) -> None:
    ines = play.mover(game)
    page = open_as(ines, game.get_absolute_url() if path == "game" else path, allows_refusals=True)
    User.objects.filter(pk=ines.pk).update(suspended_until=timezone.now() + timedelta(days=1))
    page.evaluate("document.dispatchEvent(new Event('person:doubt'))")
    failure = page.locator("#failure")
    expect(failure).to_contain_text("Your account is suspended")
    expect(failure).to_contain_text("you can't play or write here")
    expect(failure.get_by_role("link", name="Reload")).to_be_visible()
    expect(page.locator("#live")).to_be_hidden()
    User.objects.filter(pk=ines.pk).update(suspended_until=None)
    page.evaluate(COME_BACK)
    expect(failure).to_be_hidden()


@pytest.mark.parametrize("event", [COME_BACK, RESTORE], ids=["shown again", "restored by the browser"])
def test_a_page_that_is_shown_again_finds_out_that_somebody_else_is_logged_in(
    open_as: OpenAs, game: Game, server: str, event: str
) -> None:
    reader, other = waiting_player(game), play.mover(game)
    pages = [
        open_as(reader, path, allows_refusals=True) for path in (game.get_absolute_url(), "/", "/rules/")
    ]
    for page in pages:
        sent = requests_of(page)
        log_in(page.context, other, server)
        page.evaluate(event)
        failure = page.locator("#failure")
        expect(failure).to_contain_text(f"You are logged in as {other.username} now.")
        expect(page.locator(".top__name")).to_have_text(reader.username)
        expect(page.locator("#turns")).to_be_hidden()
        asked = len(sent)
        with page.expect_request("**"):
            page.evaluate(event)
        page.wait_for_timeout(500)
        assert len(sent) == asked + 1  # Whether its person is back.
        failure.get_by_role("link", name="Reload").click()
        expect(page.locator(".top__name")).to_have_text(other.username)
        expect(failure).to_be_hidden()


def test_the_next_update_finds_out_too(open_as: OpenAs, game: Game) -> None:
    page = open_as(waiting_player(game), game.get_absolute_url(), allows_refusals=True)
    let_it_ask_for_boards(page)
    page.add_init_script(HEAR_STREAM)
    page.reload()
    wait_for_stream(page)  # It says first whose it is.
    page.context.clear_cookies(name=settings.SESSION_COOKIE_NAME)
    play.play_one(game)
    expect(page.locator("#failure")).to_contain_text("You are logged out.")
    expect(page.locator("#game")).to_have_attribute("data-version", "9")


def test_a_page_that_only_polls_finds_out_too(open_as: OpenAs, game: Game) -> None:
    page = open_as(play.mover(game), "/rules/", allows_refusals=True)
    page.route("**/stream/**", lambda route: route.fulfill(status=204))
    with page.expect_response("**/version/**"):
        page.goto(game.get_absolute_url())
    page.context.clear_cookies(name=settings.SESSION_COOKIE_NAME)
    page.evaluate(COME_BACK)
    expect(page.locator("#failure")).to_contain_text("You are logged out.")


def test_the_visitor_of_a_landing_page_logs_in_elsewhere(open_as: OpenAs, server: str) -> None:
    ines = play.person("Ines")
    page = open_as(ines, "/", allows_refusals=True)
    page.context.clear_cookies()
    page.goto("/")
    log_in(page.context, ines, server)
    tables.open_table(play.person("Tobias"), tables.TableOptions(3, is_public=True, pace="slow"))
    expect(page.locator("#failure")).to_contain_text("You are logged in as Ines now.")
    expect(page.locator("#open-tables")).not_to_contain_text("Tobias")
