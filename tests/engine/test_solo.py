"""The solo game: its two stacks of discs, its one refill, its score."""

from dataclasses import replace

import pytest

from games.engine import (
    Ending,
    GameOver,
    GoalsCompleted,
    PhaseEnded,
    Place,
    Position,
    Refill,
    RefillRule,
    Resign,
    SoloPosition,
    start,
)
from tests.engine.games import deal, place


def test_without_eight_goals_must_refill_only_when_all_eleven_are_taken() -> None:
    position: Position = start(deal(1, 1))
    for taken in range(11):
        assert position.refill is RefillRule.NOT_ALLOWED, f"after {taken} tiles"
        position = place(position, position.in_reach[0].code, taken, 0)
        if isinstance(position, SoloPosition) and position.first_stack == 0:
            pytest.fail("this line of tiles should not complete eight goals")
    assert position.refill is RefillRule.FORCED
    assert isinstance(position, SoloPosition)
    noted = position.time + 10 * position.first_stack
    step = position.apply(Refill(0))
    assert step.events[0] == PhaseEnded(noted)
    assert isinstance(step.position, SoloPosition)
    assert (step.position.phase, step.position.phase_score) == (2, noted)
    assert step.position.refill is RefillRule.NOT_ALLOWED


def test_resigned_has_no_score() -> None:
    last = start(deal(1, 1)).apply(Resign(0)).position
    assert last.over
    assert last.state()["score"] is None


def solo_with_the_first_stack_empty() -> SoloPosition:
    """Play greedily until the eighth disc is placed in phase 1, on the first deal where that happens."""
    for seed in range(400):
        position = start(deal(1, seed))
        while isinstance(position, SoloPosition) and position.refill is RefillRule.NOT_ALLOWED:
            actions = [action for action in position.legal_actions if isinstance(action, Place)]
            position = max(
                (position.apply(action).position for action in actions), key=lambda after: -after.discs[0]
            )
        if (
            isinstance(position, SoloPosition)
            and position.refill is RefillRule.ALLOWED
            and position.wheel.tile_count
        ):
            return position
    raise AssertionError("no deal in 400 completes eight goals in phase 1")


def test_may_refill_from_the_turn_after_the_eighth_disc_whatever_lies_on_the_wheel() -> None:
    position = solo_with_the_first_stack_empty()
    assert (position.first_stack, position.phase) == (0, 1)
    assert position.discs == (13,)
    assert Refill(0) in position.legal_actions
    assert any(isinstance(action, Place) for action in position.legal_actions), "or go on taking tiles"


def solo_with_goals_waiting() -> SoloPosition:
    """Go on from the empty first stack, refusing to refill, until at least two goals wait for a disc."""
    position = solo_with_the_first_stack_empty()
    while len(position.displays[0].waiting) < 2:
        actions = [action for action in position.legal_actions if isinstance(action, Place)]
        after = max(
            (position.apply(action).position for action in actions),
            key=lambda after: len(after.displays[0].waiting),
        )
        assert isinstance(after, SoloPosition)
        position = after
        assert position.discs == (13,), "nothing is covered while the stack is empty"
    return position


def test_goals_fulfilled_while_the_first_stack_is_empty_wait_for_the_refill() -> None:
    position = solo_with_goals_waiting()
    waiting = tuple(position.displays[0].waiting)
    step = position.apply(Refill(0))
    assert GoalsCompleted(0, waiting) in step.events
    assert step.position.discs == (13 - len(waiting),)
    assert isinstance(step.position, SoloPosition)
    assert step.position.phase_score == position.displays[0].cost, "no disc was left on the first stack"


def test_ends_at_the_refill_when_the_goals_that_waited_take_the_last_discs() -> None:
    position = solo_with_goals_waiting()
    waiting = position.displays[0].waiting
    assert len(waiting) > 1
    # As if there were one disc fewer than goals that wait: those first by x, then y, get theirs.
    step = replace(position, discs=(len(waiting) - 1,)).apply(Refill(0))
    assert isinstance(step.position, SoloPosition)
    score = 2 * position.displays[0].cost
    assert GoalsCompleted(0, tuple(waiting[:-1])) in step.events
    assert step.position.displays[0].waiting == waiting[-1:]
    assert step.events[-1] == GameOver(None, None, score, Ending.DISCS)
    assert (step.position.to_move, step.position.discs, step.position.score) == (None, (0,), score)


def test_scores_time_of_phase_one_twice_and_ten_for_each_disc_not_placed() -> None:
    position = start(deal(1, 11))
    costs_at_refill = None
    while not position.over:
        action = next(iter(position.legal_actions))
        if isinstance(action, Refill):
            assert isinstance(position, SoloPosition)
            costs_at_refill = position.time + 10 * position.first_stack
        position = position.apply(action).position
    assert costs_at_refill is not None
    total = sum(tile.cost for tile in position.displays[0].tiles.values())
    assert position.state()["score"] == costs_at_refill + total + 10 * position.discs[0]
