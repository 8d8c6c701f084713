"""A page keeps the time that is left up to date, in the words of the server, without a reload."""

import re

import pytest
from playwright.sync_api import expect

from games.services import tables
from tests import play
from tests.browser.conftest import OpenAs

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_time_that_is_left_is_shown_on_the_page_and_in_the_tab(open_as: OpenAs) -> None:
    table = tables.open_table(play.person("Ines"), 2, (), beginner=False, is_public=True, pace="day")
    tables.join(table.key, play.person("Tobias"))
    page = open_as(play.mover(table), table.get_absolute_url())
    page.clock.install()
    page.reload()
    left = page.locator(".turn [data-rest]")
    for wait, words in ((None, "24 hours"), ("04:00:00", "20 hours"), ("18:30:00", r"(?:8\d|90) minutes")):
        if wait is not None:
            page.clock.fast_forward(wait)
        expect(left).to_have_text(re.compile(f"^{words} left$"))
        expect(page).to_have_title(re.compile(f"^Your turn · {words} left · "))
    page.clock.fast_forward("02:00:00")
    expect(left).to_have_text("clock has run out")
