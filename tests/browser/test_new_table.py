"""The form of a new table tells what sits down on each seat, and shows only the seats that there will be."""

import pytest
from playwright.sync_api import Page, expect

from tests import play
from tests.browser.conftest import log_in
from tests.conftest import OpenBrowser

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def form(open_browser: OpenBrowser, server: str) -> Page:
    page = open_browser()
    log_in(page.context, play.person("Ines"), server)
    page.goto("/new/")
    return page


def test_what_is_chosen_for_a_seat_is_told_below_it(form: Page) -> None:
    seat = form.locator(".new__second")
    expect(seat).to_contain_text("The game waits until somebody takes it.", use_inner_text=True)
    for level, manner in (("easy", "errs like a person"), ("expert", "hard to beat for anybody")):
        form.get_by_label("Second seat").select_option(level)
        expect(seat).to_contain_text(manner, use_inner_text=True)
        expect(seat).not_to_contain_text("waits", use_inner_text=True)


def test_as_many_seats_are_shown_as_there_are_players(form: Page) -> None:
    expect(form.locator(".seats li:visible")).to_have_count(2)
    form.get_by_text("4", exact=True).click()
    expect(form.locator(".seats li:visible")).to_have_count(4)
