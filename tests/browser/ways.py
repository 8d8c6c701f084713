"""Ways to take a turn on the game page: by mouse, touch, keyboard, without JavaScript, in text mode."""

from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

Way = Callable[[Page], None]

CONFIRM = "#confirm[type=submit]"


def by_mouse(page: Page) -> None:
    """Click a tile, a cell and Confirm."""
    if not can_place(page):
        return refill(page).click()
    tiles(page).first.click()
    best_cell(page).click()
    return page.locator(CONFIRM).click()


def by_dragging(page: Page) -> None:
    """Drag a tile from the wheel to a cell."""
    if not can_place(page):
        return refill(page).click()
    drag(page, tiles(page).last, lambda: cells(page).first)
    return page.locator(CONFIRM).click()


def by_touch(page: Page) -> None:
    """Tap a tile, a cell and Confirm."""
    if not can_place(page):
        return refill(page).tap()
    tiles(page).first.tap()
    best_cell(page).tap()
    return page.locator(CONFIRM).tap()


def by_keyboard(page: Page) -> None:
    """Tab to a tile, choose tile and cell by Enter and arrows, and confirm by Enter."""
    first_target = tiles(page).first if can_place(page) else refill(page)
    tab_to(page, first_target)
    page.keyboard.press("Enter")
    if page.locator("#undo:visible").count():
        expect(page.locator("#display .cell:focus")).to_have_count(1)
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        expect(page.locator(f"{CONFIRM}:focus")).to_have_count(1)
        page.keyboard.press("Enter")


def by_single_keys(page: Page) -> None:
    """Choose a tile by its number, a cell by Enter, and confirm by C."""
    page.keyboard.press("1" if can_place(page) else "r")
    if can_place(page):
        page.keyboard.press("Enter")
        page.keyboard.press("c")
    else:
        page.keyboard.press("Enter")


def without_script(page: Page) -> None:
    """Follow the links of a tile and a cell, and submit the form."""
    if not can_place(page):
        return refill(page).click()
    tiles(page).last.click()
    expect(page.locator("#display .cell").first).to_be_visible()
    cells(page).last.click()
    return page.locator(CONFIRM).click()


def in_text(page: Page) -> None:
    """Follow the links of text mode: the first tile, the first cell, which covers most goals, and Confirm."""
    tile = page.locator(".move .options a").first
    if not tile.count():
        return page.get_by_role("button", name="Refill").click()
    tile.click()
    expect(page.get_by_role("heading", name="choose a cell")).to_be_visible()
    page.locator(".move .options a").first.click()
    return page.get_by_role("button", name="Confirm").click()


def tiles(page: Page) -> Locator:
    """Return the tiles in reach."""
    return page.locator("#game [data-tile]")


def cells(page: Page) -> Locator:
    """Return the cells where the chosen tile may go."""
    return page.locator("#display .cell:visible")


def refill(page: Page) -> Locator:
    return page.locator("#refill:not([aria-disabled])")


def can_place(page: Page) -> bool:
    """Return whether a tile is in reach; otherwise the player must refill."""
    return tiles(page).count() > 0


def best_cell(page: Page) -> Locator:
    """Return a cell where the chosen tile covers a goal, or else the first cell."""
    gaining = cells(page).filter(has_text="+")
    return (gaining if gaining.count() else cells(page)).first


def choose_tile(page: Page) -> None:
    """Choose a tile that can cover a goal, if there is one, or else the last one."""
    for tile in tiles(page).all():
        tile.click()
        if cells(page).filter(has_text="+").count():
            break


def choose(page: Page) -> None:
    """Choose a tile and a cell that cover a goal, if possible, and do not confirm."""
    choose_tile(page)
    best_cell(page).click()


def drag(page: Page, tile: Locator, to: Callable[[], Locator]) -> None:
    """Drag a tile to the middle of a target, which is located after the drag has started."""
    x, y = middle(tile)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 12, y + 12, steps=3)
    page.mouse.move(*middle(to()), steps=5)
    page.mouse.up()


def middle(target: Locator) -> tuple[float, float]:
    box = target.bounding_box()
    assert box is not None, "the target is not visible"
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def tab_to(page: Page, target: Locator) -> None:
    """Press Tab until the target has the focus."""
    target_id = target.get_attribute("id")
    for _press in range(80):
        if page.evaluate("document.activeElement.id") == target_id:
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {target_id}")
