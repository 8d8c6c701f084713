"""Where several things are wrong with an action, the record format says which of them counts."""

import pytest

from games.engine import (
    Action,
    BadAction,
    Cancel,
    CellNotAvailable,
    GameIsOver,
    IllegalAction,
    Place,
    Position,
    Refill,
    RefillNotAllowed,
    RefillRequired,
    Resign,
    TileNotAvailable,
    WrongSeat,
    action_from_json,
    replay,
    start,
)
from tests.engine.games import deal

PLACE = {"seat": 0, "do": "place", "tile": "B1", "x": 0, "y": 0}


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        "refill",
        {},
        {"do": "pass", "seat": 0},
        {"do": ["place"]},
        {"do": "refill"},
        {"do": "resign", "seat": True},
        {"do": "refill", "seat": 1.0},
        {key: value for key, value in PLACE.items() if key != "tile"},
        PLACE | {"tile": 5},
        PLACE | {"x": "0"},
        PLACE | {"x": 0.0},
        PLACE | {"y": False},
        PLACE | {"y": None},
    ],
    ids=str,
)
def test_what_has_not_the_form_of_an_action(value: object) -> None:
    with pytest.raises(BadAction):
        action_from_json(value)


@pytest.mark.parametrize(
    ("value", "reason"),
    [({}, None), ({"reason": "time"}, "time"), ({"reason": 5}, None), ({"reason": "\ud800"}, None)],
    ids=ascii,
)
def test_a_reason_has_no_effect_and_is_kept_where_it_is_text(
    value: dict[str, object], reason: str | None
) -> None:
    assert action_from_json({"do": "resign", "seat": 0, **value, "further": "key"}) == Resign(0, reason)


def opening() -> Position:
    """Return a start where seat 1 is to move."""
    return start(deal(2, 1))


def forced() -> Position:
    """Return a position where the wheel is empty and must be refilled."""
    position = opening()
    while position.wheel.tile_count:
        position = position.apply(first_place(position)).position
    return position


def over() -> Position:
    """Return a finished game."""
    return opening().apply(Resign(0)).position


def left() -> Position:
    """Return a game of three that seat 1 has left."""
    return start(deal(3, 1)).apply(Resign(1)).position


def first_place(position: Position) -> Place:
    return next(action for action in position.legal_actions if isinstance(action, Place))


def out_of_reach(position: Position) -> str:
    """Return a tile that lies on the wheel, but beyond the next three."""
    reach = position.in_reach
    return next(tile.code for tile in position.wheel.spaces if tile and tile not in reach)


def test_the_first_refusal_that_fits_counts() -> None:
    position, mine = opening(), opening().to_move
    assert mine is not None
    other, near, far = 1 - mine, opening().in_reach[0].code, out_of_reach(opening())
    assert refusal(over(), Place(7, near, 0, 0)) is BadAction
    assert refusal(over(), Place(0, "Z9", 0, 0)) is BadAction
    assert refusal(over(), Resign(-1)) is BadAction
    assert refusal(over(), Place(0, near, 40, 40)) is GameIsOver
    assert refusal(over(), Resign(0)) is GameIsOver
    assert refusal(over(), Cancel()) is GameIsOver
    assert refusal(position, Place(other, "Z9", 0, 0)) is BadAction
    assert refusal(position, Place(other, far, 40, 40)) is WrongSeat
    assert refusal(position, Refill(other)) is WrongSeat
    assert refusal(position, Refill(mine)) is RefillNotAllowed
    assert refusal(position, Place(mine, far, 40, 40)) is TileNotAvailable
    assert refusal(position, Place(mine, near, 40, 40)) is CellNotAvailable
    assert refusal(position, Place(mine, near, 1, 0)) is CellNotAvailable
    assert refusal(position, Place(mine, near, 0, 0)) is None
    assert refusal(position, Resign(other)) is None


def test_a_seat_that_left_is_the_wrong_seat() -> None:
    for action in (Resign(1), Refill(1), Place(1, "B1", 0, 0)):
        assert refusal(left(), action) is WrongSeat


def test_a_forced_refill_is_asked_for_before_tile_and_cell() -> None:
    position = forced()
    seat = position.to_move
    assert seat is not None
    assert refusal(position, Place(seat, "B1", 40, 40)) is RefillRequired
    assert refusal(position, Place(1 - seat, "B1", 40, 40)) is WrongSeat
    assert refusal(position, Refill(1 - seat)) is WrongSeat
    assert refusal(position, Refill(seat)) is None


def test_a_cell_beyond_all_bounds_is_refused_in_words() -> None:
    position = opening()
    for far in (10**5000, -(10**5000)):
        action = first_place(position)._replace(x=far)
        assert not position.is_legal(action)
        with pytest.raises(CellNotAvailable) as refused:
            position.apply(action)
        assert len(str(refused.value)) < 200


def test_replay_stops_at_the_first_refusal_and_keeps_what_came_before() -> None:
    setup = deal(2, 1)
    first = first_place(start(setup))
    steps = replay(setup, [first, {"do": "refill", "seat": first.seat}])
    assert next(steps).action == first
    with pytest.raises(IllegalAction):
        next(steps)


def test_an_action_is_true_whatever_it_holds() -> None:
    assert all([Cancel(), Refill(0), Resign(0), Place(0, "B1", 0, 0)])


def refusal(position: Position, action: Action) -> type[IllegalAction] | None:
    """Return why an action is refused, if it is; `is_legal` has to agree."""
    try:
        position.apply(action)
    except IllegalAction as error:
        assert not position.is_legal(action)
        return type(error)
    assert position.is_legal(action)
    return None
