"""Where numba finds the bots' search compiled: `manage.py compile_bots` puts it there."""

import hashlib
import os
import shutil
from pathlib import Path

SOURCES = Path(__file__).parents[1] / "games/bots/search"


def prepare(folder: Path) -> Path:
    """Tell numba, which reads its settings when it is imported, to keep this version's code in `folder`."""
    place = folder / _version()
    os.environ.update(
        NUMBA_CACHE_DIR=str(place),
        # What is compiled on one machine runs on another one of its kind.
        NUMBA_CPU_NAME="generic",
        # Nothing here multiplies matrices: numpy need not start a thread for each core to do so.
        OPENBLAS_NUM_THREADS="1",
    )
    return place


def remove_others(place: Path) -> None:
    """Remove what was compiled from other versions of the sources."""
    for other in place.parent.iterdir():
        if other != place:
            shutil.rmtree(other, ignore_errors=True)


def _version() -> str:
    """Return a name for the sources as they are: of each function numba knows only the file that it is in."""
    digest = hashlib.sha256()
    for path in sorted(SOURCES.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
