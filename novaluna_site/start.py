"""The start of the one-process site: its data folder, database and static files."""

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager

from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, connection

from accounts.database import errors
from novaluna_site import data_folder


class CannotStart(Exception):
    """The site cannot run on this data folder. The only argument says why, and what to do."""


@contextmanager
def prepared() -> Iterator[None]:
    """Reserve the data folder until the context ends, and bring everything in it up to date.

    Raises CannotStart if the folder is in use, nothing can be stored, or the database is damaged.
    """
    with ExitStack() as stack:
        try:
            stack.enter_context(data_folder.lock(settings.DATA_DIR))
            _prepare()
        except data_folder.InUse as error:
            raise CannotStart(
                f"Another site is already running on {settings.DATA_DIR}. "
                f"Stop it first, or {data_folder.OTHER_FOLDER}"
            ) from error
        except OSError as error:
            raise CannotStart(data_folder.describe(error, settings.DATA_DIR)) from error
        except DatabaseError as error:
            raise CannotStart(_describe(error)) from error
        if connection.vendor == "sqlite":
            stack.enter_context(_open_database())
        yield


def _prepare() -> None:
    data_folder.make_private(settings.DATA_DIR)
    call_command("migrate", verbosity=0, interactive=False)
    call_command("collectstatic", verbosity=0, interactive=False)


@contextmanager
def _open_database() -> Iterator[None]:
    """Keep the files that SQLite shares between connections: on a full disk it could not make them again."""
    with closing(sqlite3.connect(connection.settings_dict["NAME"])) as database:
        database.execute("SELECT COUNT(*) FROM sqlite_master")
        yield


def _describe(error: DatabaseError) -> str:
    """Return sentences that say why the database cannot be used, and what to do.

    Raises every other error again.
    """
    database = connection.settings_dict["NAME"]
    if errors.is_damaged(error):
        return (
            f"{database} is not a database, or it is damaged. "
            "Replace it with a copy, or move it away to start with an empty site."
        )
    if errors.is_unable_to_store(error):
        return (
            f"Cannot store anything in {database} ({error}). "
            f"Make it writable, free some space on its disk, or {data_folder.OTHER_FOLDER}"
        )
    raise error
