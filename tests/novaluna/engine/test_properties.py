"""Properties of every game, checked on random legal games for 1 to 4 players."""

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.novaluna.engine import (
    TILES,
    Action,
    Cancel,
    Cell,
    Ending,
    GameIsOver,
    HiddenDeck,
    IllegalAction,
    Mode,
    Place,
    Position,
    Refill,
    RefillRule,
    Resign,
    action_from_json,
    action_to_json,
    read_record,
    replay,
    start,
    write_record,
)
from tests.novaluna.engine.games import all_codes, deal, flood_fill_support, naive_order, random_play
from tests.novaluna.engine.naive import NaiveGame

fifty_games = settings(max_examples=50, deadline=None)
seats_and_seed = given(seats=st.integers(1, 4), seed=st.integers(0, 2**32))
# There are 68 places and at most 7 refills: each draws at least 9 of the 57 tiles in the pile, or the rest.
MOST_ACTIONS = 75


@fifty_games
@seats_and_seed
def test_a_game_ends_and_keeps_all_tiles(seats: int, seed: int) -> None:
    setup = deal(seats, seed)
    steps = list(random_play(setup, random.Random(seed)))

    assert len(steps) <= MOST_ACTIONS
    for step in steps:
        assert sorted(all_codes(step.position)) == sorted(TILES)
    last = steps[-1].position
    assert last.to_move is None
    assert len(last.legal_actions) == 0
    assert list(last.legal_actions) == []


@pytest.mark.slow
@fifty_games
@seats_and_seed
def test_support_and_goals_equal_a_flood_fill(seats: int, seed: int) -> None:
    for step in random_play(deal(seats, seed), random.Random(seed)):
        position = step.position
        for seat, display in enumerate(position.displays):
            tiles = dict(display.tiles)
            fulfilled = set()
            for cell, tile in tiles.items():
                support = flood_fill_support(tiles, cell)
                assert display.support(cell) == support
                fulfilled |= {
                    (cell, nth)
                    for nth, goal in enumerate(tile.goals)
                    if all(has >= needs for has, needs in zip(support, goal.needs, strict=True))
                }
            assert display.fulfilled == fulfilled
            assert display.covered <= fulfilled
            if position.mode is Mode.MULTIPLAYER and position.discs[seat]:
                assert display.covered == fulfilled
            assert len(display.covered) + position.discs[seat] == position.setup.goal_discs
            assert set(display.free_cells) == naive_free_cells(set(tiles))


def naive_free_cells(taken: set[Cell]) -> set[Cell]:
    """Return the cells where the next tile may go, computed from the cells of all tiles."""
    if not taken:
        return {Cell(0, 0)}
    return {neighbour for cell in taken for neighbour in cell.neighbours()} - taken


@fifty_games
@given(seats=st.integers(2, 4), seed=st.integers(0, 2**32))
def test_the_turn_order_equals_a_naive_computation(seats: int, seed: int) -> None:
    setup = deal(seats, seed)
    tiles_taken: list[tuple[int, int]] = []
    for step in random_play(setup, random.Random(seed)):
        if isinstance(step.action, Place):
            tiles_taken.append((step.action.seat, TILES[step.action.tile].cost))
        state = step.position.state()
        assert state["order"] == naive_order(setup, tiles_taken)
        assert state["to_move"] == (None if step.position.over else naive_order(setup, tiles_taken)[0])
        times = [sum(cost for other, cost in tiles_taken if other == seat) for seat in range(seats)]
        assert state["time"] == times
        assert max(times) - min(times) <= 7, "only the player with the least time moves"


@fifty_games
@given(seats=st.integers(2, 4), seed=st.integers(0, 2**32), goal_discs=st.integers(1, 20))
def test_a_whole_game_equals_a_naive_one(seats: int, seed: int, goal_discs: int) -> None:
    setup = deal(seats, seed, goal_discs)
    naive, position = NaiveGame(setup), start(setup)
    for step in random_play(setup, random.Random(seed)):
        assert set(position.legal_actions) == set(naive.legal())
        naive.play(step.action)
        position = step.position
        assert [tile and tile.code for tile in position.wheel.spaces] == naive.wheel
        assert (position.wheel.marker, position.draw_pile) == (naive.marker, len(naive.pile))
        assert [display.covered for display in position.displays] == naive.covered
        assert position.over is naive.over
    assert naive.legal() == []


@pytest.mark.slow
@fifty_games
@seats_and_seed
def test_apply_accepts_an_action_if_and_only_if_it_is_legal(seats: int, seed: int) -> None:
    rng = random.Random(seed)
    position = start(deal(seats, seed))
    while not position.over:
        listed: list[Action] = list(position.legal_actions)
        assert len(listed) == len(set(listed)) == len(position.legal_actions)
        for action in rng.sample(listed, min(4, len(listed))):
            assert action in position.legal_actions
            assert accepts(position, action)
        for action in similar_actions(position, rng):
            expected = action in listed or isinstance(action, Cancel)
            if isinstance(action, Resign):
                expected = action.seat in position.in_play
            assert position.is_legal(action) is accepts(position, action) is expected
        position = position.apply(rng.choice(listed)).position
    for action in (Place(0, "B1", 0, 0), Refill(0), Resign(0), Cancel()):
        assert not position.is_legal(action)
        assert refusal(position, action) is GameIsOver


