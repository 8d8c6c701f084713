"""Answers that are not from the site, such as error pages of proxies, and updates that did not load."""

import uuid
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from accounts.models import User
from games.models import Game, PrivateNote
from games.services import tables
from games.services.talk import chat
from tests import play
from tests.browser import ways
from tests.browser.conftest import log_in
from tests.browser.states.making import waiting_player
from tests.browser.waits import HEAR_STREAM, PATIENCE, wait_for_stream, wait_for_version

pytestmark = pytest.mark.django_db(transaction=True)

WELCOME = "Welcome on board"
ANSWERS = [
    (200, f"<html><body><h1>{WELCOME}</h1></body></html>"),
    (502, f"<h1>{WELCOME}</h1>"),
    pytest.param(200, f"<p>{WELCOME}</p>", marks=pytest.mark.whole),
    pytest.param(504, f"<html><h1>{WELCOME}</h1></html>", marks=pytest.mark.whole),
]


OpenPage = Callable[[User | None, str], Page]


@pytest.fixture
def open_page(chrome: Browser, server: str) -> Iterator[OpenPage]:
    """A function that opens a path as a user. Errors of its requests don't count, but exceptions do."""
    contexts, exceptions = [], []

    def open_one(user: User | None, path: str) -> Page:
        context = chrome.new_context(base_url=server, reduced_motion="reduce", service_workers="block")
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        if user:
            log_in(context, user, server)
        page = context.new_page()
        page.on("pageerror", lambda error: exceptions.append(str(error)))
        page.add_init_script(HEAR_STREAM)
        page.goto(path)
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert exceptions == []


def fail_once(page: Page, pattern: str) -> None:
    """Answer the next request for this address with an error of a proxy."""
    answer = {"status": 502, "body": "<h1>Bad gateway</h1>", "content_type": "text/html"}
    page.route(pattern, lambda route: route.fulfill(**answer), times=1)


@pytest.mark.parametrize(("status", "body"), ANSWERS)
def test_a_foreign_answer_replaces_nothing_and_loses_nothing_that_was_typed(
    open_page: OpenPage, game: Game, status: int, body: str
) -> None:
    page = open_page(play.mover(game), game.get_absolute_url())
    page.route("**/note/", lambda route: route.fulfill(status=status, body=body, content_type="text/html"))
    page.route("**/play/", lambda route: route.fulfill(status=status, body=body, content_type="text/html"))
    failure = page.locator("#failure")
    page.locator(".note-fold > summary").click()
    page.locator("#note").press_sequentially("Red 3")
    expect(failure).to_contain_text("may not have arrived")
    failure.get_by_role("button", name="Close").click()
    ways.choose(page)
    page.locator(ways.CONFIRM).click()
    expect(failure).to_contain_text("safe to try again")
    expect(page.locator("body")).not_to_contain_text(WELCOME)
    expect(page.locator("#note-state")).to_have_text("Not saved yet.")

    page.unroute("**/play/")
    page.unroute("**/note/")
    page.locator(ways.CONFIRM).click()
    wait_for_version(page, 10)
    expect(failure).to_be_hidden()
    page.locator("#note").press("End")
    page.locator("#note").press_sequentially("!")
    expect(page.locator("#note-state")).to_have_text("Saved.")
    assert PrivateNote.objects.get().text == "Red 3!"


def test_a_move_whose_answer_was_lost_leaves_no_message_when_the_board_shows_it(
    open_page: OpenPage, game: Game
) -> None:
    page = open_page(play.mover(game), game.get_absolute_url())

    def lose_answer(route: Route) -> None:
        route.fetch()
        route.fulfill(status=502, body="", content_type="text/html")

    page.route("**/play/", lose_answer)
    ways.choose(page)
    page.locator(ways.CONFIRM).click()
    expect(page.locator("#game[data-version='10']")).to_have_count(1)
    expect(page.locator("#failure")).to_be_hidden()


def test_the_board_of_a_spectator_that_could_not_be_loaded_is_loaded_soon(
    open_page: OpenPage, game: Game
) -> None:
    page = open_page(None, game.get_absolute_url())
    wait_for_version(page, 9)
    wait_for_stream(page)
    fail_once(page, f"**{game.get_absolute_url()}")
    play.play_one(game)
    expect(page.locator("#game[data-version='10']")).to_have_count(1)
    expect(page.locator("#failure")).to_be_hidden()


def test_lists_and_chat_lines_that_could_not_be_loaded_are_loaded_soon(
    open_page: OpenPage, game: Game
) -> None:
    mover, reader = play.mover(game), waiting_player(game)
    page, home = open_page(reader, game.get_absolute_url()), open_page(None, "/")
    wait_for_stream(page)
    wait_for_stream(home)
    fail_once(page, "**/chat/?line=*")
    fail_once(home, "**/")
    chat.write(game.key, mover, "Your move", uuid.uuid4())
    tables.open_table(mover, tables.TableOptions(3, is_public=True, pace="slow"))
    page.locator("#chat > summary").click()
    expect(page.get_by_role("log")).to_contain_text("Your move")
    expect(home.locator("#open-tables")).to_contain_text(mover.username)
    expect(page.locator("#failure")).to_be_hidden()


def test_a_foreign_404_reloads_no_page(open_page: OpenPage, game: Game) -> None:
    page = open_page(play.mover(game), game.get_absolute_url())
    page.evaluate("window.isFromBefore = true")
    wait_for_stream(page)
    page.route("**/version/**", lambda route: route.fulfill(status=404, body="no route"))
    page.evaluate("window.dispatchEvent(new Event('offline'))")
    expect(page.locator("#live")).to_have_text("Connection lost. Trying again…")
    assert page.evaluate("window.isFromBefore")
