"""The time that a search has spent."""

import time

# A search that gets no more than this share of a processor ends by the clock, before people wait too long.
LEAST_SHARE_OF_PROCESSOR = 0.2


class Spent:
    """The processor time that a search has spent in its thread, so that a busy machine weakens no bot."""

    def __init__(self) -> None:
        self._processor, self._clock = time.thread_time(), time.perf_counter()

    def seconds(self) -> float:
        """Return the processor time in seconds, or more if others take nearly all of the processor."""
        clock = time.perf_counter() - self._clock
        return max(time.thread_time() - self._processor, clock * LEAST_SHARE_OF_PROCESSOR)
