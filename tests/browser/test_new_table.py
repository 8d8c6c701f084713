"""The form for a new table describes each choice for a seat, and shows one seat for each player."""

import pytest
from playwright.sync_api import Page, expect

from tests import play
from tests.browser.conftest import OpenAs

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def form(open_as: OpenAs) -> Page:
    return open_as(play.person("Ines"), "/new/")


def test_a_text_below_a_seat_describes_its_choice(form: Page) -> None:
    seat = form.locator(".new__second")
    expect(seat).to_contain_text("The game waits until somebody takes this seat.", use_inner_text=True)
    for level, text in (("easy", "makes mistakes as people do"), ("expert", "Hard for anybody to beat")):
        form.get_by_label("Second seat").select_option(level)
        expect(seat).to_contain_text(text, use_inner_text=True)
        expect(seat).not_to_contain_text("waits", use_inner_text=True)


def test_as_many_seats_are_shown_as_there_are_players(form: Page) -> None:
    expect(form.locator(".seats li:visible")).to_have_count(2)
    form.get_by_text("4", exact=True).click()
    expect(form.locator(".seats li:visible")).to_have_count(4)
