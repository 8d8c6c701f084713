"""The private note on an open page: it says whether it is stored, and a new board leaves it alone."""

import pytest
from playwright.sync_api import Route, expect

from games.models import Game, PrivateNote
from games.services.private.notes import keep_note
from tests import play
from tests.browser.conftest import OpenAs
from tests.browser.states.making import waiting_player
from tests.browser.waits import wait_for_version
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_note_stays_when_the_board_changes_and_says_when_it_is_saved(open_as: OpenAs, game: Game) -> None:
    page = open_as(waiting_player(game), game.get_absolute_url())
    held: list[Route] = []
    page.route("**/note/", lambda route: held.append(route))
    page.locator(".note-fold > summary").click()
    note, state = page.locator("#note"), page.locator("#note-state")
    with page.expect_request("**/note/"):
        note.fill("Keep the red 3")  # Keys could take longer than the pause before the page saves.
    expect(state).to_have_text("Not saved yet.")
    play.play_one(game)
    wait_for_version(page, play.fresh(game).version)
    expect(note).to_have_value("Keep the red 3")
    assert not PrivateNote.objects.exists()
    for route in held:
        route.continue_()
    expect(state).to_have_text("Saved.")
    assert PrivateNote.objects.get().text == "Keep the red 3"
    page.reload()
    expect(note).to_have_value("Keep the red 3")


def test_a_note_is_not_in_conflict_with_what_its_own_page_has_sent(open_as: OpenAs, game: Game) -> None:
    """The site stores no spaces at the ends of a text, and a page that is left gets no answer."""
    user = waiting_player(game)
    page = open_as(user, game.get_absolute_url(), allows_refusals=True)
    note, state = page.locator("#note"), page.locator("#note-state")
    page.locator(".note-fold > summary").click()
    stored: list[Route] = []

    def store(route: Route) -> None:
        route.fetch()
        stored.append(route)

    page.route("**/note/", store, times=1)
    note.fill("Keep the ")
    wait_until(lambda: stored, "the note to be stored", meanwhile=lambda: page.wait_for_timeout(10))
    note.press_sequentially("red 3")
    page.reload()
    page.locator(".note-fold > summary").click()
    expect(note).to_have_value("Keep the red 3")
    expect(page.locator(".draft")).to_have_count(0)
    wait_until(lambda: PrivateNote.objects.get().text == "Keep the red 3", "the note to be saved")
    note.press("End")
    note.press("Backspace")
    note.press_sequentially("4")
    expect(state).to_have_text("Saved.")
    assert PrivateNote.objects.get().text == "Keep the red 4"

    def lose(route: Route) -> None:
        route.fetch()
        route.fulfill(status=429)

    page.route("**/note/", lose, times=1)
    with page.expect_response("**/note/"):
        note.press_sequentially("4")
    assert PrivateNote.objects.get().text == "Keep the red 44"
    note.press("Backspace")
    note.press_sequentially("2")
    expect(state).to_have_text("Saved.")
    assert PrivateNote.objects.get().text == "Keep the red 42"

    keep_note(game.key, user, "Take the blue 2")
    note.press_sequentially("!")
    expect(state).to_contain_text("Take the blue 2")
    note.blur()
    expect(state).to_contain_text("Take the blue 2")
    state.get_by_role("button").click()
    expect(state).to_have_text("Saved.")
    assert PrivateNote.objects.get().text == "Keep the red 42!"
