"""An illegal action is refused for the first reason that fits, in the order of `errors.py`."""

import pytest

from games.novaluna.engine import (
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
from tests.novaluna.engine.games import deal

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
def test_a_value_that_is_not_an_action_is_refused(value: object) -> None:
    with pytest.raises(BadAction):
        action_from_json(value)


@pytest.mark.parametrize(
    ("value", "reason"),
    [({}, None), ({"reason": "time"}, "time"), ({"reason": 5}, None), ({"reason": "\ud800"}, None)],
    ids=ascii,
)
def test_a_resign_keeps_its_reason_only_if_the_reason_is_text(
    value: dict[str, object], reason: str | None
) -> None:
    assert action_from_json({"do": "resign", "seat": 0, **value, "extra": "key"}) == Resign(0, reason)


def new_game() -> Position:
    """Return a two-player game before its first action."""
    return start(deal(2, 1))


def game_with_empty_wheel() -> Position:
    """Return a position in which the wheel is empty and a refill is forced."""
    position = new_game()
    while position.wheel.tile_count:
        position = position.apply(first_place(position)).position
    return position


def finished_game() -> Position:
    """Return a finished game."""
    return new_game().apply(Resign(0)).position


def game_after_a_resign() -> Position:
    """Return a game of three players after seat 1 has resigned."""
    return start(deal(3, 1)).apply(Resign(1)).position


def first_place(position: Position) -> Place:
    return next(action for action in position.legal_actions if isinstance(action, Place))


def code_out_of_reach(position: Position) -> str:
    """Return the code of a tile that is on the wheel but not in reach."""
    reach = position.in_reach
    return next(tile.code for tile in position.wheel.spaces if tile and tile not in reach)


def test_the_first_reason_that_fits_is_given() -> None:
    position = new_game()
    seat = position.to_move
    assert seat is not None
    other_seat = 1 - seat
    in_reach, out_of_reach = position.in_reach[0].code, code_out_of_reach(position)
    assert refusal(finished_game(), Place(7, in_reach, 0, 0)) is BadAction
    assert refusal(finished_game(), Place(0, "Z9", 0, 0)) is BadAction
    assert refusal(finished_game(), Resign(-1)) is BadAction
    assert refusal(finished_game(), Place(0, in_reach, 40, 40)) is GameIsOver
    assert refusal(finished_game(), Resign(0)) is GameIsOver
    assert refusal(finished_game(), Cancel()) is GameIsOver
    assert refusal(position, Place(other_seat, "Z9", 0, 0)) is BadAction
    assert refusal(position, Place(other_seat, out_of_reach, 40, 40)) is WrongSeat
    assert refusal(position, Refill(other_seat)) is WrongSeat
    assert refusal(position, Refill(seat)) is RefillNotAllowed
    assert refusal(position, Place(seat, out_of_reach, 40, 40)) is TileNotAvailable
    assert refusal(position, Place(seat, in_reach, 40, 40)) is CellNotAvailable
    assert refusal(position, Place(seat, in_reach, 1, 0)) is CellNotAvailable
    assert refusal(position, Place(seat, in_reach, 0, 0)) is None
    assert refusal(position, Resign(other_seat)) is None


def test_a_seat_that_has_resigned_is_the_wrong_seat() -> None:
    for action in (Resign(1), Refill(1), Place(1, "B1", 0, 0)):
        assert refusal(game_after_a_resign(), action) is WrongSeat


def test_a_forced_refill_is_checked_before_tile_and_cell() -> None:
    position = game_with_empty_wheel()
    seat = position.to_move
    assert seat is not None
    assert refusal(position, Place(seat, "B1", 40, 40)) is RefillRequired
    assert refusal(position, Place(1 - seat, "B1", 40, 40)) is WrongSeat
    assert refusal(position, Refill(1 - seat)) is WrongSeat
    assert refusal(position, Refill(seat)) is None


def test_a_cell_with_huge_coordinates_is_refused_with_a_short_message() -> None:
    position = new_game()
    for far in (10**5000, -(10**5000)):
        action = first_place(position)._replace(x=far)
        assert not position.is_legal(action)
        with pytest.raises(CellNotAvailable) as error_info:
            position.apply(action)
        assert len(str(error_info.value)) < 200


def test_replay_yields_the_steps_before_an_illegal_action() -> None:
    setup = deal(2, 1)
    first = first_place(start(setup))
    steps = replay(setup, [first, {"do": "refill", "seat": first.seat}])
    assert next(steps).action == first
    with pytest.raises(IllegalAction):
        next(steps)


def test_every_action_is_truthy() -> None:
    assert all([Cancel(), Refill(0), Resign(0), Place(0, "B1", 0, 0)])


def refusal(position: Position, action: Action) -> type[IllegalAction] | None:
    """Return the error that refuses an action, or None if it is legal. Check that `is_legal` agrees."""
    try:
        position.apply(action)
    except IllegalAction as error:
        assert not position.is_legal(action)
        return type(error)
    assert position.is_legal(action)
    return None
