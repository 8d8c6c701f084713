"""The check of the sentences of real reviews, with a search that is short and often finds mistakes."""

import pytest

from games.novaluna.bots import judging
from games.titles.bots import Budget
from tests.novaluna.reviews.facts import Comparison
from tests.novaluna.reviews.sentences import Count, review


@pytest.fixture(autouse=True)
def short_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Save time."""
    for name in ("FIRST_LOOK", "SECOND_LOOK", "LINE_LOOK"):
        monkeypatch.setattr(judging, name, Budget(rollouts=200))


def test_the_sentences_of_a_review_are_counted_and_true() -> None:
    count = Count()
    review(2, 1, count)
    assert count.turns > count.mistakes > 0
    assert count.sentences >= count.mistakes
    assert count.wrong == []


def test_wrong_sentences_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    count = Count()
    monkeypatch.setattr(Comparison, "is_true", lambda *_: False)
    review(2, 1, count)
    assert count.wrong
    assert all(one.startswith("2 seats, seed 1, action ") for one in count.wrong)
