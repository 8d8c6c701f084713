"""Space on the disks of this machine, which backups and drills must leave to the site."""

import shutil
from pathlib import Path

from django.conf import settings
from django.db import connection

from novaluna_site.backups.files import BackupError

# Where Debian's PostgreSQL stores all databases, and its log of changes. If it cannot write that, it ends.
OF_POSTGRESQL = Path("/var/lib/postgresql")
HERE = ("", "localhost", "127.0.0.1", "::1")
LEFT_FREE = 300_000_000  # bytes


def disk_of_database() -> Path:
    """Return a folder on the disk of the database; the data folder if that is on another machine."""
    if connection.vendor == "postgresql":
        host = str(connection.settings_dict["HOST"] or "")
        if (host in HERE or host.startswith("/")) and OF_POSTGRESQL.exists():
            return OF_POSTGRESQL
    return settings.DATA_DIR


def need(size: int, folder: Path) -> None:
    """Check that a file of this many bytes leaves enough space on its disk. Raises BackupError."""
    free = shutil.disk_usage(folder).free
    if free < size + LEFT_FREE:
        raise BackupError(
            f"{free // 1_000_000} MB are free on the disk of {folder}, but this needs {size // 1_000_000} "
            "MB, and a full disk stops the site. Remove what is not needed, or use a larger disk."
        )


def size_of_database() -> int:
    """Return how many bytes the database has now."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT pg_database_size(current_database())")
        else:
            cursor.execute("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()")
        [size] = cursor.fetchone()
    return int(size)
