"""The words for actions, results and tiles on a board."""

from pathlib import Path

import pytest

from games.novaluna.board.choice import Choice
from games.novaluna.board.words import name_tiles, tile_name
from games.novaluna.bots.face import LEVELS
from games.novaluna.engine import (
    TILES,
    Cancel,
    Cell,
    Ending,
    Place,
    Refill,
    Resign,
    SoloPosition,
    TilesRevealed,
)
from games.shown.words import BOT_LEVELS
from tests.novaluna.board.recorded import GAMES, NAMES, THREE, board_of, steps_of, words_for


def test_actions_are_described_for_each_viewer() -> None:
    last = steps_of(THREE, 36)[-1]
    words = "took yellow 5, placed it at S2 and covered 1 goal: time\u00a039\u00a0→\u00a044"
    assert words_for(last, None) == f"Tobias {words}"
    assert words_for(last, 0) == f"You {words}"
    refill = next(step for step in steps_of(THREE) if isinstance(step.action, Refill))
    name = NAMES[refill.action.seat]
    [tiles] = [event.tiles for event in refill.events if isinstance(event, TilesRevealed)]
    words = f"refilled the wheel with 9 tiles: {name_tiles(TILES[code] for _space, code in tiles)}"
    assert words_for(refill, None) == f"{name} {words}"
    assert words_for(refill, refill.action.seat) == f"You {words}"


def test_several_tiles_are_named_by_colour() -> None:
    by_name = {str(tile_name(tile)): tile for tile in TILES.values()}
    tiles = [by_name[name] for name in ("red 5", "blue 4", "red 3", "red 5")]
    assert name_tiles(tiles) == "blue 4; red 3, 5, 5"


def test_the_first_tile_is_described_without_its_cell() -> None:
    first = next(step for step in steps_of(THREE) if isinstance(step.action, Place))
    assert "and placed it as the first tile: time\u00a00\u00a0→" in words_for(first, None)


def test_every_bot_level_has_a_name() -> None:
    assert BOT_LEVELS.keys() == LEVELS.keys()


def test_leaving_and_the_end_are_described() -> None:
    position = steps_of("00014-multiplayer-2", 10)[-1].position
    resigned = position.apply(Resign(0))
    assert words_for(resigned, 0) == "You resigned. Ines wins"
    assert words_for(resigned, 1) == "Tobias resigned. You win"
    assert words_for(position.apply(Resign(1, "time")), None).startswith("Ines's clock ran out")
    assert words_for(position.apply(Cancel()), 0) == "The players agreed to cancel the game, so nobody wins"


def test_the_result_says_that_a_clock_ran_out() -> None:
    steps = steps_of("00014-multiplayer-2", 10)
    step = steps[-1].position.apply(Resign(1, "time"))
    tobias, ines = step.position.discs
    shown = [board_of([*steps, step], viewer) for viewer in (0, 1, None)]
    assert [board.bar.title for board in shown] == [
        "Ines's clock ran out, so you win",
        "Your clock ran out, so Tobias wins",
        "Ines's clock ran out, so Tobias wins",
    ]
    assert [board.decision for board in shown] == [
        f"Ines's clock ran out. Ines had {ines} discs left, you {tobias}.",
        f"Your clock ran out. You had {ines} discs left, Tobias {tobias}.",
        f"Ines's clock ran out. Ines had {ines} discs left, Tobias {tobias}.",
    ]


def test_equal_discs_do_not_explain_that_a_clock_ran_out() -> None:
    steps = steps_of("00014-multiplayer-2", 10)
    at, before = next((at, step) for at, step in enumerate(steps, 1) if len(set(step.position.discs)) == 1)
    board = board_of([*steps[:at], before.position.apply(Resign(1, "time"))], None)
    assert board.decision == "Ines's clock ran out."


def test_percent_signs_in_names_stay_as_they_are() -> None:
    last = steps_of(THREE, 36)[-1]
    odd = [f"100% %(name)s {seat}" for seat in range(3)]
    assert words_for(last, None, odd).startswith("100% %(name)s 0 took yellow 5")


