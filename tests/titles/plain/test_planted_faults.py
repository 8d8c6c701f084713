"""The conformance suite finds faults in words, which are planted into the test title one by one."""

from collections.abc import Sequence

import pytest

from games.shown.plain.pages import PlainPages
from games.shown.plain.sections import Section
from games.shown.testing import check_pages
from games.titles.rules import Step
from tests.titles.pairs.rules import Action, PairsRules
from tests.titles.pairs.words import PairsWords, View
from tests.titles.redeals import redeal_pairs


class SilentReveals(PairsWords):
    def describe_step(self, step: Step[Action], view: View) -> str:
        return "" if step.events else super().describe_step(step, view)


class SameLines(PairsWords):
    def write_action(self, _action: Action) -> str:
        return "choose"


class LongLabels(PairsWords):
    def describe_action(self, action: Action, view: View) -> str:
        return f"{super().describe_action(action, view)}, which is one of the cards of the hand that you have"


class EmptyPositions(PairsWords):
    def describe_position(self, _view: View) -> Sequence[Section]:
        return [Section("Your hand")]


class Remembering(PairsWords):
    """Knows what it has been asked before, as words that keep a secret do."""

    asked = 0

    def describe_position(self, view: View) -> Sequence[Section]:
        self.asked += 1
        return [Section("Asked", (str(self.asked),)), *super().describe_position(view)]


@pytest.mark.parametrize(
    ("words", "check"),
    [
        (SilentReveals(), "steps_have_words"),
        (SameLines(), "lines_are_read"),
        (LongLabels(), "actions_have_words"),
        (EmptyPositions(), "positions_have_words"),
        (Remembering(), "words_hide"),
    ],
)
def test_a_fault_is_found(words: PairsWords, check: str) -> None:
    rules = PairsRules()
    with pytest.raises(AssertionError, match=f"\n{check}: "):
        check_pages(rules, PlainPages(rules, words), redeal=redeal_pairs)
