"""Nothing typed or chosen on an open page is lost, and a reader keeps their place, while others play."""

import secrets

import pytest
from django.conf import settings
from playwright.sync_api import Page, Route, expect

from accounts.models import User
from games.models import ChatLine, Game
from games.services import tables
from tests import play
from tests.browser import ways
from tests.browser.conftest import OpenAs, log_in
from tests.browser.states.making import waiting_player
from tests.browser.waits import wait_for_version

pytestmark = pytest.mark.django_db(transaction=True)

# Marks what a reader may be at: the tiles of the displays, the entries of the log, and the players.
MARK = """() => {
    const places = document.querySelectorAll(".game__others li, #display li, #log a, .player, #about, #try");
    places.forEach((place) => { place.textBefore = place.textContent.trim(); });
    window.places = [...places];
    return window.places.length;
}"""
# Returns the texts of marked elements that are not on the page any more.
LOST = "() => window.places.filter((place) => !place.isConnected).map((place) => place.textBefore)"


def test_typed_text_the_caret_and_choices_stay_when_somebody_joins(open_as: OpenAs) -> None:
    ines, tobias = play.person("Ines"), play.person("Tobias")
    table = tables.open_table(ines, tables.TableOptions(4))
    page = open_as(ines, table.get_absolute_url())
    level = page.get_by_label("Level")
    chosen = level.locator("option:not([selected])").last.get_attribute("value")
    level.select_option(chosen)
    who = page.locator("#id_who")
    who.press_sequentially("somebody@exam.org")
    for _key in range(4):
        who.press("ArrowLeft")
    tables.join(table.key, tobias)
    expect(page.get_by_role("region", name="Seats").locator("b")).to_have_text(["Ines", "Tobias"])
    expect(who).to_be_focused()
    page.keyboard.type("ple")
    expect(who).to_have_value("somebody@example.org")
    expect(level).to_have_value(chosen or "")


def test_what_has_not_changed_stays_the_same_element_when_an_opponent_moves(
    open_as: OpenAs, game: Game
) -> None:
    page = open_as(waiting_player(game), game.get_absolute_url())
    page.locator("#about > summary").click()
    assert page.evaluate(MARK) > 15
    entry = page.locator("#log a").nth(2)
    entry.focus()
    for _move in range(3):
        play.play_one(game)
        wait_for_version(page, play.fresh(game).version)
    assert page.evaluate(LOST) == []
    assert page.evaluate("document.activeElement === window.places.find((place) => place.id === 'log-7')")
    expect(page.locator("#about")).to_have_attribute("open", "")


def log_in_elsewhere(page: Page, user: User, server: str) -> None:
    """Do to the cookies of an open page what a log-in in another tab does."""
    log_in(page.context, user, server)
    page.context.add_cookies([{"name": "csrftoken", "value": secrets.token_hex(16), "url": server}])


def test_after_a_log_in_in_another_tab_one_more_press_is_enough(
    open_as: OpenAs, game: Game, server: str
) -> None:
    mover = play.mover(game)
    page = open_as(mover, game.get_absolute_url(), allows_refusals=True)
    failure = page.locator("#failure")
    page.locator("#chat > summary").click()
    line = page.get_by_role("textbox", name="Write to the players")
    line.fill("Your move")
    log_in_elsewhere(page, mover, server)
    line.press("Enter")
    expect(failure).to_contain_text("Please send that again")
    expect(line).to_have_value("Your move")
    line.press("Enter")
    expect(page.get_by_role("log")).to_contain_text("Your move")
    expect(line).to_have_value("")
    expect(failure).to_be_hidden()

    ways.choose(page)
    log_in_elsewhere(page, mover, server)
    page.locator(ways.CONFIRM).click()
    expect(failure).to_be_visible()
    page.locator(ways.CONFIRM).click()
    wait_for_version(page, 10)
    expect(failure).to_be_hidden()

    page.locator("#chat > summary").click()  # In a low window, an open chat takes the place of the note.
    page.locator(".note-fold > summary").click()
    log_in_elsewhere(page, mover, server)
    page.locator("#note").press_sequentially("Keep the red 3")
    expect(failure).to_be_visible()
    page.locator("#note").press("End")
    page.locator("#note").press_sequentially("!")
    expect(page.locator("#note-state")).to_have_text("Saved.")

    for fold in (".note-fold", "#chat"):
        page.locator(f"{fold} > summary").click()
    line.fill("I have the moon")
    log_in_elsewhere(page, waiting_player(game), server)
    line.press("Enter")
    expect(failure).to_contain_text("You are logged in as")
    page.context.clear_cookies(name=settings.SESSION_COOKIE_NAME)
    line.press("Enter")
    expect(failure).to_contain_text("You are logged out")
    expect(line).to_have_value("I have the moon")
    assert ChatLine.objects.count() == 1
    log_in_elsewhere(page, mover, server)
    page.reload()
    page.locator("#chat > summary").click()
    expect(line).to_have_value("I have the moon")


def test_a_second_line_typed_while_the_first_is_on_its_way_stays(open_as: OpenAs, game: Game) -> None:
    page = open_as(play.mover(game), game.get_absolute_url())
    held: list[Route] = []
    page.route("**/chat/", lambda route: held.append(route))
    page.locator("#chat > summary").click()
    line = page.get_by_role("textbox", name="Write to the players")
    line.fill("Your move")
    with page.expect_request("**/chat/"):
        line.press("Enter")
    line.fill("I have the moon")
    line.press("ArrowLeft")
    held[0].continue_()
    expect(page.get_by_role("log")).to_contain_text("Your move")
    expect(line).to_have_value("I have the moon")
    expect(line).to_be_focused()
    page.keyboard.type("s")
    page.unroute("**/chat/")
    line.press("Enter")
    expect(page.get_by_role("log")).to_contain_text("I have the moosn")
    expect(line).to_have_value("")
    page.reload()
    page.locator("#chat > summary").click()
    expect(line).to_have_value("")
    assert page.evaluate("Object.keys(localStorage)") == []


def test_what_a_server_before_the_site_answers_replaces_nothing(open_as: OpenAs, game: Game) -> None:
    page = open_as(play.mover(game), game.get_absolute_url(), allows_refusals=True)
    answers = [(413, "Too large"), (429, "<html><h1>Busy</h1>"), (403, "")]

    def answer(route: Route) -> None:
        status, body = answers.pop()
        route.fulfill(status=status, body=body, content_type="text/html")

    page.route("**/chat/", answer)
    page.locator("#chat > summary").click()
    line = page.get_by_role("textbox", name="Write to the players")
    line.fill("Your move")
    while answers:
        line.press("Enter")
        expect(page.locator("#failure")).to_contain_text("may not have arrived")
        expect(line).to_have_value("Your move")
        page.locator("#failure").get_by_role("button", name="Close").click()
        expect(page.locator("#failure")).to_be_hidden()
