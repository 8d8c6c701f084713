"""The folder in which numba stores the compiled search of the bots; see `manage.py compile_bots`."""

import hashlib
import os
import shutil
from pathlib import Path

SOURCES = Path(__file__).parents[1] / "games/bots/search"


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
