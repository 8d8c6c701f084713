"""A person downloads what is stored about them, deletes the account and keeps it, in a browser."""

import zipfile

import pytest
from django.contrib.auth.hashers import make_password
from playwright.sync_api import Page, expect

from accounts.models import User
from games.models import Export
from games.tasks import make_export
from tests.browser.conftest import OpenAs
from tests.play import game_of, person, play_out

pytestmark = pytest.mark.django_db(transaction=True)


def ines_with_password() -> User:
    """Return a person whose password the server of the site can check."""
    ines = person("Ines")
    ines.password = make_password("moon-and-stars-17", hasher="argon2")
    ines.save(update_fields=["password"])
    return ines


def confirm_password(page: Page) -> None:
    page.locator("[name=password]").fill("moon-and-stars-17")
    page.locator("main form button[type=submit]").first.click()


def test_a_person_downloads_everything_about_them(open_as: OpenAs) -> None:
    ines = ines_with_password()
    game = play_out(game_of(ines, person("Tobias")))
    page = open_as(ines, "/account/settings/")
    page.get_by_role("link", name="Download my data").click()
    confirm_password(page)
    page.get_by_role("button", name="Make the file").click()
    expect(page.get_by_text("Your file is being made")).to_be_visible()
    make_export(Export.objects.get(user=ines).pk)
    # The page looks again by itself.
    with page.expect_download() as started:
        page.get_by_role("link", name="Download the file").click()
    with zipfile.ZipFile(started.value.path()) as archive:
        assert "README.txt" in archive.namelist()
        assert game.key in archive.read("records.jsonl").decode()


def test_a_person_deletes_the_account_and_changes_their_mind(open_as: OpenAs) -> None:
    ines = ines_with_password()
    page = open_as(ines, "/account/settings/")
    page.get_by_role("link", name="Delete my account").click()
    confirm_password(page)
    page.locator("[name=username]").fill("Ines")
    page.get_by_role("button", name="Delete account in a week").click()
    expect(page.locator(".message")).to_contain_text("will be deleted in a week")
    page.goto(page.url.rstrip("/") + "/account/login/")
    page.locator("#id_login").fill("Ines")
    confirm_password(page)
    page.get_by_role("button", name="Keep my account").click()
    expect(page.locator(".message")).to_contain_text("Your account is kept")
    assert User.objects.get(pk=ines.pk).removal_due_at is None
