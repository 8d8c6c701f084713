"""The luck of reveals: 0 on average, whatever the values of positions are, and blind to undrawn tiles."""

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations
from statistics import fmean, stdev

import pytest

from games.novaluna.bots import levels, luck
from games.novaluna.bots.face import Budget, Chance, Score, Worth, luck_of_deal, luck_of_refill
from games.novaluna.bots.judging import hidden_tiles, with_draw_pile, with_random_deck
from games.novaluna.bots.thinking import evaluate_for_all
from games.novaluna.engine import TILES, MultiplayerPosition, Position, Refill, start
from tests.novaluna.engine.games import deal


@pytest.fixture(autouse=True)
def _short_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "SHORT", levels.SHORT.with_budget(Budget(rollouts=24)))
    monkeypatch.setattr(luck, "SAMPLES", 10)


@pytest.fixture
def _fixed_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give every position its own value, which has nothing to do with the game."""

    def value_of(position: Position, _rng: random.Random) -> Sequence[Worth]:
        value = random.Random(repr(position.state())).random()
        return [Score(100 * value)] if position.seats == 1 else [Chance(value), Chance(1 - value)]

    monkeypatch.setattr(luck, "evaluate_shortly", value_of)


def position_before_refill(seats: int, hidden: int = 57) -> Position:
    """Return a position whose wheel is empty, with this many tiles in the draw pile."""
    position = start(deal(seats, seed=1))
    wheel = position.wheel
    for space in [space for space, tile in enumerate(wheel.spaces) if tile]:
        wheel = wheel.without_tile_on(space)
    return replace(position, wheel=wheel, revealed_count=len(TILES) - hidden)


def after_refill(position: Position) -> Position:
    return position.apply(refill_of(position)).position.public()


def refill_of(position: Position) -> Refill:
    assert position.to_move is not None
    return Refill(position.to_move)


@pytest.mark.usefixtures("_fixed_values")
@pytest.mark.parametrize("seats", [1, 2])
@pytest.mark.parametrize("hidden", [1, 2, 3])
def test_the_luck_of_all_possible_reveals_adds_up_to_nothing(seats: int, hidden: int) -> None:
    position = position_before_refill(seats, hidden)
    reveals = [
        after_refill(with_draw_pile(position, tiles)) for tiles in permutations(hidden_tiles(position))
    ]
    found = [
        luck_of_refill(position.public(), refill_of(position), after, random.Random(number))
        for number, after in enumerate(reveals)
    ]
    assert fmean(one.gains[0] for one in found) == pytest.approx(0)
    assert all(one.errors == [0] * seats for one in found), "nothing was left to chance"
    if hidden > 1:
        assert len({one.gains[0] for one in found}) > 1, "some are lucky, some are not"


@pytest.mark.usefixtures("_fixed_values")
@pytest.mark.parametrize("seats", [1, 2])
def test_luck_by_samples_is_0_on_average_and_its_errors_are_true(seats: int) -> None:
    position, rng = position_before_refill(seats), random.Random(3)
    found = [
        luck_of_refill(
            position.public(), refill_of(position), after_refill(with_random_deck(position, rng)), rng
        )
        for _reveal in range(200)
    ]
    gains = [one.gains[0] for one in found]
    assert abs(fmean(gains)) < 2 * stdev(gains) / 200**0.5
    # The values of these tiles are exact here, so the errors are those of the means before.
    before = [one.before[0] for one in found]
    assert stdev(before) == pytest.approx(fmean(one.errors[0] for one in found), rel=0.1)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_luck_of_all_players_adds_up_to_nothing(seats: int) -> None:
    position = position_before_refill(seats)
    refill = luck_of_refill(position.public(), refill_of(position), after_refill(position), random.Random(1))
    first = luck_of_deal(start(deal(seats, seed=1)).public(), random.Random(1))
    for one in (refill, first):
        assert sum(one.gains) == pytest.approx(0)
        assert sum(one.after) == pytest.approx(1)
        assert len(one.errors) == seats
        assert max(one.errors) > 0
    assert first.before == [1 / seats] * seats


@pytest.mark.parametrize("seats", [1, 2])
def test_undrawn_tiles_do_not_change_the_luck(seats: int) -> None:
    position = position_before_refill(seats)
    after = after_refill(position)
    others = (position.public(), position, with_random_deck(position, random.Random(7)))
    assert (
        len({repr(luck_of_refill(other, refill_of(position), after, random.Random(1))) for other in others})
        == 1
    )


def test_the_deal_of_a_solo_game_is_compared_with_the_mean_score() -> None:
    found = luck_of_deal(start(deal(1, seed=1)).public(), random.Random(1))
    assert found.before == [luck.MEAN_SOLO_SCORE]
    assert 60 < found.after[0] < 160
    assert found.gains == [found.after[0] - luck.MEAN_SOLO_SCORE]


def test_near_the_end_short_searches_are_more_exact() -> None:
    positions = [position for seed in range(6) for position in last_positions(seed)]
    long_search = levels.SHORT._replace(rollouts=3000)
    truth = [evaluate_for_all(position, random.Random(1), long_search)[0].value for position in positions]

    def mean_error(estimates: Sequence[Sequence[Worth]]) -> float:
        return fmean(abs(one[0].value - true) for one, true in zip(estimates, truth, strict=True))

    longer = [levels.evaluate_shortly(position, random.Random(2)) for position in positions]
    plain = [evaluate_for_all(position, random.Random(2), levels.SHORT) for position in positions]
    assert mean_error(longer) < mean_error(plain) / 1.5


def last_positions(seed: int) -> list[Position]:
    """Return positions of a game in which somebody has few discs left."""
    position, rng, found = start(deal(2, seed=seed)), random.Random(seed), []
    assert isinstance(position, MultiplayerPosition)
    while not position.over:
        assert position.to_move is not None
        action = levels.choose(position.public(), position.to_move, "medium", rng)
        position = position.apply(action).position
        if not position.over and min(position.discs) <= 4:
            found.append(position.public())
    return found