def accepts(position: Position, action: Action) -> bool:
    """Whether `apply` returns a step."""
    return refusal(position, action) is None


def refusal(position: Position, action: Action) -> type[IllegalAction] | None:
    """Return the error that `apply` raises, or None if the action is legal."""
    try:
        position.apply(action)
    except IllegalAction as error:
        return type(error)
    return None


def similar_actions(position: Position, rng: random.Random) -> list[Action]:
    """Return actions of all kinds that are similar to the legal ones.

    They have any seat, any tile on the wheel, and a free, taken or remote cell.
    """
    seats = range(-1, position.seats + 1)
    wheel = [tile.code for tile in position.wheel.spaces if tile] or ["B1"]
    cells = [(x, y) for x in range(-2, 3) for y in range(-2, 3)]
    return [
        *(Place(rng.choice(seats), rng.choice([*wheel, "Z9"]), *rng.choice(cells)) for _try in range(12)),
        *(Refill(seat) for seat in seats),
        *(Resign(seat, rng.choice([None, "time"])) for seat in seats),
        Cancel(),
    ]


@fifty_games
@given(
    seats=st.integers(1, 4), seed=st.integers(0, 2**32), resigns=st.integers(0, 3), may_cancel=st.booleans()
)
def test_a_game_with_resigns_and_a_cancel_ends_with_the_right_result(
    seats: int, seed: int, resigns: int, may_cancel: bool
) -> None:
    rng = random.Random(seed)
    setup = deal(seats, seed)
    position = start(setup)
    resigned_seats: list[int] = []
    tiles_taken: list[tuple[int, int]] = []
    while not position.over:
        action: Action
        if len(resigned_seats) < resigns and rng.random() < 0.1:
            resigned_seats.append(rng.choice(position.in_play))
            action = Resign(resigned_seats[-1], rng.choice([None, "time"]))
        elif may_cancel and rng.random() < 0.02:
            action = Cancel()
        else:
            action = rng.choice(list(position.legal_actions))
        before, position = position, position.apply(action).position
        if isinstance(action, Resign):
            assert (position.wheel, position.revealed_count, position.displays) == (
                before.wheel,
                before.revealed_count,
                before.displays,
            )
        if isinstance(action, Place):
            tiles_taken.append((action.seat, TILES[action.tile].cost))
        order = [seat for seat in naive_order(setup, tiles_taken) if seat not in resigned_seats]
        assert list(position.resigned_seats) == resigned_seats
        assert position.state().get("order", order) == order
        assert position.to_move == (None if position.over else order[0])
    state = position.state()
    if position.ending is Ending.CANCELLED:
        assert state.get("winner") is state.get("ranking") is state.get("score") is None
    elif seats > 1:
        by_discs_then_turn = sorted(order, key=lambda seat: (position.discs[seat], order.index(seat)))
        ranking = [*by_discs_then_turn, *reversed(resigned_seats)]
        assert state["ranking"] == ranking
        assert state["winner"] == ranking[0]
    else:
        assert (state["score"] is None) == bool(resigned_seats)


@fifty_games
@seats_and_seed
def test_actions_and_records_survive_json(seats: int, seed: int) -> None:
    setup = deal(seats, seed)
    steps = list(random_play(setup, random.Random(seed)))
    actions = [step.action for step in steps]
    assert [action_from_json(json.loads(json.dumps(action_to_json(action)))) for action in actions] == actions
    record = read_record(json.dumps(write_record(setup, actions)))
    assert record.setup == setup
    assert [step.position for step in replay(*record)] == [step.position for step in steps]


@given(st.integers(-(10**8), 10**8), st.integers(-(10**8), 10**8), st.booleans(), st.booleans())
def test_a_cell_name_parses_back_to_its_cell(x: int, y: int, lower: bool, spaceless: bool) -> None:
    name = Cell(x, y).name
    name = name.lower() if lower else name
    name = name.replace(" ", "") if spaceless else name
    assert Cell.parse(name) == (x, y)


@fifty_games
@seats_and_seed
def test_a_public_position_lacks_only_the_undrawn_tiles(seats: int, seed: int) -> None:
    for step in random_play(deal(seats, seed), random.Random(seed)):
        position = step.position
        public = position.public()
        assert public.state() == position.state()
        assert public.displays == position.displays
        assert list(public.legal_actions) == list(position.legal_actions)
        assert public.setup.deck == position.setup.deck[: 68 - position.draw_pile]
        if position.refill is not RefillRule.NOT_ALLOWED and position.to_move is not None:
            try:
                public.apply(Refill(position.to_move))
            except HiddenDeck:
                continue
            raise AssertionError("a refill drew tiles that the public deck does not have")


def test_equal_logs_lead_to_equal_steps() -> None:
    setup = deal(3, 5)
    steps = list(random_play(setup, random.Random(5)))
    assert list(replay(setup, [step.action for step in steps])) == steps
