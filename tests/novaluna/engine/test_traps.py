"""Cases that other implementations of this game got wrong, and the examples of the rules page."""

from dataclasses import replace

import pytest

from games.novaluna.engine import (
    TILES,
    Cell,
    Display,
    Ending,
    GameOver,
    GoalAt,
    Mode,
    MultiplayerPosition,
    Place,
    Position,
    Refill,
    RefillNotAllowed,
    RefillRequired,
    RefillRule,
    Resign,
    Setup,
    TilesRevealed,
    WrongSeat,
    start,
)
from tests.novaluna.engine.games import deal, display_of, place


def support(picture: str, cell: tuple[int, int]) -> dict[str, int]:
    """Return the support of the tile on `cell` by colour letter, without zeros."""
    counts = display_of(picture).support(Cell(*cell))
    return {letter: count for letter, count in zip("BRTY", counts, strict=True) if count}


def fulfilled_goals(picture: str, cell: tuple[int, int]) -> set[str]:
    """Return the letters of the fulfilled goals of the tile on `cell`."""
    display = display_of(picture)
    goals = display.tiles[Cell(*cell)].goals
    return {str(goals[nth]) for at, nth in display.fulfilled if at == cell}


def test_a_group_of_three_that_touches_a_tile_on_two_sides_counts_once() -> None:
    assert support("B1  R1 \n R2a R2b", (0, 0)) == {"R": 3}


def test_a_ring_of_four_supports_a_neighbour_by_four_and_its_own_tiles_by_three() -> None:
    ring = "R1 R2a Y1\nR2b R3a ."
    assert support(ring, (2, 0)) == {"R": 4}
    for cell in ((0, 0), (1, 0), (0, 1), (1, 1)):
        assert support(ring, cell).get("R") == 3


def test_two_connected_tiles_support_each_other_by_one() -> None:
    assert support("R1 R2a", (0, 0)) == support("R1 R2a", (1, 0)) == {"R": 1}


def test_two_groups_on_either_side_of_a_tile() -> None:
    # A red tile and the reds on both sides of it are one group. The tile itself does not count.
    assert support("R1 R3a R2a", (1, 0)) == {"R": 2}
    # The reds on both sides of a blue tile are two groups. Each counts once.
    assert support("R1 B1 R2a", (1, 0)) == {"R": 2}


def test_tiles_on_a_diagonal_do_not_count() -> None:
    display = display_of("Y1 R1 Y2a\nB1 T1 B2a")
    assert dict(zip("BRTY", display.support(Cell(1, 1)), strict=True)) == {"B": 2, "R": 1, "T": 0, "Y": 0}


def test_a_chain_of_five_that_touches_a_tile_twice_supports_it_by_five() -> None:
    assert support("R1 R2a .\nR3a Y1 .\nR3b . .", (1, 1)) == {"R": 4}
    assert support("R1 R2a R2b\nR3a Y1 .\nR3b . .", (1, 1)) == {"R": 5}


def test_three_reds_and_two_blues_fulfil_two_goals_of_y4d() -> None:
    # Y4d needs RRR, TTT and BB. It touches one tile of each chain.
    assert fulfilled_goals("B2a B2b Y4d R1 R2a R2b", (2, 0)) == {"RRR", "BB"}


def test_four_reds_in_one_chain_fulfil_both_goals_of_b4a() -> None:
    assert fulfilled_goals("B4a R1 R2a R2b R3a", (0, 0)) == {"RRRR", "RR"}
    assert fulfilled_goals("B4a R1 R2a", (0, 0)) == {"RR"}


def test_a_red_tile_with_a_goal_of_four_reds_needs_four_others() -> None:
    assert fulfilled_goals("R2a R1 R2b R3a", (0, 0)) == set()
    assert fulfilled_goals("R2a R1 R2b R3a R3b", (0, 0)) == {"RRRR"}


