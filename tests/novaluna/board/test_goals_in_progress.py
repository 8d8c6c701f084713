"""Goals in progress in text mode: what the open goals of each tile have and need."""

import re

import pytest

from games.novaluna.board.text import text_board
from games.novaluna.board.words import COLOUR_WORDS
from games.novaluna.engine import COLOURS
from tests.novaluna.board.recorded import GAMES, board_of, steps_of


@pytest.mark.parametrize("name", [path.stem for path in GAMES[:6]])
def test_each_open_goal_says_what_it_has_and_needs(name: str) -> None:
    board = board_of(steps_of(name, 30), viewer=0)
    grid = text_board(board, board.view).displays[0]
    display = board.view.position.displays[0]
    found = iter(grid.goals)
    for cell, tile in sorted(display.tiles.items(), key=lambda placed: (placed[0].y, placed[0].x)):
        covered = {goal.nth for goal in display.covered if goal.cell == cell}
        goals = [goal for nth, goal in enumerate(tile.goals) if nth not in covered]
        if not goals:
            continue
        said = [
            {word: (int(have), int(need)) for have, need, word in re.findall(r"(\d) of (\d) (\w+)", part)}
            for part in next(found).split(": ", 1)[1].split("; ")
        ]
        support = dict(zip(map(str, COLOURS), display.support(cell), strict=True))
        assert said == [
            {
                str(COLOUR_WORDS[colour]): (min(support[str(colour)], need), need)
                for colour, need in zip(COLOURS, goal.needs, strict=True)
                if need
            }
            for goal in goals
        ]
    assert next(found, None) is None
