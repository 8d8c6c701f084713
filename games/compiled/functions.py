"""What all compiled code uses: the decorator that compiles, an operation on bits, and random numbers.

If searches run in a process of their own, then in all others the functions are plain Python. They are 100
times slower there, but numba is not even imported.
"""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from games import search_process
from games.compiled import folders

F = TypeVar("F", bound=Callable[..., Any])

if TYPE_CHECKING or search_process.is_used():

    def compiled(function: F) -> F:
        """Return the function as it is."""
        return function

    def lowest_bit(mask: int) -> int:
        """Return the index of the lowest bit that is set in a mask other than 0."""
        return (int(mask) & -int(mask)).bit_length() - 1

else:
    folders.configure()

    from llvmlite import ir
    from numba import config, njit, types
    from numba.extending import intrinsic

    def compiled(function):
        """Compile a function to machine code, which is cached on disk and runs without the global lock."""
        if "NOVALUNA_COMPILED" in os.environ:
            config.CACHE_DIR = str(folders.folder(function.__module__.rpartition(".")[0]))
        return njit(cache=True, nogil=True, error_model="numpy")(function)

    @intrinsic
    def lowest_bit(typing_context, mask):
        """Return the index of the lowest bit that is set in a mask other than 0."""

        def generate(context, builder, signature, args):
            return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

        return types.int64(types.int64), generate


def new_random_state(seed: int) -> "np.ndarray[Any, np.dtype[np.uint64]]":
    """Return the state of a random number generator: an array with one number."""
    return np.array([(seed * 0x9E3779B97F4A7C15 + 0x1234567) % 2**64 or 1], np.uint64)


@compiled
def draw_below(state: Any, below: int) -> int:
    """Return a random integer from 0 to `below` - 1 (xorshift64*)."""
    x = state[0]
    x ^= x >> np.uint64(12)
    x ^= x << np.uint64(25)
    x ^= x >> np.uint64(27)
    state[0] = x
    return int(np.int64((x * np.uint64(0x2545F4914F6CDD1D)) >> np.uint64(33))) % below
