"""Calls that start at the same time, each in a thread of its own."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from django.db import connections


def run_simultaneously(calls: Sequence[Callable[[], int]]) -> list[int]:
    """Run the calls in threads that start together, each with its own database connection."""
    barrier = threading.Barrier(len(calls))

    def run(call: Callable[[], int]) -> int:
        try:
            barrier.wait(timeout=60)
            return call()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))
