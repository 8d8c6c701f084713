"""The folder in which numba stores the compiled search of the bots; see `manage.py compile_bots`."""

import fcntl
import hashlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

SOURCES = Path(__file__).parents[1] / "games/novaluna/bots/search"
COMPLETE = "complete"  # a file that is stored last


def prepare(folder: Path) -> Path:
    """Configure numba to store compiled code in a subfolder for this version of the sources; return it.

    Call this before numba is imported, because that is when it reads these variables.
    """
    place = folder / _version()
    os.environ.update(
        NUMBA_CACHE_DIR=str(place),
        # Code that is compiled on one machine also runs on others of the same architecture.
        NUMBA_CPU_NAME="generic",
        # The search multiplies no matrices, so numpy does not need a thread for each core.
        OPENBLAS_NUM_THREADS="1",
    )
    return place


def has_compiled(place: Path) -> bool:
    """Whether the search has been compiled for this version of the sources."""
    return (place / COMPLETE).exists()


def compile_search(place: Path) -> Iterator[float]:
    """Compile the search, or load it if that is done; remove the code of other versions.

    Yields the share that is done, from 0 to 1. If another process is compiling to the same folder, this one
    waits, and then loads what the other has stored.
    """
    # Imported here, because numba must be imported after `prepare`.
    from games.novaluna.bots import warm_up_in_steps

    place.mkdir(parents=True, exist_ok=True)
    with (place / "lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield from warm_up_in_steps()
        (place / COMPLETE).touch()
        remove_others(place)


def remove_others(place: Path) -> None:
    """Remove the code that was compiled from other versions of the sources."""
    for other in place.parent.iterdir():
        if other != place:
            shutil.rmtree(other, ignore_errors=True)


def _version() -> str:
    """Return a hash of the sources.

    It is necessary because numba compares only the file of each function, not the functions that it calls.
    """
    digest = hashlib.sha256()
    for path in sorted(SOURCES.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
