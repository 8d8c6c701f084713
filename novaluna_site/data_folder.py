"""The folder of all files that the embedded site writes, which only its owner may read."""

import fcntl
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

DATABASE = "novaluna.sqlite3"
MAILS = "mails"
KEY = "secret_key"
PRIVATE = (DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm", MAILS, KEY)

OTHER_FOLDER = "choose another folder: make play NOVALUNA_DATA=/path/to/folder"


class InUse(Exception):
    """Another site is running on the data folder."""


def prepare(folder: Path) -> Path:
    """Make the folder if it does not exist, and return it. Raises ImproperlyConfigured."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(
            f"Cannot make the folder {folder} ({error.strerror}). Correct this, or {OTHER_FOLDER}"
        ) from error
    return folder


def own_secret_key(folder: Path) -> str:
    """Return the key that is stored in the folder; the first call makes it. Raises ImproperlyConfigured."""
    path = folder / KEY
    try:
        if not path.exists():
            _make_key(path)
        key = path.read_text(errors="replace").strip()
    except OSError as error:
        raise ImproperlyConfigured(describe(error, folder)) from error
    if not re.fullmatch(r"[!-~]{32,}", key):
        raise ImproperlyConfigured(
            f"{path} is empty or damaged. Delete it, and the next start makes a new key. "
            "Everybody must then log in again."
        )
    return key


def _make_key(path: Path) -> None:
    """Store a new key, complete or not at all; keep the key of another process that was quicker."""
    part = path.with_name(f"{KEY}.{secrets.token_hex(4)}.part")
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(50))
        path.hardlink_to(part)
    except FileExistsError:
        pass
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def lock(folder: Path) -> Iterator[None]:
    """Keep other sites off the folder until the context ends or the process dies.

    Raises InUse if another site has the lock, and OSError if the folder is not writable.
    """
    with (folder / "lock").open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as taken:
            raise InUse from taken
        yield


def make_private(folder: Path) -> None:
    """Make new files of this process, and the private files of the folder, readable by their owner only."""
    os.umask(0o077)
    for path in (folder / name for name in PRIVATE):
        if path.exists():
            path.chmod(0o700 if path.is_dir() else 0o600)


def describe(error: OSError, folder: Path) -> str:
    """Return sentences that say why a file in the folder cannot be written, and what to do."""
    return (
        f"Cannot write to {folder} ({error.strerror}). "
        f"Make this folder writable, free some space on its disk, or {OTHER_FOLDER}"
    )
