"""The plain page of a title with only rules and words, in two browsers."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenAs
from tests.plugins import processes
from tests.titles.plain.pairs_games import game_of_pairs, let_play, users_of
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
