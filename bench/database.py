"""Runs the measurements of a benchmark in a new process on its own database."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

from tests.plugins.postgres import Postgres


@contextmanager
def new_folder() -> Iterator[Path]:
    """Yield a folder for the databases and files of a benchmark, which is deleted at the end."""
    with tempfile.TemporaryDirectory(prefix="novaluna-bench-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # PostgreSQL may run as another user.
        yield folder


@contextmanager
def postgres(folder: Path) -> Iterator[str]:
    """Run PostgreSQL; yield the address of an empty database."""
    server = Postgres(folder)
    try:
        yield server.url
    finally:
        server.stop()


def measure_in_a_process(module: str, database: str, folder: Path, **environ: str) -> None:
    """Call `measure` of a benchmark in a new process, because a process reads its settings once."""
    environment = {name: value for name, value in os.environ.items() if not name.endswith("_URL")}
    environment |= {
        "DJANGO_SETTINGS_MODULE": "novaluna_site.settings",
        "DATABASE_URL": database,
        "NOVALUNA_DATA": str(folder / "data"),
        **environ,
    }
    subprocess.run(
        [sys.executable, "-c", f"from bench import {module}; {module}.measure()"], env=environment, check=True
    )


def settle() -> None:
    """Make PostgreSQL do now what it does by itself within minutes of many writes.

    Without statistics it plans other queries; without a map of visible rows it reads rows that an index has.
    """
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")


def prepare() -> None:
    """Migrate the database of the settings, collect the static files, and load the site as its servers do.

    Migrations leave hundreds of thousands of objects behind. A server never has them, so a process of its own
    runs them: the garbage collector would look through them during the measurements.
    """
    for command in (["migrate"], ["collectstatic", "--no-input"]):
        subprocess.run([sys.executable, "manage.py", *command, "--verbosity=0"], check=True)
    import_module("novaluna_site.asgi")
