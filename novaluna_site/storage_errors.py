"""Errors of a database that cannot store anything just now, and the page for them.

Pages do not write anything that they cannot do without, so they still show.
"""

import logging
import sqlite3

from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control
from django.utils.deprecation import MiddlewareMixin

logger = logging.getLogger(__name__)

# The primary codes of SQLite: a full disk, a file system without write access or with errors, a held lock.
SQLITE_CODES = {
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_BUSY,
}
SQLITE_DAMAGED = {sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT}
# PostgreSQL: the disk is full, and the server or transaction is read-only.
POSTGRES_CODES = {"53100", "25006"}


def is_unable_to_store(error: DatabaseError) -> bool:
    """Return whether the database can store nothing just now, whatever the query is."""
    return _sqlite_code(error) in SQLITE_CODES or getattr(error.__cause__, "sqlstate", "") in POSTGRES_CODES


def is_damaged(error: DatabaseError) -> bool:
    """Return whether the file of the database is damaged, or is something else."""
    return _sqlite_code(error) in SQLITE_DAMAGED


def _sqlite_code(error: DatabaseError) -> int | None:
    code = getattr(error.__cause__, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


class StorageErrorsMiddleware(MiddlewareMixin):
    """Shows an error page with status 503 if a request cannot store what it must."""

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not isinstance(exception, DatabaseError) or not is_unable_to_store(exception):
            return None
        logger.error("Cannot store the changes of %s %s: %s", request.method, request.path, exception)
        response = render(request, "errors/cannot_store.html", status=503)
        patch_cache_control(response, private=True, no_store=True)
        return response
