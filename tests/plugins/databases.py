"""Databases with tables but no people. The first process of a test run that needs one makes it for all.

To make one takes seconds, because each migration runs.
"""

import fcntl
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import psycopg

from tests.plugins.processes import ROOT

NAME = "migrated"


def on_sqlite() -> Path:
    """Return the file of a database, which is there until the end of the test run."""
    file = _folder() / f"{NAME}.sqlite3"
    _make_once("sqlite", lambda: _migrate(f"sqlite:///{file}"))
    return file


def on_postgresql() -> str:
    """Return the name of a database on the server of the test run."""
    server = os.environ["DATABASE_URL"]

    def make() -> None:
        with closing(psycopg.connect(server, autocommit=True)) as connection:
            connection.execute(f"DROP DATABASE IF EXISTS {NAME}")  # of a try that failed
            connection.execute(f"CREATE DATABASE {NAME}")
        _migrate(f"{server.rpartition('/')[0]}/{NAME}")

    _make_once("postgresql", make)
    return NAME


def _make_once(kind: str, make: Callable[[], None]) -> None:
    with (_folder() / f"{NAME}-{kind}").open("a+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if lock.seek(0, os.SEEK_END) == 0:
            make()
            lock.write("made")


def _migrate(url: str) -> None:
    command = [sys.executable, "manage.py", "migrate", "--verbosity=0"]
    subprocess.run(command, cwd=ROOT, env={**os.environ, "DATABASE_URL": url}, check=True)


def _folder() -> Path:
    """Return the folder of the test run, which its processes share."""
    return Path(os.environ["NOVALUNA_DATA"]).parent
