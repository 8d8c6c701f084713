"""The folder in which numba stores the compiled search; see `manage.py compile_bots`.

The site names a folder for all versions in the variable NOVALUNA_COMPILED. Without it, numba chooses.
"""

import fcntl
import hashlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

SOURCES = Path(__file__).parent
COMPLETE = "complete"  # a file that is stored last


def configure() -> None:
    """Let numba store compiled code in the folder of this version of the sources.

    Call this before numba is imported, because that is when it reads these variables.
    """
    if "NOVALUNA_COMPILED" in os.environ:
        os.environ.update(
            NUMBA_CACHE_DIR=str(folder()),
            # Code that is compiled on one machine also runs on others of the same architecture.
            NUMBA_CPU_NAME="generic",
            # The search multiplies no matrices, so numpy does not need a thread for each core.
            OPENBLAS_NUM_THREADS="1",
        )


def folder() -> Path:
    """Return the folder of this version of the sources. Raises KeyError without the variable."""
    return Path(os.environ["NOVALUNA_COMPILED"]) / _version()


def has_compiled() -> bool:
    """Whether the search has been compiled for this version of the sources."""
    return (folder() / COMPLETE).exists()


def compile_search() -> Iterator[float]:
    """Compile the search, or load it if that is done; remove the code of other versions.

    Yields the share that is done, from 0 to 1. If another process is compiling to the same folder, this one
    waits, and then loads what the other has stored.
    """
    from games.novaluna.bots import warm_up_in_steps

    place = folder()
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
