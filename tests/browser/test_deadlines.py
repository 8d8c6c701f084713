"""A page keeps the time that is left up to date, in the words of the server, without a reload."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Route, expect

from games.services import tables
from tests import play
from tests.browser.conftest import OpenAs
from tests.browser.waits import wait_for_server_time

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_time_that_is_left_is_shown_on_the_page_and_in_the_tab(open_as: OpenAs) -> None:
    table = tables.open_table(play.person("Ines"), tables.TableOptions(2, is_public=True, pace="day"))
    tables.join(table.key, play.person("Tobias"))
    page = open_as(play.mover(table), table.get_absolute_url())
    page.clock.install()
    page.reload()
    wait_for_server_time(page)
    left = page.locator(".turn [data-rest]")
    for wait, words in ((None, "24 hours"), ("04:00:00", "20 hours"), ("18:30:00", r"(?:8\d|90) minutes")):
        if wait is not None:
            page.clock.fast_forward(wait)
        expect(left).to_have_text(re.compile(f"^{words} left$"))
        expect(page).to_have_title(re.compile(f"^Your turn · {words} left · "))
    page.clock.fast_forward("02:00:00")
    expect(left).to_have_text("clock has run out")


def test_the_clock_of_the_device_does_not_matter(open_as: OpenAs) -> None:
    table = tables.open_table(play.person("Ines"), tables.TableOptions(2, is_public=True, pace="day"))
    tables.join(table.key, play.person("Tobias"))
    page = open_as(play.mover(table), "/")

    def show(path: str) -> None:
        play.move_deadline(table, timezone.now() + timedelta(minutes=8, seconds=25))
        page.goto(path)

    def check(*, in_title: bool) -> None:
        rest = page.locator("[data-rest]:visible").first
        rest.evaluate("(rest) => { rest.textContent = ''; }")  # The script writes it within a second.
        expect(rest).to_have_text("8 minutes left")
        if in_title:
            expect(page).to_have_title(re.compile("8 minutes left"))

    for wrong in (timedelta(hours=2), timedelta(hours=-2), timedelta(minutes=6)):
        page.clock.set_fixed_time(timezone.now() + wrong)
        show("/")
        check(in_title=False)
    show(table.get_absolute_url())
    check(in_title=True)
    # The clock is changed while the page is open.
    page.clock.set_system_time(timezone.now() - timedelta(days=1))
    check(in_title=True)
    # The device sleeps, and its counter stands still meanwhile. When it wakes up, the page asks the server.
    page.evaluate("performance.now = ((now) => () => now() - 43_200_000)(performance.now.bind(performance))")
    expect(page.locator(".turn [data-rest]")).to_have_text("12 hours left")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator(".turn [data-rest]")).to_have_text("8 minutes left")


def test_a_page_whose_question_for_the_time_is_lost_asks_again(open_as: OpenAs) -> None:
    table = tables.open_table(play.person("Ines"), tables.TableOptions(2, is_public=True, pace="day"))
    tables.join(table.key, play.person("Tobias"))
    page = open_as(play.mover(table), "/rules/")
    page.clock.install()
    asked: list[Route] = []

    def answer(route: Route) -> None:
        asked.append(route)
        if len(asked) == 2:
            route.fulfill(status=200, headers={"Date": "Sat, 01 Jan 2000 00:00:00 GMT"})
        elif len(asked) > 2:
            route.continue_()

    page.route("**/updates/", answer)
    with page.expect_request("**/updates/"):
        page.goto(table.get_absolute_url())
    for _further in range(2):
        with page.expect_request("**/updates/"):
            page.clock.run_for(50_000)
    wait_for_server_time(page)
    expect(page.locator(".turn [data-rest]")).to_have_text("24 hours left")
