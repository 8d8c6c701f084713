"""The form for a new game describes the chosen level, and shows only what matters for the answers."""

import pytest
from playwright.sync_api import Page, expect

from tests import play
from tests.browser.conftest import OpenAs

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def form(open_as: OpenAs) -> Page:
    return open_as(play.person("Ines"), "/new/")


def test_a_text_below_the_level_describes_it(form: Page) -> None:
    below = form.locator(".level p")
    expect(below).to_have_text(
        "Sees the obvious goals, and makes mistakes as people do.", use_inner_text=True
    )
    form.get_by_label("Level of the bots").select_option("expert")
    expect(below).to_have_text(
        "Thinks longest about each turn. Hard for anybody to beat.", use_inner_text=True
    )


def test_the_form_shows_only_what_matters(form: Page) -> None:
    level, listed = form.get_by_label("Level of the bots"), form.get_by_label("List this table")
    short = form.get_by_label("Beginner's length")
    expect(level).to_be_visible()
    expect(listed.or_(short)).to_have_count(2)
    for field in (listed, short):
        expect(field).not_to_be_visible()
    third = form.get_by_label("Level of bot 3")
    expect(third).not_to_be_visible()
    form.get_by_text("4", exact=True).click()
    expect(third).to_be_visible()
    expect(short).to_be_checked()
    expect(short).to_be_visible()
    form.get_by_text("People", exact=True).click()
    expect(level).not_to_be_visible()
    expect(listed).to_be_visible()
    form.get_by_role("button", name="Open the table", exact=True).click()
    expect(form.get_by_role("button", name="Fill 3 free seats with bots")).to_be_visible()
