"""Nothing typed or chosen on an open page is lost, and a reader keeps their place, while others play."""

import pytest
from playwright.sync_api import expect

from games.models import Game
from games.services import tables
from tests import play
from tests.browser.conftest import OpenAs
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
    table = tables.open_table(ines, 4, (), beginner=False, is_public=False)
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
