"""The actions that are offered to a person: good by the policy, and different from each other."""

import random
import subprocess
import sys
from itertools import islice

import pytest

from games.novaluna.bots.choices import FINISH, LARGEST_LOSS, MOST_ACTIONS, MOST_PLACES, value_places
from games.novaluna.bots.face import choose, good_actions
from games.novaluna.bots.search.policy import find_places, new_places
from games.novaluna.bots.search.reading import Reading
from games.novaluna.bots.search.state import WHEEL
from games.novaluna.bots.search.tiles import CODES
from games.novaluna.bots.search.weights import policy_for
from games.novaluna.engine import Place, Position, Refill, RefillRule, start
from tests.novaluna.bots.core import play_both
from tests.novaluna.engine.games import deal, random_play


def policy_values(position: Position, reading: Reading) -> dict[Place, float]:
    """Return the value of every place action, as the compiled policy computes it."""
    assert position.to_move is not None
    places = new_places()
    values = {}
    for i in range(find_places(reading.state, policy_for(position), places)):
        tile = CODES[reading.state.n[WHEEL + places.space[i]]]
        cell = reading.cell(position.to_move, int(places.cell[i]))
        values[Place(position.to_move, tile, *cell)] = float(places.value[i])
    return values


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_plain_and_compiled_policy_compute_the_same_values(seats: int) -> None:
    best = 0.0
    for seed, goal_discs in enumerate([None] if seats == 1 else [None, 3]):
        game = play_both(deal(seats, seed, goal_discs), random.Random(seed), resigning=0.01)
        for position, reading in islice(game, 0, None, 4):
            if position.over or position.refill is RefillRule.FORCED:
                continue
            values = value_places(position.public())
            compiled = policy_values(position, reading)
            assert values.keys() == compiled.keys()
            assert max(abs(values[action] - compiled[action]) for action in values) < 1e-9
            best = max(best, *values.values())
    assert seats == 1 or best > FINISH / 2


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_few_different_legal_actions_are_good_and_the_first_is_the_bots(seats: int) -> None:
    for step in list(random_play(deal(seats, seats), random.Random(seats)))[::4]:
        position = step.position.public()
        if (seat := position.to_move) is None:
            continue
        actions = good_actions(position, seat)
        assert 1 <= len(actions) == len(set(actions)) <= MOST_ACTIONS
        assert all(action in position.legal_actions for action in actions)
        tiles = [action.tile for action in actions if isinstance(action, Place)]
        assert all(tiles.count(tile) <= MOST_PLACES for tile in tiles)
        bots = choose(position, seat, "medium", random.Random(0))
        if isinstance(bots, Refill):
            assert actions[0] == bots
        else:
            values = value_places(position)
            assert isinstance(actions[0], Place)
            assert values[actions[0]] == pytest.approx(values[bots])
            places = [action for action in actions if isinstance(action, Place)]
            assert all(values[actions[0]] - values[place] <= LARGEST_LOSS for place in places)


def test_cells_that_are_worth_the_same_are_one_action() -> None:
    position = start(deal(2, 3)).public()
    assert position.to_move is not None
    first = good_actions(position, position.to_move)
    assert {action.tile for action in first if isinstance(action, Place)} <= {
        tile.code for tile in position.in_reach
    }
    while not all(display.tiles for display in position.displays):
        position = position.apply(next(iter(position.legal_actions))).position
    assert position.to_move is not None
    # All four cells around the first tile are the same for each tile.
    second = [action for action in good_actions(position, position.to_move) if isinstance(action, Place)]
    assert len({action.tile for action in second}) == len(second)


def test_an_empty_wheel_leaves_only_the_refill() -> None:
    position = start(deal(2, 3))
    while position.wheel.tile_count:
        places = [action for action in position.legal_actions if isinstance(action, Place)]
        position = position.apply(places[0]).position
    assert position.to_move is not None
    assert good_actions(position.public(), position.to_move) == [Refill(position.to_move)]


def test_only_the_seat_to_move_has_good_actions() -> None:
    position = start(deal(2, 3))
    assert position.to_move is not None
    with pytest.raises(ValueError, match="not the turn"):
        good_actions(position, 1 - position.to_move)


def test_good_actions_do_not_load_the_compiled_search() -> None:
    code = "import sys; from games.novaluna.bots.face import good_actions; sys.exit('numba' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
