"""What holds in every game, tried on random legal play of 1 to 4 players."""

import json
import random

from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine import (
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
    Setup,
    Step,
    action_from_json,
    action_to_json,
    read_record,
    replay,
    start,
    write_record,
)
from tests.engine.games import codes, deal, flood_fill_support, naive_order, random_play
from tests.engine.naive import NaiveGame

games = settings(max_examples=50, deadline=None)
seats_and_seed = given(seats=st.integers(1, 4), seed=st.integers(0, 2**32))
# A game ends within this many actions: 68 tiles, and a refill before every second of them at the most.
MOST_ACTIONS = 110


@games
@seats_and_seed
def test_it_ends_and_tiles_are_conserved(seats: int, seed: int) -> None:
    setup = deal(seats, seed)
    steps = list(random_play(setup, random.Random(seed)))

    assert len(steps) <= MOST_ACTIONS
    for step in steps:
        assert sorted(codes(step.position)) == sorted(TILES)
    last = steps[-1].position
    assert last.to_move is None
    assert len(last.legal_actions) == 0
    assert list(last.legal_actions) == []


@games
@seats_and_seed
def test_support_equals_a_flood_fill_and_goals_follow_from_it(seats: int, seed: int) -> None:
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
            assert set(display.cells) == naive_cells(set(tiles))


def naive_cells(taken: set[Cell]) -> set[Cell]:
    if not taken:
        return {Cell(0, 0)}
    return {neighbour for cell in taken for neighbour in cell.neighbours()} - taken


@games
@given(seats=st.integers(2, 4), seed=st.integers(0, 2**32))
def test_the_turn_order_equals_a_naive_recomputation(seats: int, seed: int) -> None:
    setup = deal(seats, seed)
    moves: list[tuple[int, int]] = []
    for step in random_play(setup, random.Random(seed)):
        if isinstance(step.action, Place):
            moves.append((step.action.seat, TILES[step.action.tile].cost))
        state = step.position.state()
        assert state["order"] == naive_order(setup, moves)
        assert state["to_move"] == (None if step.position.over else naive_order(setup, moves)[0])
        times = [sum(cost for mover, cost in moves if mover == seat) for seat in range(seats)]
        assert state["time"] == times
        assert max(times) - min(times) <= 7, "only the last one moves"


@games
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


@games
@seats_and_seed
def test_legal_agrees_with_apply_both_ways(seats: int, seed: int) -> None:
    rng = random.Random(seed)
    position = start(deal(seats, seed))
    while not position.over:
        listed: list[Action] = list(position.legal_actions)
        assert len(listed) == len(set(listed)) == len(position.legal_actions)
        for action in rng.sample(listed, min(4, len(listed))):
            assert action in position.legal_actions
            assert takes(position, action)
        for action in neighbours(position, rng):
            listed_as_legal = action in listed or isinstance(action, Resign | Cancel)
            if isinstance(action, Resign):
                listed_as_legal = action.seat in position.in_play
            assert position.is_legal(action) is takes(position, action) is listed_as_legal
        position = position.apply(rng.choice(listed)).position
    for action in (Place(0, "B1", 0, 0), Refill(0), Resign(0), Cancel()):
        assert not position.is_legal(action)
        assert refusal(position, action) is GameIsOver


def takes(position: Position, action: Action) -> bool:
    return refusal(position, action) is None


def refusal(position: Position, action: Action) -> type[IllegalAction] | None:
    try:
        position.apply(action)
    except IllegalAction as error:
        return type(error)
    return None


def neighbours(position: Position, rng: random.Random) -> list[Action]:
    """Return actions close to the legal ones: other seats, far tiles, taken and remote cells, all kinds."""
    seats = range(-1, position.seats + 1)
    wheel = [tile.code for tile in position.wheel.spaces if tile] or ["B1"]
    near = [(x, y) for x in range(-2, 3) for y in range(-2, 3)]
    return [
        *(Place(rng.choice(seats), rng.choice([*wheel, "Z9"]), *rng.choice(near)) for _try in range(12)),
        *(Refill(seat) for seat in seats),
        *(Resign(seat, rng.choice([None, "time"])) for seat in seats),
        Cancel(),
    ]


@games
@given(seats=st.integers(1, 4), seed=st.integers(0, 2**32), leaves=st.integers(0, 3), cancels=st.booleans())
def test_leaving_and_cancelling_end_a_game_as_they_should(
    seats: int, seed: int, leaves: int, cancels: bool
) -> None:
    rng = random.Random(seed)
    setup = deal(seats, seed)
    position = start(setup)
    gone: list[int] = []
    moves: list[tuple[int, int]] = []
    while not position.over:
        action: Action
        if len(gone) < leaves and rng.random() < 0.1:
            gone.append(rng.choice(position.in_play))
            action = Resign(gone[-1], rng.choice([None, "time"]))
        elif cancels and rng.random() < 0.02:
            action = Cancel()
        else:
            action = rng.choice(list(position.legal_actions))
        before, position = position, position.apply(action).position
        if isinstance(action, Resign):
            assert (position.wheel, position.revealed, position.displays) == (
                before.wheel,
                before.revealed,
                before.displays,
            )
        if isinstance(action, Place):
            moves.append((action.seat, TILES[action.tile].cost))
        order = [seat for seat in naive_order(setup, moves) if seat not in gone]
        assert list(position.left) == gone
        assert position.state().get("order", order) == order
        assert position.to_move == (None if position.over else order[0])
    state = position.state()
    if position.ending is Ending.CANCELLED:
        assert state.get("winner") is state.get("ranking") is state.get("score") is None
    elif seats > 1:
        by_discs_then_turn = sorted(order, key=lambda seat: (position.discs[seat], order.index(seat)))
        ranking = [*by_discs_then_turn, *reversed(gone)]
        assert state["ranking"] == ranking
        assert state["winner"] == ranking[0]
    else:
        assert (state["score"] is None) == bool(gone)


@games
@seats_and_seed
def test_text_round_trips(seats: int, seed: int) -> None:
    setup = deal(seats, seed)
    steps = list(random_play(setup, random.Random(seed)))
    actions = [step.action for step in steps]
    assert [action_from_json(json.loads(json.dumps(action_to_json(action)))) for action in actions] == actions
    record = read_record(json.dumps(write_record(setup, actions)))
    assert record.setup == setup
    assert [step.position for step in replay(*record)] == [step.position for step in steps]


@given(st.integers(-(10**8), 10**8), st.integers(-(10**8), 10**8), st.booleans(), st.booleans())
def test_cell_names_round_trip(x: int, y: int, lower: bool, spaceless: bool) -> None:
    name = Cell(x, y).name
    name = name.lower() if lower else name
    name = name.replace(" ", "") if spaceless else name
    assert Cell.parse(name) == (x, y)


@games
@seats_and_seed
def test_a_public_position_differs_in_nothing_but_the_undrawn_tiles(seats: int, seed: int) -> None:
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
            raise AssertionError("a cut deck refilled the wheel")


def test_equal_positions_come_from_equal_logs() -> None:
    setup = deal(3, 5)
    steps: list[Step] = list(random_play(setup, random.Random(5)))
    again = list(replay(setup, [step.action for step in steps]))
    assert again == steps
    assert isinstance(setup, Setup)
