"""The independent simulator agrees with the recorded games and with the engine of the site."""

import json
from random import Random
from typing import Any

import pytest

from games.lunar.engine import Position, Step, action_from_json, action_to_json, write_position
from games.lunar.rules import LunarRules
from tests.lunar.independent.games import Game
from tests.lunar.independent.matches import random_record
from tests.lunar.independent.player import action_of, choices_of
from tests.lunar.independent.positions import known_of
from tests.lunar.recorded import Recorded, recorded

REFUSED = [
    game
    for game in recorded("refused")
    if game.error
    and game.error["reason"]
    in ("must_follow", "wrong_kind", "tile_not_available", "card_not_available", "wrong_seat")
]
RULES = LunarRules()


@pytest.mark.parametrize("recorded_game", recorded("games"), ids=str)
def test_a_record_has_the_same_states_and_views(recorded_game: Recorded) -> None:
    game = Game(recorded_game.record)
    for number, action in enumerate(recorded_game.record["actions"]):
        assert action["do"] in ("resign", "cancel") or game.is_legal(action), f"action {number}"
        game.act(action)
        assert game.state() == recorded_game.states[number], f"after action {number}"
        for name, view in (recorded_game.views[number] if recorded_game.views else {}).items():
            assert game.view(None if name == "none" else int(name)) == view, f"after action {number}"


@pytest.mark.parametrize("recorded_game", REFUSED, ids=str)
def test_a_refused_action_is_illegal(recorded_game: Recorded) -> None:
    assert recorded_game.error
    game = Game(recorded_game.record)
    index = recorded_game.error["index"]
    for action in recorded_game.record["actions"][:index]:
        game.act(action)
    assert not game.is_legal(recorded_game.record["actions"][index])


@pytest.mark.parametrize("stars", ["suits", "ranks", "none"])
@pytest.mark.parametrize("seats", [2, 4])
def test_random_games_have_the_legal_actions_and_position_records_of_the_engine(
    seats: int, stars: str
) -> None:
    rng = Random(f"{seats} {stars}")
    record = random_record(seats, stars, rng)
    game = Game(record)
    setup, _none = RULES.read_record({"format": "lunar-record", "version": 1, "actions": [], **record})
    start = RULES.start(setup, 1)
    steps: list[Step] = []
    while game.awaited:
        position = steps[-1].position if steps else start
        seat = rng.choice(game.awaited)
        position_record = game.record_for(seat)
        assert position_record == as_json(write_position(start, steps, seat))
        choices = [
            action_of(position_record, choice)
            for choice in choices_of(position_record, known_of(position_record))
        ]
        assert as_set(choices) == engine_actions(position, seat)
        action = rng.choice(choices)
        game.act(action)
        steps.append(position.apply(action_from_json(action)))
    assert steps[-1].position.winner == game.winner


def engine_actions(position: Position, seat: int) -> set[str]:
    return as_set([action_to_json(action) for action in position.legal(seat)])


def as_set(actions: list[Any]) -> set[str]:
    """Return actions as texts, with passed cards in one order."""
    return {
        json.dumps(action | {"cards": sorted(action.get("cards", []))}, sort_keys=True) for action in actions
    }


def as_json(value: object) -> Any:
    return json.loads(json.dumps(value))
