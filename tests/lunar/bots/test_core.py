"""The fast core of the search and the rules' engine agree, action by action."""

import random
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.lunar.bots.reading import read
from games.lunar.bots.search import state as core
from games.lunar.engine import Stars, action_from_json
from games.lunar.rules import LunarRules
from tests.lunar.bots.core import Both, differences, legal_in_core, play_both, random_steps, start
from tests.lunar.recorded import Recorded, recorded

RULES = LunarRules()
GAMES = [game for game in recorded("games") if any(one["do"] == "flip" for one in game.record["actions"])]


def check(both: Both) -> None:
    """Check that the core has the same facts and legal actions as the engine."""
    position, state = both
    [seat] = position.awaited
    assert state[core.TURN] == seat
    assert legal_in_core(state, read(position, seat)) == set(position.legal(seat))
    assert differences(both) == []


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_the_core_agrees_with_records(game: Recorded) -> None:
    setup, values = RULES.read_record(game.record)
    position = RULES.start(setup, 1)
    for both in play_both(position, [action_from_json(value) for value in values]):
        check(both)


def test_there_are_records_with_tricks() -> None:
    assert len(GAMES) > 20


@settings(max_examples=8, deadline=None)
@given(seats=st.sampled_from((2, 4)), seed=st.integers(0, 2**32), stars=st.sampled_from(Stars))
def test_the_core_agrees_with_random_games(seats: int, seed: int, stars: Stars) -> None:
    first = start(seats, seed, stars)
    steps = islice(random_steps(first, random.Random(seed)), 150)
    for both in play_both(first, [step.action for step in steps if step.action is not None]):
        check(both)
