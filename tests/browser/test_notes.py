"""The private note on an open page: it says whether it is stored, and a new board leaves it alone."""

import pytest
from playwright.sync_api import Route, expect

from games.models import Game, PrivateNote
from tests import play
from tests.browser.conftest import OpenAs
from tests.browser.states.making import waiting_player
from tests.browser.waits import wait_for_version

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_note_stays_when_the_board_changes_and_says_when_it_is_saved(open_as: OpenAs, game: Game) -> None:
    page = open_as(waiting_player(game), game.get_absolute_url())
    held: list[Route] = []
    page.route("**/note/", lambda route: held.append(route))
    page.locator(".note-fold > summary").click()
    note, state = page.locator("#note"), page.locator("#note-state")
    with page.expect_request("**/note/"):
        note.press_sequentially("Keep the red 3")
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
