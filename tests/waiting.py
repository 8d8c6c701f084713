"""Waiting for other processes and threads."""

import time
from collections.abc import Callable


def wait_until(
    is_done: Callable[[], object],
    what: str,
    seconds: float = 60,
    *,
    pause: float = 0.05,
    meanwhile: Callable[[], object] | None = None,
) -> None:
    """Return as soon as `is_done` returns something true; check every `pause` seconds.

    Calls `meanwhile` before each further check. Raises AssertionError with `what`, which names the awaited
    event, if it takes longer than `seconds`.
    """
    end = time.monotonic() + seconds
    while not is_done():
        assert time.monotonic() < end, f"not within {seconds} s: {what}"
        if meanwhile:
            meanwhile()
        time.sleep(pause)
