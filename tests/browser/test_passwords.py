"""Passwords can be shown while they are typed."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenBrowser

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_password_is_shown_and_hidden_again_before_it_is_sent(open_browser: OpenBrowser) -> None:
    page = open_browser()
    page.goto("/account/login/")
    field = page.locator("#id_password")
    field.fill("moonlight")
    show = page.get_by_role("button", name="Show password")
    expect(show).to_have_attribute("aria-pressed", "false")
    show.click()
    expect(field).to_have_attribute("type", "text")
    page.locator("#id_login").fill("Nobody")
    page.evaluate("document.addEventListener('submit', (event) => event.preventDefault())")
    field.press("Enter")
    expect(field).to_have_attribute("type", "password")
    expect(page).to_have_url(re.compile("/account/login/$"))
