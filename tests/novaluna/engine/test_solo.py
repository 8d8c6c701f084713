"""The solo game: its two stacks of discs, its one refill and its score."""

from dataclasses import replace

import pytest

from games.novaluna.engine import (
    Ending,
    GameOver,
    PhaseEnded,
    Place,
    Position,
    Refill,
    RefillRule,
    Resign,
    SoloPosition,
    start,
)
from tests.novaluna.engine.games import deal, place


def test_before_the_eighth_goal_the_refill_waits_for_an_empty_wheel() -> None:
    position: Position = start(deal(1, 1))
    for taken in range(11):
        assert position.refill is RefillRule.NOT_ALLOWED, f"after {taken} tiles"
        position = place(position, position.in_reach[0].code, taken, 0)
        if isinstance(position, SoloPosition) and position.first_stack == 0:
            pytest.fail("this line of tiles must not complete eight goals")
    assert position.refill is RefillRule.FORCED
    assert isinstance(position, SoloPosition)
    phase_score = position.time + 10 * position.first_stack
    step = position.apply(Refill(0))
    assert step.events[0] == PhaseEnded(phase_score)
    assert isinstance(step.position, SoloPosition)
    assert (step.position.phase, step.position.phase_score) == (2, phase_score)
    assert step.position.refill is RefillRule.NOT_ALLOWED


def test_a_resigned_game_has_no_score() -> None:
    last = start(deal(1, 1)).apply(Resign(0)).position
    assert last.over
    assert last.state()["score"] is None


def game_with_empty_first_stack() -> SoloPosition:
    """Return a position of phase 1 after the eighth disc, with tiles left on the wheel.

    Each tile goes where it covers the most goals. The deal is the first one on which this places eight discs.
    """
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
    raise AssertionError("none of 400 deals completes eight goals in phase 1")


def test_after_the_eighth_disc_a_refill_is_allowed_with_any_number_of_tiles_on_the_wheel() -> None:
    position = game_with_empty_first_stack()
    assert (position.first_stack, position.phase) == (0, 1)
    assert position.discs == (13,)
    assert Refill(0) in position.legal_actions
    assert any(isinstance(action, Place) for action in position.legal_actions), (
        "taking another tile is legal too"
    )


def game_with_waiting_goals() -> SoloPosition:
    """Return a position of phase 1 with an empty first stack and at least two goals that wait for a disc."""
    position = game_with_empty_first_stack()
    while len(position.displays[0].waiting_goals) < 2:
        actions = [action for action in position.legal_actions if isinstance(action, Place)]
        after = max(
            (position.apply(action).position for action in actions),
            key=lambda after: len(after.displays[0].waiting_goals),
        )
        assert isinstance(after, SoloPosition)
        position = after
        assert position.discs == (13,), "no goal gets a disc while the first stack is empty"
    return position


def test_goals_fulfilled_while_the_first_stack_is_empty_wait_for_the_refill() -> None:
    position = game_with_waiting_goals()
    waiting = tuple(position.displays[0].waiting_goals)
    step = position.apply(Refill(0))
    assert step.goals_covered == waiting
    assert step.position.discs == (13 - len(waiting),)
    assert isinstance(step.position, SoloPosition)
    assert step.position.phase_score == position.displays[0].cost, (
        "the first stack had no disc left to add points"
    )


def test_the_game_ends_at_the_refill_if_waiting_goals_take_the_last_discs() -> None:
    position = game_with_waiting_goals()
    waiting = position.displays[0].waiting_goals
    assert len(waiting) > 1
    # One disc fewer than waiting goals: the goals get discs in the order of x, then y.
    step = replace(position, discs=(len(waiting) - 1,)).apply(Refill(0))
    assert isinstance(step.position, SoloPosition)
    score = 2 * position.displays[0].cost
    assert step.goals_covered == tuple(waiting[:-1])
    assert step.position.displays[0].waiting_goals == waiting[-1:]
    assert step.game_over == GameOver(None, None, score, Ending.DISCS)
    assert (step.position.to_move, step.position.discs, step.position.score) == (None, (0,), score)


def test_the_score_adds_phase_one_the_total_time_and_ten_for_each_disc_left() -> None:
    position = start(deal(1, 11))
    phase_score = None
    while not position.over:
        action = next(iter(position.legal_actions))
        if isinstance(action, Refill):
            assert isinstance(position, SoloPosition)
            phase_score = position.time + 10 * position.first_stack
        position = position.apply(action).position
    assert phase_score is not None
    total = sum(tile.cost for tile in position.displays[0].tiles.values())
    assert position.state()["score"] == phase_score + total + 10 * position.discs[0]
