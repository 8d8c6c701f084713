"""Backups of SQLite: a copy while the site runs, and a file that replaces another one."""

import gzip
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from django.conf import settings
from django.db import connection

from novaluna_site import data_folder
from novaluna_site.backups import pipes
from novaluna_site.backups.files import WITHOUT_ROWS, BackupError, Facts


def dump(file: Path) -> dict[str, int]:
    """Write a backup; return the number of rows in each table of it."""
    copy = file.with_name(f"{file.name}.copy")
    packed = file.with_name(f"{file.name}.packed")
    try:
        with closing(sqlite3.connect(own_file())) as source, closing(sqlite3.connect(copy)) as target:
            source.backup(target)
            _empty(target)
        rows = count(copy)
        with copy.open("rb") as plain, gzip.open(packed, "wb", compresslevel=6) as output:
            shutil.copyfileobj(plain, output)
        if encrypt := pipes.words_of(settings.BACKUP_ENCRYPT):
            pipes.run(encrypt, source=packed, target=file)
        else:
            packed.replace(file)
        return rows
    finally:
        copy.unlink(missing_ok=True)
        packed.unlink(missing_ok=True)


def _empty(copy: sqlite3.Connection) -> None:
    """Remove the rows that are in no backup, also from the free pages of the file."""
    tables = {name for [name] in copy.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    for table in tables.intersection(WITHOUT_ROWS):
        copy.execute(f'DELETE FROM "{table}"')  # noqa: S608 - the names are ours
    copy.commit()
    copy.execute("VACUUM")


def load(file: Path, facts: Facts, folder: Path) -> None:
    """Make the database in a data folder from a backup; a failure leaves none. Raises BackupError."""
    packed, database = folder / "packed", folder / data_folder.DATABASE
    try:
        if facts.is_encrypted:
            pipes.run(pipes.words_of(settings.BACKUP_DECRYPT), source=file, target=packed)
        else:
            shutil.copyfile(file, packed)
        with gzip.open(packed) as source, database.open("wb") as target:
            shutil.copyfileobj(source, target)
        with closing(sqlite3.connect(database)) as opened:
            [verdict] = opened.execute("PRAGMA integrity_check").fetchone()
        if verdict != "ok":
            raise BackupError(f"The backup is damaged: {verdict}. Use an older one.")
    except (OSError, EOFError, sqlite3.DatabaseError) as error:
        database.unlink(missing_ok=True)
        raise BackupError(f"The backup cannot be read: {error}. Use an older one.") from error
    finally:
        packed.unlink(missing_ok=True)


def count(file: Path) -> dict[str, int]:
    """Return the number of rows in each table of a database."""
    with closing(sqlite3.connect(file)) as database:
        names = database.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        ).fetchall()
        rows = {}
        for [name] in names:
            query = f'SELECT count(*) FROM "{name}"'  # noqa: S608 - the names are of this database
            [rows[name]] = database.execute(query).fetchone()
        return rows


def take_over(folder: Path, old: Path) -> None:
    """Move the site's database to `old`, and the one in a folder to its place."""
    connection.close()
    own = own_file()
    for ending in ("-wal", "-shm"):
        # Everything is in the file itself after the last connection was closed; a crash leaves them.
        side = own.with_name(own.name + ending)
        if side.exists():
            side.replace(old.with_name(old.name + ending))
    if own.exists():
        own.replace(old)
    (folder / data_folder.DATABASE).replace(own)


def own_file() -> Path:
    """Return the file of the site's database."""
    return Path(str(connection.settings_dict["NAME"]))
