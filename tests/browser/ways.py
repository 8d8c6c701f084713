"""Ways to take a turn on the game page, as different people do."""

from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

Way = Callable[[Page], None]

CONFIRM = "#confirm[type=submit]"


def by_mouse(page: Page) -> None:
    """Click a tile, the cell that promises most, and Confirm."""
    if not can_take(page):
        return refill(page).click()
    tiles(page).first.click()
    promising(page).click()
    return page.locator(CONFIRM).click()


def by_dragging(page: Page) -> None:
    """Drag a tile from the wheel to a cell."""
    if not can_take(page):
        return refill(page).click()
    drag(page, tiles(page).last, lambda: cells(page).first)
    return page.locator(CONFIRM).click()


def by_touch(page: Page) -> None:
    """Tap a tile, a cell and Confirm."""
    if not can_take(page):
        return refill(page).tap()
    tiles(page).first.tap()
    promising(page).tap()
    return page.locator(CONFIRM).tap()


def by_keyboard(page: Page) -> None:
    """Go to a tile by Tab, choose tile and cell by arrows and Enter, and confirm where the focus has come."""
    reaches = tiles(page) if can_take(page) else refill(page)
    tab_to(page, reaches.first)
    page.keyboard.press("Enter")
    if page.locator("#undo:visible").count():
        expect(page.locator("#display .cell:focus")).to_have_count(1)
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        expect(page.locator(f"{CONFIRM}:focus")).to_have_count(1)
        page.keyboard.press("Enter")


def by_single_keys(page: Page) -> None:
    """Choose a tile by its number and confirm by C."""
    page.keyboard.press("1" if can_take(page) else "r")
    if can_take(page):
        page.keyboard.press("Enter")
        page.keyboard.press("c")
    else:
        page.keyboard.press("Enter")


def without_script(page: Page) -> None:
    """Follow the links of a tile and a cell, and post the form."""
    if not can_take(page):
        return refill(page).click()
    tiles(page).last.click()
    expect(page.locator("#display .cell").first).to_be_visible()
    cells(page).last.click()
    return page.locator(CONFIRM).click()


def in_text(page: Page) -> None:
    """Follow the text mode's links: the first tile, the cell that covers most, Confirm."""
    tile = page.locator(".move .options a").first
    if not tile.count():
        return page.get_by_role("button", name="Refill").click()
    tile.click()
    expect(page.get_by_role("heading", name="choose a cell")).to_be_visible()
    page.locator(".move .options a").first.click()
    return page.get_by_role("button", name="Confirm").click()


def tiles(page: Page) -> Locator:
    """The tiles in reach."""
    return page.locator("#game [data-tile]")


def cells(page: Page) -> Locator:
    """The cells where the chosen tile may go."""
    return page.locator("#display .cell:visible")


def refill(page: Page) -> Locator:
    return page.locator("#refill:not([aria-disabled])")


def can_take(page: Page) -> bool:
    return tiles(page).count() > 0


def promising(page: Page) -> Locator:
    """A cell where the chosen tile covers a goal, or else any."""
    gaining = cells(page).filter(has_text="+")
    return (gaining if gaining.count() else cells(page)).first


def drag(page: Page, tile: Locator, to: Callable[[], Locator]) -> None:
    """Drag a tile to the middle of what is there once the drag has begun."""
    x, y = middle(tile)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 12, y + 12, steps=3)
    page.mouse.move(*middle(to()), steps=5)
    page.mouse.up()


def middle(target: Locator) -> tuple[float, float]:
    box = target.bounding_box()
    assert box is not None, "it is not to be seen"
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def tab_to(page: Page, target: Locator) -> None:
    """Press Tab until the focus is there, from wherever it is."""
    wanted = target.get_attribute("id")
    for _press in range(80):
        if page.evaluate("document.activeElement.id") == wanted:
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {wanted}")