def test_a_new_tile_fulfils_a_goal_of_an_older_tile() -> None:
    before = display_of("B4a R1 R2a R2b")
    after = before.with_tile(TILES["R3a"], Cell(4, 0))
    assert {(at.cell, at.nth) for at in after.fulfilled - before.fulfilled} == {((0, 0), 0)}


def setup_with(*first_tiles: str, seats: int = 2, discs: int = 20, order: tuple[int, ...] = (0, 1)) -> Setup:
    """Return a setup with these tiles first on the wheel."""
    rest = [code for code in TILES if code not in first_tiles]
    return Setup(Mode.MULTIPLAYER, seats, discs, order, (*first_tiles, *rest))


def test_a_disc_that_arrives_last_is_on_top_and_moves_first() -> None:
    position = start(setup_with("B2a", "R2a", "T2a"))
    position = place(place(position, "B2a"), "R2a")
    assert isinstance(position, MultiplayerPosition)
    assert position.track.time == (2, 2)
    assert position.to_move == 1
    assert position.track.stacks == {2: (0, 1)}


def test_a_player_may_move_several_times_in_a_row() -> None:
    position = start(setup_with("B7", "R1", "T1", "Y1"))
    position = place(position, "B7")
    for tile, x in (("R1", 0), ("T1", 1), ("Y1", 2)):
        assert position.to_move == 1
        position = place(position, tile, x)


def test_the_game_ends_immediately_with_the_last_disc() -> None:
    position = start(setup_with("B4a", "Y7", "R1", "R2a", discs=1))
    position = place(position, "B4a")
    position = place(position, "Y7")
    position = place(position, "R1", 1)
    step = position.apply(Place(0, "R2a", 2, 0))
    assert step.goals_covered == (GoalAt(Cell(0, 0), 1),)
    assert step.position.discs == (0, 1)
    assert step.position.to_move is None
    assert step.game_over == GameOver(0, (0, 1), None, Ending.DISCS)


def test_goals_fulfilled_after_the_last_disc_get_none() -> None:
    position = start(setup_with("B4a", discs=1))
    reds = display_of("R1 R2a R2b R3a")
    position = replace(position, displays=(reds, *position.displays[1:]))
    after = position.apply(Place(0, "B4a", 0, 1)).position
    # The tile fulfils both goals of B4a, and the first goal takes the only disc.
    assert after.displays[0].fulfilled == {(Cell(0, 1), 0), (Cell(0, 1), 1)}
    assert after.displays[0].covered == {(Cell(0, 1), 0)}
    assert after.discs == (0, 1)
    assert after.ending is Ending.DISCS


def test_the_last_discs_go_to_goals_by_x_then_y_then_place_on_the_tile() -> None:
    display = display_of("Y5b T1 Y5b").with_tile(TILES["T2a"], Cell(1, 1))
    assert display.waiting_goals == [(Cell(0, 0), 0), (Cell(2, 0), 0)]
    position = replace(start(setup_with("B1", discs=1)), displays=(display, Display()), discs=(1, 1))
    after = position.apply(Place(0, "B1", -1, 0)).position
    assert after.displays[0].covered == {(Cell(0, 0), 0)}


def game_with_one_tile_left(seed: int, seats: int = 2) -> MultiplayerPosition:
    """Return a position with one tile on the wheel, none in the draw pile, and many discs left."""
    position = start(deal(seats, seed))
    while position.draw_pile or position.wheel.tile_count > 1:
        seat = position.to_move
        assert seat is not None
        if position.refill is RefillRule.NOT_ALLOWED:
            x, y = list(position.displays[seat].free_cells)[-1]
            position = position.apply(Place(seat, position.in_reach[0].code, x, y)).position
        else:
            position = position.apply(Refill(seat)).position
    assert isinstance(position, MultiplayerPosition)
    return position


