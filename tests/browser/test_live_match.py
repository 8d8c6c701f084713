"""The page of a duplicate match follows who joins, the start, and the tables that end, without a reload."""

import re

import pytest
from playwright.sync_api import expect

from games.models import DuplicateMatch, Game
from games.services.tables import duplicates
from tests.browser.conftest import OpenAs, OpenBrowser
from tests.play import person, play_out

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_page_follows_the_match_from_the_first_player_to_the_standings(
    open_as: OpenAs, open_browser: OpenBrowser
) -> None:
    ines, tobias, noor, mina = (person(name) for name in ("Ines", "Tobias", "Noor", "Mina"))
    match = duplicates.open_match(ines, 2, 2, pace="day", is_public=True)
    opener, visitor = open_as(ines, match.get_absolute_url()), open_browser()
    visitor.goto(match.get_absolute_url())
    opener.get_by_role("combobox", name="Level").select_option("hard")
    duplicates.enter(match.key, tobias)
    for page in (opener, visitor):
        expect(page.get_by_role("region", name="Players")).to_contain_text("Tobias")
    expect(opener.locator("#announcer")).to_have_text("2 of 4 players")
    expect(opener.get_by_text("Bots take the 2 seats that are free.")).to_be_visible()
    # What the opener has chosen stays.
    expect(opener.get_by_role("combobox", name="Level")).to_have_value("hard")

    for user in (noor, mina):
        duplicates.enter(match.key, user)
    tables = opener.get_by_role("region", name="Tables")
    expect(tables).to_contain_text("0 of 2 over")
    first, second = Game.objects.order_by("pk")
    play_out(first)
    expect(tables).to_contain_text("1 of 2 over")
    expect(visitor.get_by_role("link", name="Table 1")).to_have_count(0)
    play_out(second)
    for page in (opener, visitor):
        expect(page.get_by_role("region", name="Standings")).to_be_visible()
        expect(page.get_by_role("link", name=re.compile("Table 1"))).to_be_visible()
    assert DuplicateMatch.objects.get().changes == 4 + 1 + 2


def test_the_page_of_a_closed_match_says_that_it_is_gone(open_as: OpenAs) -> None:
    ines, tobias = person("Ines"), person("Tobias")
    match = duplicates.open_match(ines, 2, 2, pace="day", is_public=True)
    page = open_as(tobias, match.get_absolute_url(), allows_refusals=True)
    expect(page.get_by_role("button", name="Join the match")).to_be_visible()
    duplicates.close(match.key, ines)
    expect(page.get_by_role("heading", name="The match does not exist any more")).to_be_visible()
