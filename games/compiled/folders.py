"""The folders in which numba stores compiled searches; see `manage.py compile_bots`.

The site names a folder for all of them in the variable NOVALUNA_COMPILED. Without it, numba chooses.
"""

import fcntl
import hashlib
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

SHARED = "games.compiled"  # the package whose functions the searches of all titles call
COMPLETE = "complete"  # a file that is stored last


def configure() -> None:
    """Set up numba for compiled code that is stored. Call this before numba is imported."""
    if "NOVALUNA_COMPILED" in os.environ:
        os.environ.update(
            # Code that is compiled on one machine also runs on others of the same architecture.
            NUMBA_CPU_NAME="generic",
            # The searches multiply no matrices, so numpy does not need a thread for each core.
            OPENBLAS_NUM_THREADS="1",
        )


@cache
def folder(package: str) -> Path:
    """Return the folder for the compiled functions of a package, in this version of its sources.

    Raises KeyError without the variable.
    """
    version = version_of(_sources(package), _sources(SHARED))
    return Path(os.environ["NOVALUNA_COMPILED"]) / f"{package}-{version}"


def has_compiled(package: str) -> bool:
    """Whether the functions of a package have been compiled for this version of the sources."""
    return (folder(package) / COMPLETE).exists()


def compile_search(package: str, warm_up_in_steps: Callable[[], Iterable[float]]) -> Iterator[float]:
    """Compile a search, or load it if that is done; remove the code of other versions.

    `warm_up_in_steps` calls all functions of the package. It yields the share that is done, from 0 to 1, and
    so does this function. If another process is compiling to the same folder, this one waits, and then loads
    what the other has stored.
    """
    place = folder(package)
    place.mkdir(parents=True, exist_ok=True)
    with (place / "lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield from warm_up_in_steps()
        (place / COMPLETE).touch()
        for name in (package, SHARED):
            remove_others(folder(name))


def remove_others(place: Path) -> None:
    """Remove the code that was compiled from other versions of the same package."""
    package, _hyphen, _version = place.name.rpartition("-")
    for other in place.parent.glob(f"{package}-*"):
        if other != place:
            shutil.rmtree(other, ignore_errors=True)


def version_of(*folders: Path) -> str:
    """Return a hash of the sources in these folders.

    It is necessary because numba compares only the file of each function, not the functions that it calls.
    """
    digest = hashlib.sha256()
    for path in (path for place in folders for path in sorted(place.glob("*.py"))):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _sources(package: str) -> Path:
    return Path(str(import_module(package).__file__)).parent
