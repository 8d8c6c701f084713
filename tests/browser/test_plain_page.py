"""The plain page of a title with only rules and words, in two browsers."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect

from games.services import tables
from tests.browser.conftest import OpenAs
from tests.plugins import processes
from tests.titles.plain.pairs_games import game_of_pairs, let_play, position_of, users_of
from tests.titles.site import PAIRS_SETTINGS

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("pairs")]

PHONE, DESKTOP = {"width": 360, "height": 740}, {"width": 1440, "height": 900}


@pytest.fixture(scope="module")
def server(django_db_setup: None) -> Iterator[str]:
    """The URL of a server that offers Pairs too."""
    with processes.asgi_server(DJANGO_SETTINGS_MODULE=PAIRS_SETTINGS) as address:
        yield address


def test_two_people_see_their_own_hands_and_each_others_turns(
    open_as: OpenAs, axe: Callable[..., None]
) -> None:
    game = game_of_pairs()
    users, address = users_of(game), game.get_absolute_url()
    ines = open_as(users[0], address, viewport=PHONE)
    tobias = open_as(users[1], address, viewport=DESKTOP)
    for page in (ines, tobias):
        axe(page)
        expect(page.locator(".plain__items li")).to_have_count(3)
    assert ines.locator(".plain__items").text_content() != tobias.locator(".plain__items").text_content()

    ines.locator(".plain__buttons a").first.focus()
    ines.keyboard.press("Enter")
    expect(ines.locator("#confirm")).to_be_visible()
    axe(ines)
    ines.locator("#confirm").click()
    expect(ines.locator("#prompt-title")).to_have_text("Waiting for Tobias, Halley and Mina")
    expect(tobias.locator("#log")).to_contain_text("Ines has chosen")

    ines.get_by_role("link", name="Plan my turn").click()
    ines.locator("#plan .plain__buttons button").first.click()
    expect(ines.locator(".plan__wishes li")).to_have_count(1)
    axe(ines)
    for seat in (1, 2, 3):
        let_play(game, seat)
    expect(tobias.locator("#log")).to_contain_text("The cards were revealed")
    expect(tobias.locator(".plain__table")).to_be_visible()
    expect(ines.locator(".plan__played")).to_be_visible()
    axe(tobias)


@pytest.mark.parametrize("part", ["", "text/"], ids=["page", "text mode"])
def test_a_table_fits_on_a_small_phone(open_as: OpenAs, part: str) -> None:
    game = game_of_pairs()
    for seat in range(4):
        let_play(game, seat)
    page = open_as(
        users_of(game)[0], f"{game.get_absolute_url()}{part}", viewport={"width": 320, "height": 640}
    )
    table = page.locator("main table").first
    expect(table).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert table.evaluate("table => table.parentElement.scrollWidth - table.parentElement.clientWidth") <= 0


LONG = "W" * 60  # as long as a label may be, without a place to break
SHOW_LONG = "(parts, long) => parts.forEach(part => { part.textContent = long })"
WORDS_OF_A_TITLE = (
    ".plain__part :is(h2, p, li, th, td), .plain__actions h3, .plain__heading, .plain__buttons .btn, "
    ".plain__figures, #prompt-title, #prompt-detail, .plan__wishes span, .log__entry span"
)


@pytest.mark.parametrize("part", ["", "?choice", "?plan=1", "text/"])
def test_long_words_of_a_title_fit_on_a_phone(open_as: OpenAs, part: str) -> None:
    game = game_of_pairs()
    for seat in range(4):
        let_play(game, seat)
    if part == "?choice":
        part = f"?choice=choose+{position_of(game).hands[0][0]}"
    elif part == "?plan=1":
        let_play(game, 0)
    page = open_as(users_of(game)[0], f"{game.get_absolute_url()}{part}", viewport=PHONE)
    page.locator(WORDS_OF_A_TITLE).evaluate_all(SHOW_LONG, LONG)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_a_long_name_of_a_title_fits_on_the_home_page(open_as: OpenAs) -> None:
    game = game_of_pairs()
    ines, *_others = users_of(game)
    tables.open_table(ines, tables.TableOptions(4, title="pairs", is_public=True, pace="slow"))
    page = open_as(ines, "/", viewport={"width": 320, "height": 640})
    expect(page.locator(".badge", has_text="Pairs").first).to_be_visible()
    page.get_by_text("Pairs").evaluate_all(SHOW_LONG, LONG)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
