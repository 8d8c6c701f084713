"""Backups of PostgreSQL: pg_dump and pg_restore, and databases that replace one another."""

from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

import psycopg
from django.conf import settings
from django.db import connection, transaction
from psycopg import sql

from novaluna_site.backups import pipes
from novaluna_site.backups.files import WITHOUT_ROWS, BackupError, Facts

# Everything belongs to the site's user, whatever its name is there.
WITHOUT_OWNERS = ("--no-owner", "--no-privileges")


def dump(file: Path) -> dict[str, int]:
    """Write a backup; return the number of rows in each table, counted at the same moment."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        cursor.execute("SELECT pg_export_snapshot()")
        [snapshot] = cursor.fetchone()
        left_out = [f"--exclude-table-data={table}" for table in WITHOUT_ROWS]
        command = ["pg_dump", "--format=custom", *WITHOUT_OWNERS, *left_out, f"--snapshot={snapshot}"]
        encrypt = pipes.words_of(settings.BACKUP_ENCRYPT)
        pipes.run([command, *encrypt], target=file, environ=environ_of(_name()))
        rows = {}
        for table in connection.introspection.table_names(cursor):
            if table in WITHOUT_ROWS:
                rows[table] = 0
                continue
            cursor.execute(sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(table)))
            [rows[table]] = cursor.fetchone()
    return rows


def load(file: Path, facts: Facts, name: str) -> None:
    """Make the database `name` from a backup; a failure leaves none. Raises BackupError."""
    with _maintenance() as server:
        _drop(server, name)
        try:
            server.execute(
                sql.SQL("CREATE DATABASE {} TEMPLATE template0 ENCODING 'UTF8'").format(sql.Identifier(name))
            )
        except psycopg.errors.InsufficientPrivilege as error:
            raise BackupError(
                "The site's database user may not make databases. Allow it once: runuser -u postgres -- "
                f"psql -c 'ALTER ROLE \"{connection.settings_dict['USER']}\" CREATEDB'"
            ) from error
        decrypt = pipes.words_of(settings.BACKUP_DECRYPT) if facts.is_encrypted else []
        command = [
            "pg_restore",
            "--exit-on-error",
            "--single-transaction",
            *WITHOUT_OWNERS,
            f"--dbname={name}",
        ]
        try:
            pipes.run([*decrypt, command], source=file, environ=environ_of(name))
        except BackupError as error:
            _drop(server, name)
            raise BackupError(f"{error}\nThe backup was made by {facts.tool}.") from error


def drop(name: str) -> None:
    """Remove a database, if it exists."""
    with _maintenance() as server:
        _drop(server, name)


def count(name: str) -> dict[str, int]:
    """Return the number of rows in each table of a database."""
    with closing(psycopg.connect(url_of(name))) as database:
        tables = database.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
        rows = {}
        for [table] in tables:
            query = sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(table))
            found = database.execute(query).fetchone()
            rows[table] = found[0] if found else 0
        return rows


def take_over(name: str, old: str) -> None:
    """Rename the site's database to `old`, and the database `name` to the site's."""
    own = _name()
    connection.close()
    with _maintenance() as server:
        for database in (own, name):
            server.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [database]
            )
        for before, after in ((own, old), (name, own)):
            rename = sql.SQL("ALTER DATABASE {} RENAME TO {}")
            server.execute(rename.format(sql.Identifier(before), sql.Identifier(after)))


def url_of(name: str) -> str:
    """Return the address of a database on the site's server."""
    own = connection.settings_dict
    user = quote(str(own["USER"]), safe="") + (
        f":{quote(own['PASSWORD'], safe='')}" if own["PASSWORD"] else ""
    )
    host = quote(str(own["HOST"] or ""), safe="") + (f":{own['PORT']}" if own["PORT"] else "")
    return f"postgres://{user}@{host}/{quote(name, safe='')}"


def environ_of(name: str) -> Mapping[str, str]:
    """Return the environment in which PostgreSQL's programs find a database. No password is in a command."""
    own = connection.settings_dict
    values = {
        "PGHOST": own["HOST"],
        "PGPORT": own["PORT"],
        "PGUSER": own["USER"],
        "PGPASSWORD": own["PASSWORD"],
    }
    return {key: str(value) for key, value in {**values, "PGDATABASE": name}.items() if value}


def _name() -> str:
    return str(connection.settings_dict["NAME"])


@contextmanager
def _maintenance() -> Iterator["psycopg.Connection[tuple[object, ...]]"]:
    """Yield a connection to a database that is always there, in which databases are made and renamed."""
    with closing(psycopg.connect(url_of("template1"), autocommit=True)) as server:
        yield server


def _drop(server: "psycopg.Connection[tuple[object, ...]]", name: str) -> None:
    server.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))
