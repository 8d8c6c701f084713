"""A button copies the link of an open table."""

import re

import pytest
from playwright.sync_api import expect

from games.services import tables
from tests import play
from tests.browser.conftest import OpenAs
from tests.browser.waits import stop_time

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


def test_a_button_without_text_says_that_it_has_copied_the_link_to_a_moment(open_as: OpenAs) -> None:
    game = play.play_some(play.game_of(play.person("Ines"), play.person("Tobias")), 4)
    permissions = ["clipboard-read", "clipboard-write"]
    page = open_as(play.mover(game), f"{game.get_absolute_url()}?at=2", permissions=permissions)
    button = page.get_by_role("button", name="Copy a link to this moment")
    said = "(button) => getComputedStyle(button, '::after').content"
    assert button.evaluate(said) == "none"
    stop_time(page)
    button.click()
    expect(button).to_have_class(re.compile("is-done"))
    assert button.evaluate(said) == '"Link copied"'
    page.clock.resume()
    expect(page.locator("#announcer")).to_have_text("Link copied")
    assert page.evaluate("navigator.clipboard.readText()").endswith("?at=2")
    expect(button).not_to_have_class(re.compile("is-done"))


def test_a_link_that_the_browser_does_not_copy_is_selected_for_copying_by_hand(open_as: OpenAs) -> None:
    game = play.play_some(play.game_of(play.person("Ines"), play.person("Tobias")), 4)
    page = open_as(play.mover(game), f"{game.get_absolute_url()}?at=2")
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")  # as without https
    page.get_by_role("button", name="Copy a link to this moment").click()
    field = page.get_by_label("Your browser did not copy the link")
    expect(field).to_have_value(re.compile(r"\?at=2$"))
    expect(field).to_be_focused()
    assert page.evaluate("getSelection().toString()") == field.input_value()
    page.get_by_role("button", name="Close").click()
    expect(field).to_be_hidden()


def test_a_button_beside_a_field_says_that_the_browser_did_not_copy_it(open_as: OpenAs) -> None:
    ines = play.person("Ines")
    table = tables.open_table(ines, tables.TableOptions(2))
    page = open_as(ines, table.get_absolute_url())
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('refused')); }")
    page.get_by_role("button", name="Copy the link").click()
    expect(page.get_by_role("button", name="Copy it by hand")).to_be_visible()
    expect(page.locator("#share")).to_be_focused()


def test_without_script_the_link_is_visible(open_as: OpenAs) -> None:
    ines = play.person("Ines")
    table = tables.open_table(ines, tables.TableOptions(2))
    page = open_as(ines, table.get_absolute_url(), java_script_enabled=False)
    expect(page.locator("#share")).to_be_visible()
    expect(page.get_by_role("button", name="Copy the link")).to_have_count(0)
