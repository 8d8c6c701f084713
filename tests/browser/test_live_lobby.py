"""The home page and the badge follow what happens elsewhere, without a reload."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from games.models import Game
from games.services import invitations, tables
from tests import play
from tests.browser.conftest import OpenAs, OpenBrowser
from tests.play import mover, person, play_one

pytestmark = pytest.mark.django_db(transaction=True)

TURN_ICON = re.compile(r"/favicon-turn\.")
PLAIN_ICON = re.compile(r"/favicon\.")


def forbid_polls(page: Page) -> None:
    """Abort the requests of pages without a stream. A test in which a page sends one fails.

    HEAD asks only for the time.
    """

    def abort(route: Route) -> None:
        route.fallback() if route.request.method == "HEAD" else route.abort()

    page.context.route(re.compile(r"/(updates|version)/(\?|$)"), abort)


def expect_badge(page: Page, turns: int) -> None:
    """Expect this number of waiting games beside the link, in the title and in the icon of a page."""
    badge = page.locator("#turns")
    if turns:
        expect(badge.locator("b")).to_have_text(str(turns))
        expect(badge).to_be_visible()
    else:
        expect(badge).to_be_hidden()
    expect(page).to_have_title(re.compile(rf"^\({turns}\) " if turns else r"^[^(]"))
    expect(page.locator("#icon")).to_have_attribute("href", TURN_ICON if turns else PLAIN_ICON)


def test_lists_and_badges_follow_a_table_from_its_opening_into_the_game(
    open_as: OpenAs, open_browser: OpenBrowser
) -> None:
    ines, tobias, noor = (person(name) for name in ("Ines", "Tobias", "Noor"))
    home, landing = open_as(ines, "/"), open_browser()
    landing.goto("/")
    rules = home.context.new_page()
    rules.goto("/rules/")
    for page in (home, landing):
        forbid_polls(page)
    lists, visible = home.locator("#lists"), landing.locator("#open-tables")
    number = home.get_by_role("group", name="Players").get_by_text("3")
    number.click()

    table = tables.open_table(tobias, tables.TableOptions(3, is_public=True, pace="slow"))
    expect(lists.get_by_role("button", name="Join the table of Tobias")).to_be_visible()
    expect(visible).to_contain_text("Tobias")
    lists.get_by_role("button", name="Join the table of Tobias").focus()
    tables.join(table.key, noor)
    joining = lists.get_by_role("button", name="Join the table of Tobias and Noor")
    expect(joining).to_be_focused()
    # The form for a new table is not replaced.
    expect(home.get_by_role("radio", name="3")).to_be_checked()

    tables.join(table.key, ines)
    expect(visible).not_to_contain_text("Tobias")
    while mover(table) != ines:
        play_one(table)
    expect(lists.get_by_role("region", name="Your turn")).to_contain_text("Tobias")
    expect(home.locator("#announcer")).to_have_text(re.compile("One game is waiting for your move"))
    expect_badge(home, 1)
    expect_badge(rules, 1)

    while mover(table) == ines:
        play_one(table)
    expect(lists.get_by_role("region", name="Waiting for others")).to_contain_text("Tobias")
    expect_badge(home, 0)
    expect_badge(rules, 0)


def test_streams_show_an_invitation_a_join_a_start_and_a_move(open_as: OpenAs) -> None:
    ines, tobias, noor = (person(name) for name in ("Ines", "Tobias", "Noor"))
    home = open_as(noor, "/")
    forbid_polls(home)
    invited = home.locator("#lists").get_by_role("region", name="Invitations")
    expect(invited).to_have_count(0)
    table = tables.open_table(ines, tables.TableOptions(3))
    invitations.invite(table.key, ines, noor)
    expect(invited).to_contain_text("Ines")
    expect(home.locator("#announcer")).to_have_text("You have an invitation.")

    page = open_as(ines, table.get_absolute_url())
    forbid_polls(page)
    seats = page.get_by_role("region", name="Seats")
    expect(seats).to_contain_text("Kept for Noor")
    tables.join(table.key, noor)
    expect(seats.locator("b")).to_have_text(["Ines", "Noor"])
    tables.join(table.key, tobias)
    game = page.locator("#game")
    expect(game).to_have_attribute("data-version", "0")
    play_one(table)
    expect(game).to_have_attribute("data-version", "1")


def test_the_badge_on_the_page_of_a_game_follows_other_games(open_as: OpenAs) -> None:
    ines, tobias = person("Ines"), person("Tobias")
    first, second = (tables.open_table(ines, tables.TableOptions(2)) for _table in range(2))
    tables.join(first.key, tobias)
    while mover(first) == ines:
        play_one(first)
    page = open_as(ines, first.get_absolute_url())
    expect(page.locator("#turns")).to_be_hidden()
    title = page.title()
    tables.join(second.key, tobias)
    while mover(second) != ines:
        play_one(second)
    expect(page.locator("#turns b")).to_have_text("1")
    expect(page).to_have_title(title)


def test_a_page_without_a_stream_asks_when_it_is_visible_again(open_as: OpenAs) -> None:
    ines, tobias = person("Ines"), person("Tobias")
    table = tables.open_table(ines, tables.TableOptions(2))
    page = open_as(ines, "/learn/")
    page.route("**/updates/stream/**", lambda route: route.fulfill(status=204))
    with page.expect_response("**/updates/?*"):
        page.goto("/rules/")
    expect_badge(page, 0)
    tables.join(table.key, tobias)
    while mover(table) != ines:
        play_one(table)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect_badge(page, 1)


def test_games_to_watch_keep_their_places_on_an_open_page(open_as: OpenAs) -> None:
    for names in (("Ines", "Tobias"), ("Mina", "Kenji")):
        play.game_of(*map(play.person, names))
    page = open_as(play.person("Noor"), "/watch/")
    cards = page.locator("#watched .watched__game")
    before = [card.get_attribute("id") for card in cards.all()]
    last = Game.objects.get(key=str(before[-1]).removeprefix("watched-"))
    play.play_one(last)
    page.evaluate("""() => {
        htmx.ajax("GET", "/watch/", { source: "#watched", target: "#watched", swap: "morph:innerHTML" });
    }""")
    expect(cards.last).to_contain_text("action 1")
    assert [card.get_attribute("id") for card in cards.all()] == before
    page.reload()
    assert [card.get_attribute("id") for card in cards.all()] == before[::-1]
