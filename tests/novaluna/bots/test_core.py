"""The search's fast core plays every game exactly as the rules' engine does."""

import random

import pytest

from games.novaluna.bots.face import TooLarge, choose, estimates
from games.novaluna.bots.search.reading import read
from games.novaluna.bots.search.state import ON_WHEEL
from games.novaluna.engine import GoalsCompleted, Place, Position, Refill, start
from tests.novaluna.bots.core import facts_from_core, facts_from_engine, play_both, predicted_goals
from tests.novaluna.engine.games import deal

GAMES = 25  # for each number of players; `python -m bench.bots` plays thousands


@pytest.mark.slow
@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_core_and_engine_play_the_same_games(seats: int) -> None:
    for seed in range(GAMES):
        for number, (position, reading) in enumerate(play_both(deal(seats, seed), random.Random(seed))):
            assert facts_from_core(reading, position) == facts_from_engine(position), (
                f"deal {seed}, action {number}"
            )


@pytest.mark.slow
@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_core_and_engine_agree_on_games_that_players_leave(seats: int) -> None:
    ended_early = 0
    for seed in range(GAMES // 3):
        rng = random.Random(seed)
        for number, (position, reading) in enumerate(play_both(deal(seats, seed), rng, resigning=0.03)):
            assert facts_from_core(reading, position) == facts_from_engine(position), (
                f"deal {seed}, action {number}"
            )
        ended_early += bool(position.resigned_seats)
    assert ended_early


@pytest.mark.parametrize("seats", [1, 2, 4])
def test_the_policy_predicts_the_goals_that_a_place_action_completes(seats: int) -> None:
    counts: set[int] = set()
    for seed in range(4):
        for position, reading in play_both(deal(seats, seed), random.Random(seed)):
            if position.over or not reading.state.n[ON_WHEEL]:
                continue
            predicted = predicted_goals(reading, position)
            for action in random.Random(seed).sample(sorted(predicted, key=str), min(8, len(predicted))):
                assert predicted[action] == fulfilled_by(position, action), action
                counts.add(predicted[action])
    assert {0, 1, 2} <= counts


def fulfilled_by(position: Position, action: Place) -> int:
    """Return how many goals a place action fulfils in the engine."""
    step = position.apply(action)
    before, after = position.displays[action.seat], step.position.displays[action.seat]
    completed = sum(len(event.goals) for event in step.events if isinstance(event, GoalsCompleted))
    return completed + len(after.waiting_goals) - len(before.waiting_goals)


def test_a_display_too_large_for_the_grid_still_gets_a_legal_action() -> None:
    position = start(deal(2, 4))
    line = 0
    # The first player builds one long row, the other a compact display.
    while position.to_move is not None and line < 30:
        if Refill(position.to_move) in position.legal_actions:
            position = position.apply(Refill(position.to_move)).position
            continue
        options = [action for action in position.legal_actions if isinstance(action, Place)]
        if position.to_move == 0:
            action = max(options, key=lambda option: option.cell.x)
            line += 1
        else:
            action = min(options, key=lambda option: abs(option.cell.x) + abs(option.cell.y))
        position = position.apply(action).position
    assert position.to_move is not None
    with pytest.raises(TooLarge):
        read(position)
    with pytest.raises(TooLarge):
        estimates(position.public(), position.to_move, random.Random(0))
    for level in ("easy", "medium", "hard", "expert"):
        assert choose(position.public(), position.to_move, level, random.Random(0)) in position.legal_actions
