"""A button copies the link of an open table."""

import pytest
from playwright.sync_api import expect

from games.services import tables
from tests import play
from tests.browser.conftest import OpenAs

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_button_copies_the_link(open_as: OpenAs) -> None:
    ines = play.person("Ines")
    table = tables.open_table(ines, tables.TableOptions(2))
    permissions = ["clipboard-read", "clipboard-write"]
    page = open_as(ines, table.get_absolute_url(), permissions=permissions)
    page.get_by_role("button", name="Copy the link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == page.locator("#share").input_value()
    assert page.locator("#share").input_value().endswith(table.get_absolute_url())


def test_without_script_the_link_is_visible(open_as: OpenAs) -> None:
    ines = play.person("Ines")
    table = tables.open_table(ines, tables.TableOptions(2))
    page = open_as(ines, table.get_absolute_url(), java_script_enabled=False)
    expect(page.locator("#share")).to_be_visible()
    expect(page.get_by_role("button", name="Copy the link")).to_have_count(0)
