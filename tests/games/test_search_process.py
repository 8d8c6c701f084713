"""Searches in a process of their own: it gets ready while the site serves, dies, and is started again."""

import os
import threading
import time
from collections.abc import Iterator

import pytest

from games import search_process
from games.search_process import SearchProcess
from tests.waiting import wait_until


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
        wait_until(lambda: (process.seconds_left or 0) > 60, "a new estimate")
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
