"""What an error of the database means: whether it is away, cannot store anything just now, or is damaged."""

import sqlite3

from django.db import DatabaseError, InterfaceError, OperationalError
from django.db import Error as AnyError

# The primary codes of SQLite: a full disk, a file system without write access or with errors, a held lock.
SQLITE_CODES = {
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
}
SQLITE_DAMAGED = {sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT}
# PostgreSQL: the disk is full, and the server or transaction is read-only.
POSTGRES_CODES = {"53100", "25006"}
# Classes of codes: no connection, no log-in, no such database, no resources such as connections, a server
# that starts, stops or has cancelled the query, and errors of its system.
POSTGRES_AWAY = ("08", "28", "3D", "53", "57", "58")


def is_unable_to_store(error: BaseException | None) -> bool:
    """Return whether the database can store nothing just now, whatever the query is."""
    if not isinstance(error, DatabaseError):
        return False
    return _sqlite_code(error) in SQLITE_CODES or _postgres_code(error) in POSTGRES_CODES


def is_away(error: BaseException | None) -> bool:
    """Return whether nothing can be read from the database just now, whatever the query is."""
    if not isinstance(error, OperationalError | InterfaceError) or is_unable_to_store(error):
        return _sqlite_code(error) == sqlite3.SQLITE_CANTOPEN
    if _sqlite_code(error) is not None:
        return False
    code = _postgres_code(error)
    # Without a code, the connection could not be made, or was lost.
    return not code or code.startswith(POSTGRES_AWAY)


def is_damaged(error: BaseException | None) -> bool:
    """Return whether the file of the database is damaged, or is something else."""
    return _sqlite_code(error) in SQLITE_DAMAGED


def _sqlite_code(error: BaseException | None) -> int | None:
    code = getattr(error.__cause__, "sqlite_errorcode", None) if isinstance(error, AnyError) else None
    return None if code is None else code & 0xFF


def _postgres_code(error: BaseException) -> str:
    return getattr(error.__cause__, "sqlstate", None) or ""
