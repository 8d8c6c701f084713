"""Every level plays legal and repeatable actions, and never uses the hidden draw pile."""

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.novaluna.bots.face import LEVELS, REFERENCES, Budget, choose
from games.novaluna.engine import Place, Position, Refill, RefillRule, SoloPosition, start
from tests.novaluna.engine.games import deal, random_play

# Enough for a search to visit several actions.
SHORT = Budget(rollouts=50)

levels = pytest.mark.parametrize("level", [*LEVELS, *REFERENCES])


def play(levels: Sequence[str], seed: int) -> Position:
    """Return the last position of a game between these levels, one for each seat."""
    rng = random.Random(seed)
    position = start(deal(len(levels), seed))
    while position.to_move is not None:
        action = choose(position.public(), position.to_move, levels[position.to_move], rng, SHORT)
        assert action in position.legal_actions
        position = position.apply(action).position
    return position


@levels
@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_plays_whole_games_with_legal_actions(level: str, seats: int) -> None:
    last = play([level] * seats, seed=seats)
    assert last.over
    assert last.resigned_seats == ()


@pytest.mark.slow
@levels
@settings(max_examples=5, deadline=None)
@given(seats=st.integers(1, 4), seed=st.integers(0, 2**32))
def test_the_hidden_draw_pile_does_not_change_the_choice(level: str, seats: int, seed: int) -> None:
    for number, step in enumerate(random_play(deal(seats, seed), random.Random(seed))):
        position = step.position
        if position.to_move is None or number % 8:
            continue
        deck = list(position.setup.deck)
        hidden = deck[position.revealed_count :]
        random.Random(seed + 1).shuffle(hidden)
        shuffled = (*deck[: position.revealed_count], *hidden)
        other = replace(position, setup=replace(position.setup, deck=shuffled))
        seat = position.to_move
        assert other.public() == position.public()
        # A bot that gets the whole deck does not use it either.
        assert [
            choose(one, seat, level, random.Random(1), SHORT) for one in (position, other, position.public())
        ] == [choose(other.public(), seat, level, random.Random(1), SHORT)] * 3


@pytest.mark.slow
@levels
def test_the_same_seed_repeats_a_game(level: str) -> None:
    assert play([level] * 3, seed=9) == play([level] * 3, seed=9)


@levels
def test_plays_a_forced_refill(level: str) -> None:
    position = start(deal(3, 3))
    while position.refill is not RefillRule.FORCED:
        place = next(action for action in position.legal_actions if isinstance(action, Place))
        position = position.apply(place).position
    seat = position.to_move
    assert seat is not None
    assert choose(position.public(), seat, level, random.Random(0)) == Refill(seat)


@levels
def test_refuses_to_move_for_another_seat(level: str) -> None:
    position = start(deal(2, 1)).public()
    seat = position.to_move
    assert seat is not None
    assert isinstance(choose(position, seat, level, random.Random(0)), Place)
    with pytest.raises(ValueError, match="not the turn"):
        choose(position, 1 - seat, level, random.Random(0))


def test_an_unknown_level_is_a_key_error() -> None:
    position = start(deal(2, 1)).public()
    with pytest.raises(KeyError):
        choose(position, position.to_move or 0, "grandmaster", random.Random(0))


@pytest.mark.whole
def test_the_levels_are_in_order_of_strength() -> None:
    assert list(LEVELS) == ["easy", "medium", "hard", "expert"]
    assert sum(beats_random("easy", seed) for seed in range(20)) >= 17
    for worse, better in pairwise(LEVELS):
        # A small budget keeps the test short, and is enough to show the difference.
        wins = sum(wins_on_both_seats(better, worse, seed, Budget(rollouts=300)) for seed in range(7))
        assert wins >= 9, f"{better} won {wins} of 14 against {worse}"


def wins_on_both_seats(level: str, other: str, seed: int, budget: Budget) -> int:
    """Return how many of two games on the same deal a level wins; only this level gets the budget."""
    wins = 0
    for seat in range(2):
        rng = random.Random(seed)
        position = start(deal(2, seed))
        while position.to_move is not None:
            player, limit = (level, budget) if position.to_move == seat else (other, SHORT)
            action = choose(position.public(), position.to_move, player, rng, limit)
            position = position.apply(action).position
        wins += position.state()["winner"] == seat
    return wins


def beats_random(level: str, seed: int) -> bool:
    """Whether a bot on seat 0 wins against random actions."""
    rng = random.Random(seed)
    position = start(deal(2, seed))
    while position.to_move is not None:
        if position.to_move == 0:
            action = choose(position.public(), 0, level, rng)
        else:
            action = rng.choice(list(position.legal_actions))
        position = position.apply(action).position
    return position.state()["winner"] == 0


@pytest.mark.slow
def test_easy_never_misses_a_win_or_three_goals_in_one_turn() -> None:
    rng, chances = random.Random(2), 0
    for seed in range(20):
        position = start(deal(2, seed))
        while position.to_move is not None:
            most = max(goals_and_cost(position, action)[0] for action in position.legal_actions)
            needed = min(3, position.discs[position.to_move])
            action = choose(position.public(), position.to_move, "easy", rng)
            if most >= needed:
                assert goals_and_cost(position, action)[0] >= needed
                chances += 1
            position = position.apply(action).position
    assert chances > 30


def test_medium_plays_solo_better_than_easy() -> None:
    scores = {level: [solo_score(level, seed) for seed in range(12)] for level in ("easy", "medium")}
    assert sum(scores["medium"]) < sum(scores["easy"])


def solo_score(level: str, seed: int) -> int:
    last = play([level], seed)
    assert isinstance(last, SoloPosition)
    assert last.score is not None
    return last.score


def test_greedy_completes_the_most_goals_it_can_at_the_lowest_cost() -> None:
    rng = random.Random(5)
    for step in random_play(deal(2, 5), rng):
        position = step.position
        seat = position.to_move
        if seat is None or position.refill is not RefillRule.NOT_ALLOWED:
            continue
        chosen = choose(position.public(), seat, "greedy", rng)
        assert goals_and_cost(position, chosen) == max(
            goals_and_cost(position, action) for action in position.legal_actions
        )


def goals_and_cost(position: Position, action: Place | Refill) -> tuple[int, int]:
    """Return how many discs an action places, and its cost as a negative number."""
    after = position.apply(action).position
    seat = action.seat
    return (
        after.displays[seat].discs_placed - position.displays[seat].discs_placed,
        position.displays[seat].cost - after.displays[seat].cost,
    )
