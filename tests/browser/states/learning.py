"""The lessons and the rules."""

from django.urls import reverse
from playwright.sync_api import Page, expect

from games.novaluna.engine import Place
from games.novaluna.learning.lessons import LESSONS
from tests.browser import ways
from tests.browser.states.catalogue import (
    MakeVisit,
    PageAction,
    Visit,
    add_state,
    do_nothing,
    minor_state,
    state,
)
from tests.browser.states.making import choose_cell


def visit_lesson(number: int, do: PageAction = do_nothing) -> MakeVisit:
    return lambda: Visit(reverse("games:learn_step", args=[number]), after=do)


for number in range(1, len(LESSONS) + 1):
    add_state(f"lesson-{number}", visit_lesson(number), is_minor=True)
add_state("lesson-cell-chosen", visit_lesson(3, choose_cell))


@minor_state
def lesson_refused() -> Visit:
    def answer_wrongly(page: Page) -> None:
        expected = LESSONS[0].expected
        assert isinstance(expected, Place)
        page.locator(f"#game [data-tile]:not([data-tile={expected.tile}])").first.click()
        ways.cells(page).first.click()
        page.locator(ways.CONFIRM).click()
        expect(page.get_by_role("alert")).to_be_visible()

    return Visit(reverse("games:learn_step", args=[1]), after=answer_wrongly)


@state
def rules() -> Visit:
    return Visit(reverse("games:rules"))


@minor_state
def rules_found() -> Visit:
    return Visit(reverse("games:rules") + "?q=5")


@minor_state
def rules_not_found() -> Visit:
    return Visit(reverse("games:rules") + "?q=dragon")


@state
def help_page() -> Visit:
    return Visit(reverse("games:help"))


@minor_state
def help_found() -> Visit:
    return Visit(reverse("games:help") + "?q=23")
