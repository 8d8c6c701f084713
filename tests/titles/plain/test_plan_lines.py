"""Plans of a title with only rules and words, in replies to emails."""

import pytest

from games.titles.lines import CannotPlay
from games.titles.plans import PlanReply, PlanRequest
from tests.titles.pairs.rules import Choose
from tests.titles.plain.test_board import pages, view_of


def read(*lines: str) -> PlanReply:
    view = view_of(0, Choose(0, 3))
    return pages.read_plan(pages.plan_lines(lines), view.newest, view)


def test_a_reply_makes_shows_or_drops_a_plan() -> None:
    wishes = (Choose(0, 2), Choose(0, 1))
    assert read("Hello!", "Plan choose 2; else choose 1") == PlanReply(PlanRequest.MAKE, wishes)
    assert read("plan choose 2", "or choose 1, also later") == PlanReply(PlanRequest.MAKE, wishes, True)
    assert read("plan") == read("Show my plan") == PlanReply(PlanRequest.SHOW)
    assert read("drop my plan") == PlanReply(PlanRequest.DROP)
    assert not pages.plan_lines(["choose 2", "Plan B"])


def test_what_cannot_be_planned_is_answered_with_an_example() -> None:
    with pytest.raises(CannotPlay) as caught:
        read("plan choose 7")
    assert caught.value.reason.endswith("Write one line, for example: plan choose 1")