@pytest.mark.parametrize(
    "path", [path for path in GAMES if "multiplayer" in path.stem], ids=lambda path: path.stem
)
def test_the_ranking_shows_a_reason_for_each_place(path: Path) -> None:
    steps = steps_of(path.stem)
    position = steps[-1].position
    shown = board_of(steps, 0)
    if position.ending is Ending.CANCELLED:
        assert not shown.ranking
        assert shown.bar.title == "The players agreed to cancel the game, so nobody wins"
        return
    assert [row.person.seat for row in shown.ranking] == list(position.ranking)
    assert shown.turn == "over"
    assert not shown.can_resign
    first, *others = shown.ranking
    left = "the only player left" if others[1:] else "time "
    reasons = {Ending.DISCS: "placed the last disc", Ending.LEFT: left}
    assert first.reason.startswith(reasons.get(position.ending, ""))
    for row in others:
        gone = row.person.seat in position.resigned_seats
        assert ("resigned" in row.reason or "clock ran out" in row.reason) == gone
        assert row.reason.endswith(f"time {position.track.time[row.person.seat]}")
        assert [figure.value for figure in row.figures] == [position.discs[row.person.seat]]


def test_the_ranking_and_the_outcome_explain_a_tie_by_turn_order() -> None:
    found = []
    for path in GAMES:
        steps = steps_of(path.stem)
        ranking = board_of(steps, None).ranking
        if len(ranking) < 2 or steps[-1].position.ending is not Ending.TILES:
            continue
        tied = ranking[0].figures == ranking[1].figures
        assert ("first in turn order" in ranking[0].reason) == tied
        assert ("later in turn order" in ranking[1].reason) == tied
        first, second = (row.person.seat for row in ranking[:2])
        reasons = (
            ("as few discs left as you", "as few discs left as") if tied else ("the fewest discs left",) * 2
        )
        assert reasons[0] in words_for(steps[-1], second)
        assert reasons[1] in words_for(steps[-1], first)
        found.append(tied)
    assert set(found) == {True, False}


@pytest.mark.parametrize("path", [path for path in GAMES if "solo" in path.stem], ids=lambda path: path.stem)
def test_the_parts_of_a_solo_score_add_up(path: Path) -> None:
    steps = steps_of(path.stem)
    for count in range(1, len(steps) + 1):
        position = steps[count - 1].position
        shown = board_of(steps[:count], 0)
        assert isinstance(position, SoloPosition)
        score = shown.score
        assert score is not None
        assert score.total == score.phase_1_score + score.time + score.disc_penalty
        assert score.is_final == (position.score is not None)
        assert not score.is_final or score.total == position.score
        assert shown.wheel.track is None
        assert not shown.players


def test_a_player_who_left_stays_on_the_board() -> None:
    position = steps_of(THREE, 36)[-1].position
    left = position.apply(Resign(0))
    shown = board_of([*steps_of(THREE, 36), left], 0)
    assert [player.person.name for player in shown.players] == ["Tobias", "Ines", "Halley"]
    assert [player.has_left for player in shown.players] == [True, False, False]
    assert not shown.can_resign
    assert "have left the game" in shown.bar.detail
    timed_out = board_of([*steps_of(THREE, 36), position.apply(Resign(0, "time"))], 0)
    assert timed_out.bar.detail == "Your clock ran out. You can keep watching."
    assert shown.display.tiles == 12


def test_players_keep_their_places_from_turn_to_turn() -> None:
    for count in (1, 2, 12, 24, 36):
        assert [player.person.seat for player in board_of(steps_of(THREE, count), 1).players] == [1, 2, 0]
    assert [player.person.seat for player in board_of(steps_of(THREE, 36), None).players] == [0, 1, 2]


def test_tiles_are_described_with_their_goals() -> None:
    shown = board_of(steps_of(THREE, 36), 1, Choice("T6b", Cell(1, 1)))
    labels = {cell.name: cell.label for cell in shown.display.cells}
    assert labels["0"] == "First tile: blue 1, no goals"
    assert labels["E1 S2"] == "E1 S2: red 5: two blue, covered; two red; two turquoise"
    assert labels["E1 S1"] == "Place at E1 S1: covers 4 goals, at S2, E1 S1 and E1 S2"
    assert labels["E3"] == "Place at E3: covers 1 goal, at E3"
