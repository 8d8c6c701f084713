"""A process of its own for the search, so that a site can serve pages before the search is compiled.

In the process that calls `start`, functions that need compiled code are called through `run`. Quick levels of
bots choose there too. The functions, what they get and what they return are pickled.
"""

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from ctypes import c_double
from multiprocessing.connection import Connection
from typing import ParamSpec, TypeVar

NICENESS = 10  # Pages come first.
ENDS_WITHIN = 2.0  # seconds

P = ParamSpec("P")
T = TypeVar("T")
Preparation = Callable[[], Iterable[float]]

# Not forked, because the site has threads, and because only a new process can import the compiled functions.
CONTEXT = multiprocessing.get_context("spawn")


class SearchProcess:
    """A process that compiles the search, or loads it, and then runs one search at a time.

    If it dies, the next search starts it again.
    """

    def __init__(self, prepare: Preparation, expected: float) -> None:
        """Start the process.

        `prepare` gets the search ready and yields the share of the work that is done, from 0 to 1; `expected`
        is how many seconds it usually takes.
        """
        self._prepare = prepare
        self._expected = expected
        self._lock = threading.Lock()
        self._is_stopped = False
        self._start()

    def _start(self) -> None:
        self._connection, theirs = CONTEXT.Pipe()
        self._ready_at = CONTEXT.RawValue(c_double, time.monotonic() + self._expected)
        self._process = CONTEXT.Process(
            target=_serve, args=(theirs, self._ready_at, self._prepare), name="search", daemon=True
        )
        # Ctrl-C reaches every process of the terminal. This one is stopped by the site.
        allowed = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self._process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, allowed)
        theirs.close()

    @property
    def pid(self) -> int | None:
        """The id of the process."""
        return self._process.pid

    @property
    def seconds_left(self) -> float | None:
        """The estimated time until the first search can begin; None if it can begin now."""
        ready_at = self._ready_at.value
        return max(0.0, ready_at - time.monotonic()) if ready_at else None

    def run(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return the result of `function`, called in the process as soon as the search is ready.

        If the process dies meanwhile, call it once more in a new one. Raises EOFError or OSError if that
        process dies too. Never returns after `stop`, because an error would look like a search that failed.
        """
        with self._lock:
            try:
                answer = self._ask(function, args, kwargs)
            except (EOFError, OSError):
                if self._is_stopped:
                    threading.Event().wait()  # This thread ends with the site.
                self._connection.close()
                self._start()
                answer = self._ask(function, args, kwargs)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def _ask(self, *call: object) -> T | Exception:
        self._connection.send(call)
        answer: T | Exception = self._connection.recv()
        return answer

    def stop(self) -> None:
        """End the process, and with it the search that is running."""
        self._is_stopped = True
        self._process.terminate()
        self._process.join(ENDS_WITHIN)


def _serve(connection: Connection, ready_at: c_double, prepare: Preparation) -> None:
    """Get the search ready, then answer each call (function, args, kwargs) until the site has ended."""
    os.nice(NICENESS)
    began = time.monotonic()
    for share in prepare():
        ready_at.value = began + (time.monotonic() - began) / share
    ready_at.value = 0.0
    with suppress(EOFError):
        while True:
            function, args, kwargs = connection.recv()
            try:
                answer = function(*args, **kwargs)
            except Exception as error:
                answer = error
            connection.send(answer)


_current: SearchProcess | None = None


def start(prepare: Preparation, expected: float) -> SearchProcess:
    """Run all searches of this process in a new one from now on; return it.

    Call this before the search is imported. The parameters are as in `SearchProcess`.
    """
    global _current
    _current = SearchProcess(prepare, expected)
    return _current


def is_used() -> bool:
    """Whether searches run in a process of their own."""
    return _current is not None


def run(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return the result of a function that searches; call it in the search process, if there is one."""
    if _current is None:
        return function(*args, **kwargs)
    return _current.run(function, *args, **kwargs)


def seconds_left() -> float | None:
    """Return the estimated time until searches can run; None if they can, or if other programs run them."""
    return _current.seconds_left if _current else None
