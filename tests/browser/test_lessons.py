"""The lessons on a phone: a wrong answer says why where one looks, and a right one leads to the next."""

import pytest
from playwright.sync_api import expect

from tests.browser import ways
from tests.browser.conftest import OpenBrowser

pytestmark = pytest.mark.django_db(transaction=True)

PHONE = {"width": 390, "height": 844}


@pytest.mark.parametrize("has_script", [True, False])
def test_the_reason_for_a_wrong_answer_is_visible_on_a_phone(
    open_browser: OpenBrowser, has_script: bool
) -> None:
    page = open_browser(viewport=PHONE, java_script_enabled=has_script, allows_refusals=True)
    page.goto("/learn/")
    ways.tiles(page).last.click()
    ways.cells(page).last.click()
    page.locator(ways.CONFIRM).click()
    expect(page.get_by_role("alert")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("alert")).to_contain_text("place the blue 1 on the marked cell")
    page.locator("#take-B1").click()
    page.locator("#cell-1_0").click()
    page.locator(ways.CONFIRM).click()
    expect(page.get_by_role("heading", name="Time decides who moves")).to_be_in_viewport()
