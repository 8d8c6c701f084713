"""The chart of a review by hand: arrow keys, touch, and the way to the board and back to the same point."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Show
from tests.browser.states import STATES

pytestmark = pytest.mark.django_db(transaction=True)

LOW = {"width": 844, "height": 390}  # There, a review has no board on its page.


def test_arrow_keys_go_from_point_to_point_and_enter_opens_the_board(show: Show) -> None:
    page = show(STATES["review-of-two"](), viewport=LOW)
    points = page.locator("#review .point")
    points.nth(4).focus()
    page.keyboard.press("ArrowRight")
    expect(points.nth(5)).to_be_focused()
    expect(points.nth(5).locator(".point__about")).to_have_css("clip-path", "none")
    number = (points.nth(5).get_attribute("id") or "").removeprefix("point-")
    page.keyboard.press("Enter")
    expect(page.locator("#prompt-title")).to_contain_text(f"ction {number}")
    page.wait_for_load_state()  # Until its script has come, a link leads there by another address.
    page.locator(".bar__steps [data-step=next]").click()
    later = str(int(number) + 1)
    expect(page.locator("#prompt-title")).to_contain_text(f"ction {later}")
    expect(page).to_have_url(re.compile(rf"review=point&at={later}$"))
    page.get_by_role("link", name="Back to the review").click()
    expect(page.locator(f"#point-{later}")).to_be_in_viewport()


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1024, 768)])
def test_chart_board_and_judged_actions_are_in_one_window(show: Show, width: int, height: int) -> None:
    page = show(STATES["review-of-two"](), viewport={"width": width, "height": height})
    first = page.locator("#log .is-key").first
    expect(first).to_have_attribute("aria-current", "true")
    parts = [page.locator(part) for part in (".strip .chart__field", "#display", ".wheel", "#log", "#bar")]
    for part in parts:
        expect(part).to_be_in_viewport(ratio=0.99)
    page.locator(".strip .point").nth(11).click()
    expect(page.locator("#prompt-title")).to_contain_text("ction 12")
    expect(page.locator("#log-12")).to_have_attribute("aria-current", "true")
    expect(page.locator("#log-12")).to_be_in_viewport(ratio=0.9)
    page.locator("#log-13").click()
    expect(page.locator("#prompt-title")).to_contain_text("ction 13")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#prompt-title")).to_contain_text("ction 14")
    expect(page.locator("#log [aria-current]")).to_have_attribute("id", "log-14")
    expect(page).to_have_url(re.compile(r"/review/\?at=14$"))
    for part in parts:
        expect(part).to_be_in_viewport(ratio=0.99)
    page.keyboard.press("End")
    last = page.locator("#log .judged").last
    expect(last).to_have_attribute("aria-current", "true")
    page.reload()
    expect(last).to_have_attribute("aria-current", "true")
    article = page.locator("article.key").last
    expect(article.locator("svg").last).to_be_hidden()
    article.get_by_role("link", name="Show on the board").click()
    expect(page.locator("#log [aria-current]")).to_have_class(re.compile("is-key"))
    expect(page.locator("#bar")).to_be_focused()
    for part in parts:
        expect(part).to_be_in_viewport(ratio=0.99)


@pytest.mark.parametrize(("width", "height"), [(834, 1112), (390, 844), (320, 568)])
def test_a_tablet_and_phones_have_chart_board_and_steps_in_one_window(
    show: Show, width: int, height: int
) -> None:
    page = show(STATES["review-of-two"](), viewport={"width": width, "height": height}, has_touch=True)
    field, title = page.locator(".strip .chart__field"), page.locator("#prompt-title")
    parts = [
        field,
        *(page.locator(part) for part in ("#display .is-newest", ".wheel", ".game__others", "#bar")),
    ]
    for part in parts:
        expect(part).to_be_in_viewport(ratio=0.99)
    keys = page.locator(".strip__key")
    for target in (*keys.all(), page.locator("#next-mistake")):
        box = target.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 44
    keys.nth(1).tap()
    number = (keys.nth(1).get_attribute("id") or "").removeprefix("strip-")
    expect(title).to_contain_text(f"Action {number} lost")
    page.keyboard.press(",")
    expect(title).not_to_contain_text(f"Action {number} lost")
    expect(title).to_contain_text("lost")
    page.locator("#next-mistake").tap()
    expect(title).to_contain_text(f"Action {number} lost")
    box, last = field.bounding_box(), int(page.locator("#at-bar").get_attribute("max") or 0)
    assert box
    y = box["y"] + box["height"] / 2
    touch = page.context.new_cdp_session(page)

    def send(kind: str, *xs: float) -> None:
        points = [{"x": x, "y": y} for x in xs]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    send("touchStart", box["x"] + box["width"] / 2)
    send("touchMove", box["x"] + box["width"] * 0.7)
    send("touchMove", box["x"] + box["width"])
    expect(title).to_contain_text(f"ction {last}")
    expect(page.locator(".strip__here")).to_have_attribute("d", "M100 0V100")
    send("touchEnd")
    for part in parts:
        expect(part).to_be_in_viewport(ratio=0.99)
    article = page.locator("article.key").first
    article.get_by_role("link", name="Show on the board").tap()
    expect(page.locator("#bar")).to_be_focused()
    for part in parts:
        expect(part).to_be_in_viewport(ratio=0.99)


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1024, 768), (390, 844), (320, 568)])
def test_beside_the_board_a_point_says_its_action_on_hover_and_focus_and_arrow_keys_step(
    show: Show, width: int, height: int
) -> None:
    page = show(STATES["review-of-two"](), viewport={"width": width, "height": height})
    points = page.locator(".strip .point")
    stop = page.locator('.strip .point[tabindex="0"]')
    expect(stop).to_have_count(1)
    page.locator(".strip__key").first.focus()
    page.keyboard.press("Shift+Tab")
    expect(stop).to_be_focused()
    number = int(re.search(r"at=(\d+)", stop.get_attribute("href") or "")[1])  # type: ignore[index]
    expect(page.locator("#game")).to_have_attribute("data-shown", str(number))
    expect(stop.locator(".point__about")).to_have_css("clip-path", "none")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    later = points.nth(number + 1)
    expect(later).to_be_focused()
    about = later.locator(".point__about")
    expect(about).to_have_css("clip-path", "none")
    expect(about).to_contain_text(f"Action {number + 2}")
    expect(about).to_be_in_viewport(ratio=1)
    expect(page.locator("#game")).to_have_attribute("data-shown", str(number + 2))
    expect(later).to_be_focused()
    expect(later).to_have_attribute("tabindex", "0")
    first = points.first
    first.hover()
    expect(first.locator(".point__about")).to_have_css("clip-path", "none")
    expect(about).not_to_have_css("clip-path", "none")
    expect(first.locator(".point__about")).to_be_in_viewport(ratio=1)
    page.keyboard.press("End")
    expect(points.last).to_be_focused()
    expect(page.get_by_role("link", name="No later mistake")).to_have_attribute("aria-disabled", "true")
    page.keyboard.press(".")
    expect(page.locator("#announcer")).to_contain_text("No later mistake")


def test_the_strip_of_a_key_action_shows_it_on_hover(show: Show) -> None:
    page = show(STATES["review-of-two"](), viewport=LOW)
    key = page.locator("#review .point.is-key").first
    box = key.bounding_box()
    assert box
    mark = key.locator(".mark").bounding_box()
    assert mark
    above = mark["y"] - box["y"] > box["y"] + box["height"] - mark["y"] - mark["height"]
    y = box["y"] + 4 if above else box["y"] + box["height"] - 4
    page.mouse.move(box["x"] + box["width"] / 2, y)
    expect(key.locator(".point__about")).to_have_css("clip-path", "none")
    expect(key.locator(".mark")).not_to_have_css("box-shadow", "none")


def test_a_first_touch_shows_an_action_and_a_second_opens_it(show: Show) -> None:
    page = show(STATES["review-of-two"](), viewport=LOW, has_touch=True)
    field = page.locator("#review .chart__field").bounding_box()
    assert field
    place = (field["x"] + field["width"] / 3, field["y"] + 12)
    page.touchscreen.tap(*place)
    about = page.locator(".point:focus .point__about")
    expect(about).to_have_css("clip-path", "none")
    expect(page).to_have_url(re.compile("/review/$"))
    link = about.get_by_text("Show on the board")
    expect(link).to_be_visible()
    box = link.bounding_box()
    assert box
    page.touchscreen.tap(box["x"] + 20, box["y"] + box["height"] / 2)
    expect(page).to_have_url(re.compile(r"\?at=\d+&review=point$"))
    page.go_back()
    page.wait_for_url(re.compile("/review/"))
    page.evaluate("document.activeElement.blur()")
    page.touchscreen.tap(*place)
    page.touchscreen.tap(*place)
    expect(page).to_have_url(re.compile(r"\?at=\d+&review=point$"))


def test_phones_fold_the_table_and_each_row_opens_its_position(show: Show) -> None:
    page = show(STATES["review-of-two"](), viewport={"width": 390, "height": 844})
    last = page.locator("tbody tr").last
    expect(last).to_be_hidden()
    page.get_by_text(re.compile("Show all .* actions")).click()
    expect(last).to_be_visible()
    page.reload()
    page.set_viewport_size({"width": 1000, "height": 900})
    expect(last).to_be_visible()
    expect(page.get_by_text(re.compile("Show all .* actions"))).to_be_hidden()
    last.locator("td").nth(1).click(force=True)  # The link of the number covers the row.
    expect(page).to_have_url(re.compile(r"\?at=\d+"))
    expect(page.locator("#display")).to_be_in_viewport()
