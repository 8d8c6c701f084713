"""Quick levels need no compiled code, and processes that only serve pages do not load the search."""

import random
import subprocess
import sys
from pathlib import Path

from games.lunar.bots.levels import choose
from games.lunar.title_bots import LEVELS
from tests.lunar.bots.core import start

ROOT = Path(__file__).parents[3]
QUICK = [name for name, level in LEVELS.items() if level.is_quick]
CHOOSE_IN_PLAIN_PYTHON = """
import sys
from games import search_process
search_process.is_used = lambda: True
from tests.lunar.bots.test_quick_levels import quick_choices
print(quick_choices())
print("numba" in sys.modules)
"""
IMPORT_THE_TITLE = """
import sys
import django
from django.conf import settings
settings.configure(INSTALLED_APPS=["games.lunar"])
django.setup()
from games.titles.registry import title_named
assert "expert" in title_named("lunar").bots.levels
print("numba" in sys.modules)
"""


def output_of(script: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()


def quick_choices() -> str:
    """Return the actions of rounds that bots of the quick levels play, one round for two and one for four."""
    found = []
    for seats in (2, 4):
        position, rng = start(seats, seats), random.Random(seats)
        while not position.rounds:
            seat = min(position.awaited)
            action = choose(position.seen_by(seat), seat, QUICK[len(found) % len(QUICK)], rng)
            found.append(action)
            position = position.apply(action).position
    return str(found)


def test_quick_levels_choose_the_same_actions_in_plain_python() -> None:
    choices, has_numba = output_of(CHOOSE_IN_PLAIN_PYTHON)
    assert has_numba == "False"
    assert choices == quick_choices()


def test_the_title_does_not_load_the_search() -> None:
    assert output_of(IMPORT_THE_TITLE) == ["False"]
