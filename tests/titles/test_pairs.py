"""The test title fits the contract, and has what it is there for."""

import pytest
from django.apps import AppConfig

from games.titles import registry
from games.titles.actions import Resign
from games.titles.rules import Rules, Setup
from tests.titles.pairs.rules import Action, Choose, PairsPosition, PairsRules, Revealed

rules: Rules[Action] = PairsRules()
DEALT = {"hands": [[1, 2, 3], [4, 4, 5], [1, 6, 7], [2, 6, 7]], "bonuses": [5, 2, 1]}


def start(rounds: int = 3) -> PairsPosition:
    return PairsRules().start(Setup(4, {"rounds": rounds}, DEALT), 1)


def after(position: PairsPosition, *cards: int) -> PairsPosition:
    for seat, card in enumerate(cards):
        position = position.apply(Choose(seat, card)).position
    return position


def test_everybody_chooses_at_the_same_time() -> None:
    position = start()
    assert position.awaited == {0, 1, 2, 3}
    position = position.apply(Choose(2, 7)).position
    assert position.awaited == {0, 1, 3}
    assert position.seen_by(1).chosen == position.seen_by(None).chosen == (None, None, 0, None)
    assert position.seen_by(2).chosen == (None, None, 7, None)


def test_a_choice_is_secret_until_all_have_chosen() -> None:
    step = start().apply(Choose(0, 1))
    assert (step.seen_by(0).action, step.seen_by(2).action) == (Choose(0, 1), None)
    last = after(start(), 1, 4, 1).apply(Choose(3, 7))
    assert last.seen_by(0).action == Choose(3, 7)
    assert last.events == (Revealed((1, 4, 1, 7), 1),)
    assert (last.position.known, last.position.seen_by(None).bonuses) == (1, (5, 2))


def test_partners_share_a_place_and_sides_can_tie() -> None:
    assert after(start(1), 1, 4, 1, 7).places == (2, 1, 2, 1)  # a pair of 1 counts 5
    assert after(start(1), 3, 4, 7, 6).places == (1, 1, 1, 1)
    left = start().apply(Resign(0)).position
    assert (left.ending, left.places) == ("left", (2, 1, 2, 1))


def test_the_last_card_is_forced() -> None:
    position = after(start(), 1, 4, 1, 2)
    assert position.forced(1) is None
    position = after(position, 2, 5, 6, 6)
    assert position.forced(1) == Choose(1, 4)


def test_its_app_registers_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_titles", {})
    AppConfig.create("tests.titles.pairs").ready()
    assert isinstance(registry.title_named("pairs").rules, PairsRules)
