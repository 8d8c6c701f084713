"""The lessons on a phone: a wrong answer says why where one looks. The rules: contents stay at hand."""

import re

import pytest
from playwright.sync_api import expect

from games.novaluna.engine import Refill
from games.novaluna.learning.lessons import LESSONS
from tests import play
from tests.browser import ways
from tests.browser.conftest import OpenAs, OpenBrowser
from tests.browser.waits import wait_until_unscrolled

pytestmark = pytest.mark.django_db(transaction=True)

PHONE = {"width": 390, "height": 844}


@pytest.mark.parametrize(
    ("has_script", "size"), [(True, (390, 844)), (True, (320, 568)), (False, (390, 844))]
)
def test_the_reason_for_a_wrong_answer_is_visible_on_a_phone(
    open_browser: OpenBrowser, has_script: bool, size: tuple[int, int]
) -> None:
    viewport = {"width": size[0], "height": size[1]}
    page = open_browser(viewport=viewport, java_script_enabled=has_script, allows_refusals=True)
    page.goto("/learn/")
    ways.tiles(page).last.click()
    ways.cells(page).last.click()
    page.locator(ways.CONFIRM).click()
    expect(page.get_by_role("alert")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("alert")).to_contain_text("place the blue 1 on the marked cell")
    if has_script:
        expect(page.locator(".wheel")).to_be_in_viewport(ratio=1)
        expect(page.locator("html")).not_to_have_class(re.compile("has-low-bar"))
        expect(page.locator("#confirm")).to_be_in_viewport(ratio=1)
    page.locator("#take-B1").click()
    page.locator("#cell-1_0").click()
    page.locator(ways.CONFIRM).click()
    expect(page.get_by_role("heading", name="Time decides who moves")).to_be_in_viewport()


@pytest.mark.parametrize("size", [(390, 844), (320, 640)])
def test_a_phone_shows_what_a_lesson_asks_for_without_scrolling(
    open_browser: OpenBrowser, size: tuple[int, int]
) -> None:
    page = open_browser(viewport={"width": size[0], "height": size[1]})
    for number, lesson in enumerate(LESSONS[:-1], 1):
        page.goto(f"/learn/{number}/")
        parts = [page.get_by_role("heading", name=str(lesson.title)), page.locator("#prompt-title")]
        expect(parts[1]).to_have_text(str(lesson.task))
        if isinstance(lesson.expected, Refill):
            parts.append(page.get_by_role("button", name="Refill"))
        elif not lesson.accepts_any_goal:
            parts += [page.locator(".wheel__space.is-hinted"), page.locator("#display .hinted")]
        for part in (*parts, page.locator(".wheel")):
            expect(part).to_be_in_viewport(ratio=0.99)
        tiles, bar = page.locator("#display .tile"), page.locator("#bar").bounding_box()
        assert bar
        for part in (page.locator(".wheel"), *tiles.all()):
            box = part.bounding_box()
            assert box
            assert box["y"] + box["height"] <= bar["y"]


def test_the_marked_cell_is_in_sight_after_a_tile_is_chosen_on_a_phone(open_browser: OpenBrowser) -> None:
    page = open_browser(viewport=PHONE, has_touch=True, reduced_motion="no-preference")
    page.goto("/learn/1/")
    page.locator(".wheel__space.is-hinted a").tap()
    marked = page.locator("#display .hinted")
    expect(marked).to_be_visible()
    wait_until_unscrolled(page)
    box, bar = marked.bounding_box(), page.locator("#bar").bounding_box()
    assert box is not None
    assert bar is not None
    assert box["y"] > 0
    assert box["y"] + box["height"] <= bar["y"]


def test_the_contents_of_the_rules_stay_at_hand_on_a_phone(open_browser: OpenBrowser) -> None:
    page = open_browser(viewport=PHONE)
    page.goto("/rules/#solo")
    contents = page.get_by_role("navigation", name="Contents")
    expect(contents).not_to_be_in_viewport()
    page.get_by_role("link", name="Contents", exact=True).click()
    expect(contents.get_by_role("link", name="About Nova Luna")).to_be_in_viewport(ratio=1)
    page.get_by_role("searchbox", name="Search").fill("stack")
    expect(page.locator("#found section")).to_have_count(2)
    expect(page.get_by_role("link", name="Contents", exact=True)).to_be_in_viewport(ratio=1)


def test_one_can_go_back_to_an_earlier_lesson_and_act_there(open_browser: OpenBrowser) -> None:
    page = open_browser(viewport=PHONE)
    page.goto("/learn/3/")
    page.get_by_role("link", name="Back").click()
    expect(page.get_by_text("Lesson 2 of")).to_be_visible()
    page.wait_for_load_state()
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url))
    ways.tiles(page).first.click()
    expect(page.locator("#undo")).to_be_visible()
    page.wait_for_timeout(500)
    assert loaded == []


@pytest.mark.parametrize(("width", "height"), [(1024, 768), (834, 1112)])
def test_a_tablet_shows_the_wheel_and_the_marked_cell_of_a_lesson_above_the_bar(
    open_as: OpenAs, width: int, height: int
) -> None:
    page = open_as(play.person("Ines"), "/learn/", viewport={"width": width, "height": height})
    expect(page.locator(".wheel .is-hinted")).to_be_in_viewport(ratio=1)
    expect(page.locator(".wheel")).to_be_in_viewport(ratio=1)
    cell, bar = page.locator("#display .hinted").bounding_box(), page.locator("#bar").bounding_box()
    assert cell
    assert bar
    assert cell["y"] + cell["height"] <= bar["y"]
