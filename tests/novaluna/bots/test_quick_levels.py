"""Quick levels need no compiled code."""

import random
import subprocess
import sys
from pathlib import Path

from games.novaluna.bots.face import choose
from games.novaluna.engine import start
from games.novaluna.title_bots import LEVELS
from tests.novaluna.engine.games import deal

ROOT = Path(__file__).parents[3]
QUICK = [name for name, level in LEVELS.items() if level.is_quick]
CHOOSE_IN_PLAIN_PYTHON = """
import sys
from games import search_process
search_process.is_used = lambda: True
from tests.novaluna.bots.test_quick_levels import quick_choices
print(quick_choices())
print("numba" in sys.modules)
"""


def quick_choices() -> str:
    """Return all actions of games that bots of the quick levels play, one game for each number of players."""
    found = []
    for seats in (1, 2, 3, 4):
        position, rng = start(deal(seats, seats)), random.Random(seats)
        while position.to_move is not None:
            level = QUICK[len(found) % len(QUICK)]
            action = choose(position.public(), position.to_move, level, rng)
            found.append(action)
            position = position.apply(action).position
    return str(found)


def test_quick_levels_choose_the_same_actions_in_plain_python() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", CHOOSE_IN_PLAIN_PYTHON],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    choices, has_numba = done.stdout.splitlines()
    assert has_numba == "False"
    assert choices == quick_choices()
