"""The board of one viewer: choices, words, history and results, but never an undrawn tile."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from games.novaluna.board.board import build_board
from games.novaluna.board.choice import Choice, refill_offer
from games.novaluna.board.drawing.geometry import moonlight
from games.novaluna.board.game_view import GameView
from games.novaluna.board.players import unchanged_players
from games.novaluna.engine import TILES, Cell, Place, RefillRule, SoloPosition, read_record
from games.titles.experts import Judgement
from games.titles.view import Reviewed
from tests.novaluna.board.recorded import (
    GAMES,
    SOLO,
    THREE,
    board_of,
    covered,
    logs_with_refill,
    open_cells,
    opening,
    people,
    place_steps,
    steps_of,
)


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_no_viewer_is_shown_an_undrawn_tile(path: Path) -> None:
    deck = read_record(path.read_bytes()).setup.deck
    steps = steps_of(path.stem)
    for count in range(1, len(steps), 31):
        position = steps[count - 1].position
        hidden = set(deck[len(deck) - position.draw_pile :])
        for viewer in (None, *range(position.seats)):
            choice = Choice(position.in_reach[0].code) if position.in_reach else Choice()
            shown = repr(board_of(steps[:count], viewer, choice))
            assert not hidden & set(re.findall(r"\b[BRTY]\d[a-d]?\b", shown))


@pytest.mark.parametrize("viewer", [0, None])
def test_the_tiles_of_an_opponent_since_ones_own_last_action_are_new(viewer: int | None) -> None:
    steps = steps_of(THREE)
    found = set()
    for count in range(10, len(steps)):
        before = [step for step in steps[:count] if isinstance(step.action, Place)]
        shown = board_of(steps[:count], viewer)
        for display in shown.opponents:
            seat = display.person.seat
            placed = [step.action for step in before]
            last = max(n for n, action in enumerate(placed) if action.seat == seat)
            interrupts = {viewer} if viewer is not None else {0, 1, 2} - {seat}
            since = max((n for n in range(last) if placed[n].seat in interrupts), default=-1)
            new = {action.cell for action in placed[since + 1 : last + 1] if action.seat == seat}
            ringed = {Cell(cell.x, cell.y) for cell in display.cells if cell.is_newest}
            assert ringed == new
            found.add(len(ringed))
    assert max(found) > 1


@pytest.mark.parametrize("name", [THREE, SOLO])
def test_each_cell_shows_how_many_goals_it_would_cover(name: str) -> None:
    for before, step in place_steps(name):
        seat, tile = step.action.seat, step.action.tile
        shown = open_cells(board_of(before, seat, Choice(tile)))
        assert shown.keys() == before[-1].position.displays[seat].free_cells.keys()
        assert shown[step.action.cell] == covered(step)


@pytest.mark.slow
@pytest.mark.parametrize("name", [THREE, SOLO])
def test_the_choice_data_equals_what_the_page_would_show(name: str) -> None:
    for before, step in place_steps(name):
        seat, tile, cell = step.action.seat, step.action.tile, step.action.cell
        data = board_of(before, seat).choice_data
        with_tile, with_cell = (
            board_of(before, seat, Choice(tile)),
            board_of(before, seat, Choice(tile, cell)),
        )
        assert data.keys() == {"", *(tile.code for tile in before[-1].position.in_reach)}
        assert (data[tile]["title"], data[tile]["detail"]) == with_tile.bar
        key = f"{cell.x}_{cell.y}"
        label = data[""]["label"].replace("{cell}", data[""]["names"][key])
        covers_none = {"text": data[tile]["rest"], "label": label, "covers": []}
        cell_data = data[tile]["cells"].get(key, covers_none)
        text = data[tile]["texts"][cell_data["text"]]
        assert (text["title"], text["detail"]) == with_cell.bar
        [drawn] = [cell for cell in with_cell.display.cells if cell.is_chosen]
        assert cell_data["label"] == drawn.label
        assert len(cell_data["covers"]) == drawn.gain


@pytest.mark.parametrize("name", [THREE, SOLO])
def test_a_display_is_unchanged_until_its_seat_places_a_tile(name: str) -> None:
    steps = tuple(steps_of(name, 36))
    view = GameView(opening(name), steps, people(steps[0].position.seats))
    for number in range(len(steps)):
        placed = {step.seat for step in steps[number:] if step.tile_taken}
        assert view.unchanged_seats(number) == [one.seat for one in view.people if one.seat not in placed]


def test_a_player_is_unchanged_until_they_take_a_tile_or_have_another_turn() -> None:
    steps = tuple(steps_of(THREE, 36))
    counts = set()
    for number, step in enumerate(steps):
        view = GameView(opening(THREE), steps[: number + 1], people(3))
        before, now = view.position_after(number).track.order, view.newest.track.order
        same_turn = {seat for seat, earlier in zip(now, before, strict=True) if seat == earlier}
        found = {player.person.seat for player in unchanged_players(view, number)}
        assert found == same_turn - ({step.seat} if step.tile_taken else set())
        counts.add(len(found))
    assert counts >= {0, 1, 2, 3}


def test_only_the_player_to_move_gets_choice_data() -> None:
    steps = steps_of(THREE, 36)
    assert board_of(steps, 1).choice_data
    for viewer in (None, 0, 2):
        assert not board_of(steps, viewer).choice_data
    assert not board_of(steps, 1, at=12).choice_data


@pytest.mark.parametrize("name", [THREE, SOLO])
def test_a_chosen_cell_shows_what_confirming_would_do(name: str) -> None:
    for before, step in place_steps(name):
        seat = step.action.seat
        shown = board_of(before, seat, Choice(step.action.tile, step.action.cell))
        discs = [disc for cell in shown.display.cells if cell.tile for disc in cell.tile.discs]
        [chosen] = [cell for cell in shown.display.cells if cell.is_chosen]
        assert (chosen.x, chosen.y) == step.action.cell
        assert chosen.tile is not None
        assert chosen.tile.code == step.action.tile
        assert sum(disc.is_next for disc in discs) == chosen.gain == covered(step)
        assert len(discs) == len(step.position.displays[seat].covered)
        left = step.position.discs[seat]
        assert f"{left} disc{'s' * (left != 1)} left" in shown.bar.title
        assert f"→ {step.events[0].time_after}" in shown.bar.detail


def test_a_chosen_cell_shows_who_would_be_next() -> None:
    steps = steps_of(THREE, 36)
    shown = board_of(steps, 1, Choice("T6b", Cell(1, 1)))
    assert shown.bar.title == "Turquoise 6: +4 goals, 14 discs left"
    assert shown.bar.detail == "Time 41 → 47, Halley is next"
    assert shown.wheel.track is not None
    assert [landing.tile for landing in shown.wheel.track.landings if landing.is_shown] == ["T6b"]
    again = board_of(steps_of(THREE, 34), 0, Choice("Y1", Cell(-1, -1)))
    assert again.bar.detail == "Time 38 → 39, you move again"


@pytest.mark.parametrize(
    ("viewer", "choice", "problem", "tile_stays"),
    [
        (1, Choice("B5b"), "can't take that tile now", False),
        (1, Choice("nonsense"), "can't take that tile now", False),
        (1, Choice("T6b", Cell(0, 0)), "can't place the tile on the first tile", True),
        (1, Choice("T6b", Cell(9, -9)), "can't place the tile on E9 N9", True),
        (0, Choice("nonsense"), "not on the wheel", False),
        (0, Choice("T6b", Cell(9, -9)), "can't place the tile there", True),
        (None, Choice("T6b", Cell(1, 1)), "not your turn", False),
    ],
)
def test_an_illegal_choice_is_dropped_and_explained(
    viewer: int | None, choice: Choice, problem: str, tile_stays: bool
) -> None:
    shown = board_of(steps_of(THREE, 36), viewer, choice)
    assert problem in shown.problem
    assert (shown.choice.tile is not None) == tile_stays
    assert shown.choice.step is None
    assert bool(open_cells(shown)) == tile_stays


def test_nothing_can_be_chosen_in_the_past() -> None:
    shown = board_of(steps_of(THREE, 36), 1, Choice("T6b", Cell(1, 1)), at=30)
    assert not shown.problem
    assert shown.turn == "mine"
    assert not shown.choice.tile


def test_a_cell_without_a_tile_is_ignored() -> None:
    shown = board_of(steps_of(THREE, 36), 1, Choice(None, Cell(1, 1)))
    assert not shown.choice.step
    assert not shown.problem
    assert not open_cells(shown)


def test_all_see_the_tiles_in_reach_which_only_the_player_to_move_can_take() -> None:
    steps = steps_of(THREE, 36)
    in_reach = [tile.code for tile in steps[-1].position.in_reach]
    for viewer in (None, 0, 1, 2):
        shown = board_of(steps, viewer)
        lit = [tile.tile.code for tile in shown.wheel.tiles if tile.in_reach]
        assert lit == in_reach, "everybody sees which tiles are next"
        assert shown.wheel.moonlight
        assert [tile.label for tile in shown.wheel.tiles if tile.label.startswith("In reach: ")] == [
            tile.label for tile in shown.wheel.tiles if tile.in_reach and viewer != 1
        ]
        assert shown.wheel.can_take == shown.can_act == (viewer == 1)
        assert (shown.refill is not None) == (viewer == 1)


@pytest.mark.parametrize(("reach", "rows"), [((0, 1, 2), 1), ((2, 3), 1), ((0, 2), 2), ((2, 5, 9), 3)])
def test_the_moonlight_is_on_the_tiles_in_reach_and_not_on_empty_spaces(
    reach: tuple[int, ...], rows: int
) -> None:
    areas = moonlight(11, reach).area_path
    assert areas.count("Z") == rows
    assert not re.search(r"A\S+ \S+ 0 1 ", areas), "an area covers more than half of the wheel"


def test_a_forced_refill_comes_before_everything_else() -> None:
    steps = next(list(before) for before, _step in logs_with_refill(THREE, RefillRule.FORCED))
    seat = steps[-1].position.to_move
    shown = board_of(steps, seat, Choice("B1"))
    assert shown.refill is not None
    assert shown.refill.is_forced
    assert "adds 11 tiles" in shown.refill.explanation
    assert "Refill it" in shown.problem
    assert not shown.wheel.can_take


def test_a_solo_refill_says_what_the_phase_counts() -> None:
    position = next(
        step.position
        for path in GAMES
        if "solo" in path.stem
        for step in steps_of(path.stem)
        if step.position.refill is RefillRule.FORCED
    )
    assert isinstance(position, SoloPosition)
    score = position.time + 10 * position.first_stack
    assert f"It ends phase 1 with a score of {score}." in refill_offer(position).explanation


def test_an_optional_refill_keeps_the_choice_of_tiles() -> None:
    steps = next(list(before) for before, _step in logs_with_refill(THREE, RefillRule.ALLOWED))
    position = steps[-1].position
    shown = board_of(steps, position.to_move, Choice(position.in_reach[0].code))
    assert shown.refill is not None
    assert shown.refill.is_allowed
    assert not shown.refill.is_forced
    assert shown.choice.tile


def test_the_past_is_shown_as_it_was_and_offers_nothing() -> None:
    steps = steps_of(THREE, 36)
    shown = board_of(steps, 1, Choice("T6b", Cell(1, 1)), at=12)
    assert shown.is_past
    assert not shown.can_act
    assert not open_cells(shown)
    assert shown.display.tiles == len(steps[11].position.displays[1].tiles)
    assert shown.turn == "mine"  # in the newest position
    assert shown.next_number == 37
    assert shown.heading == "Action 12 of 36"


def test_the_history_separates_the_new_actions() -> None:
    history = board_of(steps_of(THREE, 36), 1).history
    assert [entry.number for entry in history.new] == [36, 35]
    assert [entry.number for entry in history.recent] == list(range(34, 26, -1))
    assert [entry.number for entry in history.entries] == list(range(36, 0, -1))
    of_spectator = board_of(steps_of(THREE, 36), None).history
    assert not of_spectator.new
    assert len(of_spectator.entries) == 36


@pytest.mark.parametrize(
    ("at", "queries"),
    [
        (None, ["?at=0", "?at=35", None, None]),
        (35, ["?at=0", "?at=34", "", ""]),
        (12, ["?at=0", "?at=11", "?at=13", ""]),
    ],
)
def test_the_links_through_the_history(at: int | None, queries: list[str | None]) -> None:
    history = board_of(steps_of(THREE, 36), 1, at=at).history
    assert [link.query for link in history.links] == queries


def test_the_start_can_be_shown() -> None:
    steps = steps_of(THREE, 36)
    shown = build_board(GameView(opening(THREE), tuple(steps), people(3, 1), at=0))
    assert [link.query for link in shown.history.links] == [None, None, "?at=1", ""]
    assert shown.display.tiles == 0


@pytest.mark.parametrize("viewer", [0, None])
def test_a_display_has_the_same_frame_at_each_action_as_now(viewer: int | None) -> None:
    steps = steps_of(THREE, 36)

    def frames(at: int | None) -> list[tuple[int, int, int, int]]:
        board = board_of(steps, viewer, at=at)
        displays = (board.display, *board.opponents)
        return [(one.x0, one.y0, one.cols, one.rows) for one in displays if one.tiles]

    now = frames(None)
    assert all(set(frames(at)) <= set(now) for at in range(len(steps)))
    assert frames(len(steps) - 1) == now


def test_a_display_of_a_review_has_the_frame_of_its_tiles_and_the_better_one() -> None:
    steps, at = steps_of(THREE, 36), 22
    better = next(one for one in steps[at - 2].position.legal_actions if isinstance(one, Place))
    view = GameView(opening(THREE), tuple(steps), people(3, None), at)
    board = build_board(replace(view, reviewed=Reviewed(Judgement(better, 0.5, 0.1), "key")))
    assert [one.better is not None for one in (board.display, *board.opponents)].count(True) == 1
    for shown in (board.display, *board.opponents):
        cells = [*shown.cells, *([shown.better] if shown.better else [])]
        xs, ys = {cell.x for cell in cells}, {cell.y for cell in cells}
        assert (shown.x0, shown.y0) == (min(xs), min(ys))
        assert (shown.cols, shown.rows) == (max(xs) - min(xs) + 1, max(ys) - min(ys) + 1)


def test_the_sheet_of_symbols_has_each_tile_once() -> None:
    from games.novaluna.board.drawing.symbols import board_symbols

    assert sorted(re.findall(r'id="tile-(\w+)"', board_symbols())) == sorted(TILES)
