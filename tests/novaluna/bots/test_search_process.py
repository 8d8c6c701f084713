"""Searches in a process of their own: it gets ready while the site serves, dies, and is started again."""

import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from games.novaluna.bots import choose, search_process
from games.novaluna.bots.search_process import SearchProcess
from games.novaluna.engine import start
from tests.novaluna.engine.games import deal
from tests.waiting import wait_until

ROOT = Path(__file__).parents[3]
CHOOSE_IN_PLAIN_PYTHON = """
import sys
from games.novaluna.bots import search_process
search_process.is_used = lambda: True
from tests.novaluna.bots.test_search_process import quick_choices
print(quick_choices())
print("numba" in sys.modules)
"""


def quick_choices() -> str:
    """Return all actions of games that bots of the quick levels play, one game for each number of players."""
    found = []
    for seats in (1, 2, 3, 4):
        position, rng = start(deal(seats, seats)), random.Random(seats)
        while position.to_move is not None:
            level = search_process.QUICK_LEVELS[len(found) % 2]
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


def prepare() -> Iterator[float]:
    """Get ready in three steps."""
    for share in (0.2, 0.6):
        time.sleep(0.05)
        yield share


def prepare_very_slowly() -> Iterator[float]:
    time.sleep(1)
    yield 0.01
    time.sleep(60)


def die() -> None:
    os._exit(1)


def refuse() -> None:
    raise ValueError("no search")


def test_a_search_waits_until_its_process_is_ready() -> None:
    process = SearchProcess(prepare, expected=30)
    try:
        left = process.seconds_left
        assert left
        assert 0 < left <= 30
        assert process.run(os.getpid) == process.pid
        assert process.seconds_left is None
        # 19 is the lowest priority.
        niceness = min(19, os.getpriority(os.PRIO_PROCESS, 0) + search_process.NICENESS)
        assert process.run(os.getpriority, os.PRIO_PROCESS, 0) == niceness
        with pytest.raises(ValueError, match="no search"):
            process.run(refuse)
    finally:
        process.stop()


def test_the_estimate_follows_the_progress() -> None:
    process = SearchProcess(prepare_very_slowly, expected=5)
    try:
        # After one second, a hundredth of the work is done.
        wait_until(lambda: (process.seconds_left or 0) > 60, "a new estimate", 20)
    finally:
        process.stop()


def test_a_process_that_died_is_started_again_for_the_next_search() -> None:
    process = SearchProcess(prepare, expected=1)
    try:
        with pytest.raises(EOFError):
            process.run(die)  # also after the restart
        assert process.run(os.getpid) == process.pid
    finally:
        process.stop()


def test_a_search_that_waits_when_the_site_stops_ends_without_an_error() -> None:
    process = SearchProcess(prepare_very_slowly, expected=5)
    found: list[object] = []
    thread = threading.Thread(target=lambda: found.append(process.run(os.getpid)), daemon=True)
    thread.start()
    first = process.pid
    process.stop()
    thread.join(0.5)
    assert thread.is_alive(), "it neither raises nor returns"
    assert not found
    assert process.pid == first, "no other process was started"