@pytest.mark.parametrize("seed", range(6))
def test_when_tiles_run_out_the_player_with_the_fewest_discs_wins(seed: int) -> None:
    position = game_with_one_tile_left(seed)
    seat = position.to_move
    assert seat is not None
    x, y = next(iter(position.displays[seat].free_cells))
    last = position.apply(Place(seat, position.in_reach[0].code, x, y)).position
    assert isinstance(last, MultiplayerPosition)
    assert last.ending is Ending.TILES
    fewest = min(last.discs)
    tied = [other for other in last.track.order if last.discs[other] == fewest]
    assert last.winner == tied[0]


@pytest.mark.parametrize("seed", range(6))
def test_a_tie_goes_to_the_player_next_in_turn_order(seed: int) -> None:
    position = game_with_one_tile_left(seed)
    seat = position.to_move
    assert seat is not None
    last = Place(seat, position.in_reach[0].code, *next(iter(position.displays[seat].free_cells)))
    gained = position.discs[seat] - position.apply(last).position.discs[seat]
    discs = tuple(5 + gained if other == seat else 5 for other in range(2))
    tied = replace(position, discs=discs).apply(last).position

    assert isinstance(tied, MultiplayerPosition)
    assert tied.discs == (5, 5)
    assert tied.ranking == tied.track.order


def game_with_empty_wheel(seed: int = 3) -> Position:
    """Return a position of a game of three in which the wheel is empty."""
    position = start(deal(3, seed))
    while position.wheel.tile_count:
        seat = position.to_move
        assert seat is not None
        x, y = next(iter(position.displays[seat].free_cells))
        position = position.apply(Place(seat, position.in_reach[0].code, x, y)).position
    return position


def test_a_refill_fills_clockwise_and_leaves_the_space_of_the_marker_empty() -> None:
    position = game_with_empty_wheel()
    marker, seat = position.wheel.marker, position.to_move
    assert seat is not None
    step = position.apply(Refill(seat))
    drawn = position.setup.deck[11:22]
    spaces = [(marker + offset) % 12 for offset in range(1, 12)]
    assert TilesRevealed(seat, tuple(zip(spaces, drawn, strict=True))) in step.events
    assert step.position.wheel.spaces[marker] is None
    assert step.position.to_move == seat, "the same player takes a tile next"


def test_a_forced_refill_leaves_only_refill_and_resign_legal() -> None:
    position = game_with_empty_wheel()
    seat = position.to_move
    assert seat is not None
    assert position.refill is RefillRule.FORCED
    assert list(position.legal_actions) == [Refill(seat)]
    with pytest.raises(RefillRequired):
        position.apply(Place(seat, "B1", 0, 0))
    assert position.is_legal(Resign(seat))
    assert position.is_legal(Resign((seat + 1) % 3))


def test_a_refill_is_allowed_with_one_or_two_tiles_and_refused_with_three() -> None:
    position = start(deal(2, 8))
    rules = {}
    while position.wheel.tile_count:
        rules[position.wheel.tile_count] = position.refill
        seat = position.to_move
        assert seat is not None
        x, y = next(iter(position.displays[seat].free_cells))
        position = position.apply(Place(seat, position.in_reach[0].code, x, y)).position
    assert {count for count, rule in rules.items() if rule is RefillRule.ALLOWED} == {1, 2}
    with pytest.raises(RefillNotAllowed):
        start(deal(2, 8)).apply(Refill(start(deal(2, 8)).to_move or 0))


def test_after_a_resign_the_others_play_until_one_is_left() -> None:
    position = start(deal(3, 4))
    first, second, third = position.setup.start_order
    position = position.apply(Resign(second, "time")).position
    assert position.in_play == tuple(sorted((first, third)))
    with pytest.raises(WrongSeat):
        position.apply(Resign(second))
    last = position.apply(Resign(first)).position
    assert last.state()["ranking"] == [third, first, second]


def test_the_first_tile_of_a_display_must_go_to_the_origin() -> None:
    assert dict(Display().free_cells) == {Cell(0, 0): None}
