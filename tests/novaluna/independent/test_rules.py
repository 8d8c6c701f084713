"""The independent rules agree with the engine of the site, and the player beats a random one."""

import json
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest

from games.novaluna.engine import Position, Step, action_from_json, action_to_json, start, write_record
from tests.novaluna.engine.games import deal
from tests.novaluna.independent import rules
from tests.novaluna.independent.player import POLICY, Player, apply, choices_of, read

pytestmark = pytest.mark.slow  # compiles on first use

WEIGHTS = np.array([POLICY.row()] * 4)


def in_order(actions: list[dict[str, Any]]) -> list[str]:
    return sorted(json.dumps(action, sort_keys=True) for action in actions)


def same(state: rules.State, position: Position) -> bool:
    """Return whether both have the same wheel, discs, times, seat to move and winner."""
    wheel = [(tile and rules.CODES.index(tile.code) + 1) or 0 for tile in position.wheel.spaces]
    known = position.state()
    return (
        state.wheel.tolist() == wheel
        and state.whole[rules.MARKER] == position.wheel.marker
        and [max(0, discs) for discs in state.seats[:, rules.DISCS]] == known["discs"]
        and state.seats[:, rules.TIME].tolist() == known["time"]
        and (rules.mover(state) == known["to_move"] or position.over)
        and state.whole[rules.WINNER] == (known["winner"] if position.over else -1)
    )


@pytest.mark.parametrize("seed", range(6))
def test_random_games_go_as_in_the_engine(seed: int) -> None:
    rng = Random(seed)
    setup = deal(seats=2 + seed % 3, seed=seed)
    position = start(setup)
    state = read(write_record(setup, []), WEIGHTS)
    while not position.over:
        assert same(state, position)
        actions = [action_to_json(action) for action in position.legal_actions]
        assert in_order(choices_of(state)) == in_order(actions)
        action = rng.choice(actions)
        apply(state, action, WEIGHTS)
        position = position.apply(action_from_json(action)).position
    assert same(state, position)


@pytest.mark.whole
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_it_beats_a_random_player(seats: int) -> None:
    player, rng, won = Player(16, 1), Random(seats), 0
    for seed in range(4):
        position, steps = start(deal(seats=seats, seed=seed)), list[Step]()
        while not position.over:
            if position.to_move == seed % seats:
                record = write_record(position.public().setup, [step.action for step in steps])
                action = action_from_json(player.choose(json.loads(json.dumps(record))))
            else:
                action = rng.choice(list(position.legal_actions))
            steps.append(position.apply(action))
            position = steps[-1].position
        won += position.ranking is not None and position.ranking[0] == seed % seats
    assert won == 4


@pytest.mark.whole
def test_hidden_tiles_do_not_change_its_choice() -> None:
    setup = deal(seats=2, seed=5)
    shuffled = [*setup.deck[:11], *sorted(setup.deck[11:])]
    records = [write_record(replace(setup, deck=deck), []) for deck in (setup.deck, tuple(shuffled))]
    records.append(write_record(replace(setup, deck=setup.deck[:11]), []))
    answers = [Player(64, 1).choose(json.loads(json.dumps(record))) for record in records]
    assert answers[0] == answers[1] == answers[2]
