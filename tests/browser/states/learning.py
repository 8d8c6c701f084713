"""The first game, lesson by lesson, and the rules."""

from django.urls import reverse
from playwright.sync_api import Page, expect

from games.engine import Place
from games.lessons import LESSONS
from tests.browser import ways
from tests.browser.states.catalogue import Do, Look, Make, much_like_others, named, nothing, state
from tests.browser.states.making import choose_cell


def lesson(number: int, do: Do = nothing) -> Make:
    return lambda: Look(reverse("games:learn_step", args=[number]), after=do)


for number in range(1, len(LESSONS) + 1):
    named(f"lesson-{number}", lesson(number), much_like_others=True)
named("lesson-cell-chosen", lesson(6, choose_cell))


@much_like_others
def lesson_refused() -> Look:
    def answer_wrongly(page: Page) -> None:
        asked = LESSONS[1].asks
        assert isinstance(asked, Place)
        page.locator(f"#game [data-tile]:not([data-tile={asked.tile}])").first.click()
        ways.cells(page).first.click()
        page.locator(ways.CONFIRM).click()
        expect(page.get_by_role("alert")).to_be_visible()

    return Look(reverse("games:learn_step", args=[2]), after=answer_wrongly, refused=True)


@state
def rules() -> Look:
    return Look(reverse("games:rules"))


@much_like_others
def rules_found() -> Look:
    return Look(reverse("games:rules") + "?q=5")


@much_like_others
def rules_not_found() -> Look:
    return Look(reverse("games:rules") + "?q=dragon")
